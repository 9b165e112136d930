/// The items that a player plays one after the other: a value without clock, files or sound.
///
/// The present item is the one that plays, or would play. A queue has a present item unless it is empty. With shuffle, the order of all items to come is
/// decided ahead, so that the next item is known while the present one plays. Equal queues go on equally: the random numbers are part of the value.
public struct PlayQueue: Equatable, Sendable {
  /// The greatest number of items.
  public static let most = 10_000
  /// So many items in a row that cannot be played stop the queue.
  public static let mostFailures = 3
  /// How many items back `previous` reaches with shuffle.
  static let longestHistory = 1_000

  /// An item and a number that it keeps while others come, go and move.
  struct Entry: Equatable, Sendable {
    var number: Int
    var item: QueueItem
  }

  var entries: [Entry] = []
  /// The place of the present item; 0 if there is none.
  var place = 0
  var shuffling: Shuffling
  /// The numbers of the items that were present before, the last one last. Kept only with shuffle.
  var history: [Int] = []
  private var lastNumber = 0
  /// Items in a row that could not be played.
  var failures = 0
  /// The number of the item that `previous` has left, until one before it is heard; nil if the queue does not go back.
  var left: Int?

  /// What follows an item that ends.
  public var repeatMode = RepeatMode.none {
    didSet { plan() }
  }

  /// In which order items follow each other. The present item stays.
  public var shuffleMode: ShuffleMode {
    get { shuffling.mode }
    set {
      guard newValue != shuffling.mode else { return }
      shuffling.mode = newValue
      history = []
      beginRound()
    }
  }

  /// Makes an empty queue.
  /// - Parameter seed: decides all random orders.
  public init(seed: UInt64) { shuffling = Shuffling(seed: seed) }

  /// The items in the order of the queue, which shuffle does not change.
  public var items: [QueueItem] { entries.map(\.item) }
  public var count: Int { entries.count }
  public var isEmpty: Bool { entries.isEmpty }
  /// The present item's place in the queue; nil if the queue is empty.
  public var index: Int? { isEmpty ? nil : place }
  /// The present item.
  public var present: QueueItem? { isEmpty ? nil : entries[place].item }

  /// The item that follows when the present one ends, to be prepared meanwhile; nil if the queue then ends. With `RepeatMode.one` it is the
  /// present item.
  public var upNext: QueueItem? {
    repeatMode == .one ? present : following.map { entries[$0].item }
  }

  /// Whether `next` goes to an item.
  public var hasNext: Bool { following != nil }

  /// The place of the item that `next` goes to; nil if the queue ends.
  var following: Int? {
    guard !isEmpty else { return nil }
    if shuffleMode == .off {
      if place + 1 < count { return place + 1 }
    } else if let number = shuffling.next {
      return placeOf(number)
    }
    return repeatMode == .all && shuffleMode == .off ? 0 : nil
  }

  func placeOf(_ number: Int) -> Int? { entries.firstIndex { $0.number == number } }

  /// Gives items numbers of their own.
  mutating func numbered(_ items: [QueueItem]) -> [Entry] {
    items.map {
      lastNumber += 1
      return Entry(number: lastNumber, item: $0)
    }
  }

  /// Begins to shuffle all items, of which the present one counts as heard.
  mutating func beginRound() {
    shuffling.begin(entries, after: isEmpty ? nil : entries[place].number, continuesAlbum: true)
    plan()
  }

  /// Decides the next round before its first item is needed.
  mutating func plan() {
    shuffling.planRound(entries, repeats: repeatMode == .all, last: isEmpty ? nil : entries[place].number)
  }
}
