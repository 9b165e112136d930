/// Memory that is freed as a whole when its owner goes, after the audio thread has given back the last plan that uses it.
///
/// Tables that are made together are next to each other in memory, so that the audio thread touches few pages.
final class Arena {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// The unused part of the last block.
  private var next = UnsafeMutableRawPointer(bitPattern: alignment)!
  private var room = 0

  /// Bytes of a cache line. Every table begins a new line, so that the audio thread shares no line with other threads' data.
  private static let alignment = 64
  /// Bytes of a block; a larger table gets a larger block.
  private let blockSize: Int

  /// - Parameter blockSize: several times the size of a usual table, or much of each block stays unused.
  init(blockSize: Int = 4_096) { self.blockSize = blockSize }

  /// Reserves `size` bytes.
  private func take(_ size: Int) -> UnsafeMutableRawPointer {
    let whole = (max(1, size) + Self.alignment - 1) / Self.alignment * Self.alignment
    if whole > room {
      room = max(whole, blockSize)
      next = .allocate(byteCount: room, alignment: Self.alignment)
      blocks.append(next)
    }
    defer {
      next += whole
      room -= whole
    }
    return next
  }

  /// Makes a table of `count` equal values, at least one. The memory is written here, so that the audio thread never waits for the
  /// system to provide a page.
  func make<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
    take(max(1, count) * MemoryLayout<Value>.stride)
      .initializeMemory(as: Value.self, repeating: value, count: max(1, count))
  }

  /// Makes a table and copies the values of an array into it.
  func make<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let typed = take(values.count * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: max(1, values.count))
    values.withUnsafeBufferPointer { buffer in
      if let first = buffer.baseAddress { typed.initialize(from: first, count: buffer.count) }
    }
    return typed
  }

  deinit { for block in blocks { block.deallocate() } }
}
