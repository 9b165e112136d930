/// Memory that is freed all at once, when the last plan that needs it has come back from the audio thread.
final class Arena {
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Bytes of a cache line; tables begin on one, so that the audio thread's do not share one with others.
  private static let alignment = 64

  /// Makes room for `count` values (at least one), all alike. The memory is written at once, so that the audio thread never
  /// waits for its pages.
  func make<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
    let size = max(1, count) * MemoryLayout<Value>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
    blocks.append(block)
    return block.initializeMemory(as: Value.self, repeating: value, count: max(1, count))
  }

  /// Makes room for the values of an array and copies them.
  func make<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let size = max(1, values.count) * MemoryLayout<Value>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
    blocks.append(block)
    let typed = block.bindMemory(to: Value.self, capacity: max(1, values.count))
    values.withUnsafeBufferPointer { buffer in
      if let first = buffer.baseAddress { typed.initialize(from: first, count: buffer.count) }
    }
    return typed
  }

  deinit { for block in blocks { block.deallocate() } }
}
