import Synchronization

/// Counts the bytes of all files of a recorder. The writer thread counts them about twice a second, and when a file ends; any thread may read.
public final class WrittenBytes: Sendable {
  private let bytes = Atomic<Int>(0)

  public init() {}

  public var count: Int { bytes.load(ordering: .relaxed) }

  func add(_ more: Int) { bytes.add(more, ordering: .relaxed) }
}
