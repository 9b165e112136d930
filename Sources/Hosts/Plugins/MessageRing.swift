import Synchronization

/// A queue of messages between two threads that never wait for each other: one writes, one reads.
///
/// Unchecked: the threads share two atomic counters, and each byte belongs to one of them.
final class MessageRing: @unchecked Sendable {
  private let bytes: UnsafeMutableRawPointer
  private let scratch: UnsafeMutableRawPointer
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)

  /// Bytes for which there is room; a power of two.
  private static let capacity = 65_536

  init() {
    bytes = .allocate(byteCount: Self.capacity, alignment: 16)
    scratch = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit {
    bytes.deallocate()
    scratch.deallocate()
  }

  /// Adds a message; false if there is no room.
  func push(_ message: UnsafeRawPointer?, size: Int) -> Bool {
    let count = written.load(ordering: .relaxed)
    let whole = (size + 8 + 7) & ~7
    guard whole <= Self.capacity - (count - read.load(ordering: .acquiring)) else { return false }
    var head = size
    withUnsafeBytes(of: &head) { copy(in: $0.baseAddress!, count: 8, at: count) }
    if let message { copy(in: message, count: size, at: count + 8) }
    written.store(count + whole, ordering: .releasing)
    return true
  }

  /// Takes the oldest message, which is valid during the call; false if there is none.
  func pop(_ body: (_ size: UInt32, _ message: UnsafeRawPointer) -> Void) -> Bool {
    let count = read.load(ordering: .relaxed)
    guard count != written.load(ordering: .acquiring) else { return false }
    copyOut(count: 8, at: count)
    let size = scratch.load(as: Int.self)
    copyOut(count: size, at: count + 8)
    read.store(count + ((size + 8 + 7) & ~7), ordering: .releasing)
    body(UInt32(size), scratch)
    return true
  }

  private func copy(in source: UnsafeRawPointer, count: Int, at place: Int) {
    let begin = place & (Self.capacity - 1)
    let first = min(count, Self.capacity - begin)
    (bytes + begin).copyMemory(from: source, byteCount: first)
    bytes.copyMemory(from: source + first, byteCount: count - first)
  }

  private func copyOut(count: Int, at place: Int) {
    let begin = place & (Self.capacity - 1)
    let first = min(count, Self.capacity - begin)
    scratch.copyMemory(from: bytes + begin, byteCount: first)
    (scratch + first).copyMemory(from: bytes, byteCount: count - first)
  }
}
