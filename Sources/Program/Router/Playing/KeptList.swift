import Players
import Queues
import SessionModel

/// The item of a player that plays, and those that follow it, as the queue of the state says.
///
/// A few are given ahead, so that short items follow each other without a gap although reports take their time.
struct KeptList {
  /// A pass through an item of the queue.
  struct Entry: Equatable {
    var pass: Int
    var item: PlayerItem
  }

  private(set) var entries: [Entry] = []
  /// Why the items of some passes to come cannot be played. They are reported when it is their turn.
  private var broken: [Int: SessionError] = [:]
  private var lastID = 0

  /// Most items that are given ahead.
  private static let most = 3

  var first: Entry? { entries.first }
  var last: Entry? { entries.last }
  var items: [PlayerItem] { entries.map(\.item) }

  func pass(of id: Int) -> Int? { entries.first { $0.item.id == id }?.pass }

  func error(of pass: Int) -> SessionError? { broken[pass] }

  /// Notes that the item of a pass cannot be played.
  mutating func note(_ error: SessionError, of pass: Int) { broken[pass] = error }

  /// Makes the list for a player. An item keeps its number as long as its pass has the same file, so that the sound goes on.
  /// - Returns: the items.
  mutating func follow(_ player: MediaPlayer) -> [PlayerItem] {
    broken = broken.filter { $0.key >= player.passes }
    var (queue, pass, made) = (player.queue.value, player.passes, [Entry]())
    // Each turn is a pass, also one that cannot be played.
    for _ in 0...(Self.most + broken.count) {
      guard let item = queue.present, made.count <= Self.most else { break }
      let isBroken = broken[pass] != nil
      if !isBroken { made.append(entry(pass, item.name, loops: player.loops)) }
      guard case .play = isBroken ? queue.fail() : queue.finish() else { break }
      pass += 1
    }
    entries = made
    return items
  }

  private mutating func entry(_ pass: Int, _ name: String, loops: Int) -> Entry {
    if let known = entries.first(where: { $0.pass == pass && $0.item.path == name }) {
      return Entry(pass: pass, item: PlayerItem(id: known.item.id, path: name, loops: loops))
    }
    lastID += 1
    return Entry(pass: pass, item: PlayerItem(id: lastID, path: name, loops: loops))
  }
}
