/// Memory that is freed all at once, when the last plan that needs it has come back from the audio thread.
///
/// Tables that are made together lie together: the audio thread then finds them on few pages.
final class Arena {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// What is left of the last block.
  private var next = UnsafeMutableRawPointer(bitPattern: alignment)!
  private var room = 0

  /// Bytes of a cache line; tables begin on one, so that the audio thread's do not share one with others.
  private static let alignment = 64
  /// Bytes of a block, unless a table is larger.
  private static let blockSize = 4_096

  /// Takes memory for `size` bytes.
  private func take(_ size: Int) -> UnsafeMutableRawPointer {
    let whole = (max(1, size) + Self.alignment - 1) / Self.alignment * Self.alignment
    if whole > room {
      room = max(whole, Self.blockSize)
      next = .allocate(byteCount: room, alignment: Self.alignment)
      blocks.append(next)
    }
    defer {
      next += whole
      room -= whole
    }
    return next
  }

  /// Makes room for `count` values (at least one), all alike. The memory is written at once, so that the audio thread never
  /// waits for its pages.
  func make<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
    take(max(1, count) * MemoryLayout<Value>.stride)
      .initializeMemory(as: Value.self, repeating: value, count: max(1, count))
  }

  /// Makes room for the values of an array and copies them.
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
