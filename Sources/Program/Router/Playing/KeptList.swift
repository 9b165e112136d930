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

  /// Why an item cannot be played.
  private struct Fault {
    var name: String
    var error: SessionError
  }

  private(set) var entries: [Entry] = []
  /// The faults of the items of some passes to come. They are reported when it is their turn.
  private var broken: [Int: Fault] = [:]
  private var lastID = 0

  /// Most items that are given ahead.
  private static let most = 3

  var first: Entry? { entries.first }
  var last: Entry? { entries.last }
  var items: [PlayerItem] { entries.map(\.item) }

  func pass(of id: Int) -> Int? { entries.first { $0.item.id == id }?.pass }

  func error(of pass: Int) -> SessionError? { broken[pass]?.error }

  /// Notes that the item of a pass cannot be played.
  mutating func note(_ error: SessionError, of item: PlayerItem, in pass: Int) {
    broken[pass] = Fault(name: item.path, error: error)
  }

  /// Forgets what cannot be played, so that it is tried again.
  mutating func forgetFaults() { broken = [:] }

  /// Makes the list for a player. An item keeps its number as long as its pass has the same file, so that the sound goes on.
  /// - Returns: the items.
  mutating func follow(_ player: MediaPlayer) -> [PlayerItem] {
    var (queue, pass, made, faults) = (player.queue.value, player.passes, [Entry](), [Int: Fault]())
    // Each turn is a pass, also one that cannot be played.
    for _ in 0...(Self.most + broken.count) {
      guard let item = queue.present, made.count <= Self.most else { break }
      // The queue may have another item in the pass by now.
      let fault = broken[pass].flatMap { $0.name == item.name ? $0 : nil }
      faults[pass] = fault
      if fault == nil { made.append(entry(pass, item.name, loops: player.loops)) }
      guard case .play = fault == nil ? queue.finish() : queue.fail() else { break }
      pass += 1
    }
    (entries, broken) = (made, faults)
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
