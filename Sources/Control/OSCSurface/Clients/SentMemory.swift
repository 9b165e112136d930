/// What the newest feedback bundles to a client had, so that what a network lost can be sent again (`/resync`).
struct SentMemory: Sendable {
  /// The addresses of each bundle; clients that got the same bundle share them.
  private var entries: [(sequence: Int32, addresses: [String])] = []
  /// Index of the oldest entry that is kept, and the number of addresses from there on.
  private var (first, count) = (0, 0)
  /// The last bundle that is not known any more.
  private var forgotten: Int32 = 0

  /// Most addresses that are kept: a minute of a busy surface.
  private static let capacity = 4_096

  mutating func note(_ addresses: [String], in sequence: Int32) {
    entries.append((sequence, addresses))
    count += addresses.count
    while count > Self.capacity {
      (count, forgotten) = (count - entries[first].addresses.count, entries[first].sequence)
      entries[first].addresses = []
      first += 1
    }
    // In large steps, because removal at the front costs time.
    if first > entries.count / 2 { (entries, first) = (Array(entries[first...]), 0) }
  }

  /// Keeps nothing of the bundles up to a number.
  mutating func forget(upTo sequence: Int32) { (entries, first, count, forgotten) = ([], 0, 0, sequence) }

  /// The addresses in all bundles behind a number, each once; nil if they are not all known any more.
  func addresses(after sequence: Int32) -> Set<String>? {
    guard sequence >= forgotten else { return nil }
    return Set(entries[first...].reversed().prefix { $0.sequence > sequence }.flatMap(\.addresses))
  }
}
