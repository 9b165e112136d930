/// What the newest feedback bundles to a client had, so that what a network lost can be sent again (`/resync`).
struct SentMemory: Sendable {
  private var entries: [(sequence: Int32, address: String)] = []
  /// Index of the oldest entry that is kept.
  private var first = 0
  /// The last bundle that is not known any more.
  private var forgotten: Int32 = 0

  /// Most addresses that are kept: a minute of a busy surface, about 200 kB.
  private static let capacity = 4_096

  mutating func note(_ addresses: some Sequence<String>, in sequence: Int32) {
    for address in addresses { entries.append((sequence, address)) }
    while entries.count - first > Self.capacity {
      forgotten = entries[first].sequence
      first += 1
    }
    // In large steps, because removal at the front costs time.
    if first > entries.count / 2 { (entries, first) = (Array(entries[first...]), 0) }
  }

  /// Keeps nothing of the bundles up to a number.
  mutating func forget(upTo sequence: Int32) { (entries, first, forgotten) = ([], 0, sequence) }

  /// The addresses in all bundles behind a number, each once; nil if they are not all known any more.
  func addresses(after sequence: Int32) -> Set<String>? {
    guard sequence >= forgotten else { return nil }
    return Set(entries[first...].reversed().prefix { $0.sequence > sequence }.map(\.address))
  }
}
