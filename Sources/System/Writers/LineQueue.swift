/// A queue of lines with a limit in bytes. Lines that do not fit are dropped and counted.
struct LineQueue: Sendable {
  /// The most bytes that may wait.
  let room: Int
  private var entries: [LineWriter.Entry] = []
  private var head = 0
  private var bytes = 0
  private var dropped = 0
  /// Set when a line does not fit, cleared when half of the room is free. So a slow reader sees a few long
  /// gaps, not many.
  private var isFull = false
  /// Whether the queue refuses further lines.
  private var isClosed = false

  init(room: Int) { self.room = room }

  /// Whether there is nothing to write.
  var isEmpty: Bool { head == entries.count && dropped == 0 }

  /// Adds a line, given without its line end. Returns false if the line is dropped.
  mutating func add(_ line: String) -> Bool {
    guard !isClosed else { return false }
    guard !isFull, bytes + Self.size(line) <= room else {
      isFull = true
      dropped += 1
      return false
    }
    if dropped > 0 { entries.append(.dropped(dropped)) }
    dropped = 0
    entries.append(.line(line))
    bytes += Self.size(line)
    return true
  }

  /// Refuses further lines.
  mutating func close() { isClosed = true }

  /// Takes the oldest entry; nil if there is none.
  mutating func next() -> LineWriter.Entry? {
    guard head < entries.count else {
      isFull = false
      guard dropped > 0 else { return nil }
      defer { dropped = 0 }
      return .dropped(dropped)
    }
    let entry = entries[head]
    head += 1
    if case .line(let line) = entry { bytes -= Self.size(line) }
    if 2 * bytes <= room { isFull = false }
    // Entries are removed in large steps, so that each line moves only once.
    if 2 * head >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }

  private static func size(_ line: String) -> Int { line.utf8.count + 1 }
}
