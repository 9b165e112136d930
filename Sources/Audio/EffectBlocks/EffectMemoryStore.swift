public import SystemCalls

/// Owns the memory that the router and the effects program share. Each of the two processes has one.
public final class EffectMemoryStore: Sendable {
  /// Who uses the memory; exists as long as this object.
  public let exchange: EffectExchange
  /// The file of the memory, for the other process.
  public let descriptor: Int32
  private let size: Int
  /// Unchecked: it is given back at the end alone.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  /// Makes the memory.
  ///
  /// - Parameter frames: the longest period, at most `EffectLimits.frames`.
  /// - Throws: `SystemError` if the system has no memory left.
  public convenience init(frames: Int) throws(SystemError) {
    let layout = EffectLayout(frames: frames)
    let descriptor = try System.memfd_create("multiroute-effects", size: layout.size())
    try self.init(descriptor, layout)
    Self.initialize(memory)
  }

  /// Uses the memory that the other process has made.
  ///
  /// - Throws: `SystemError`, also if the memory has another size than that for this period.
  public convenience init(descriptor: Int32, frames: Int) throws(SystemError) {
    let layout = EffectLayout(frames: frames)
    guard try System.fstat(descriptor).size == layout.size() else {
      throw SystemError(
        "mmap", .invalidArgument, reason: "the memory is not that of \(frames) frames in this version")
    }
    try self.init(descriptor, layout)
  }

  private init(_ descriptor: Int32, _ layout: EffectLayout) throws(SystemError) {
    (self.descriptor, size) = (descriptor, layout.size())
    do throws(SystemError) { memory = try System.mmap(descriptor, size: size) } catch {
      System.close(descriptor)
      throw error
    }
    exchange = EffectExchange(memory, layout)
  }

  deinit {
    System.munmap(memory, size: size)
    System.close(descriptor)
  }

  /// Writes a chain's part of the memory, so that the audio thread never waits for the system to provide a page. Any thread but the audio
  /// thread, before a plan has the chain.
  ///
  /// - Parameter channels: those of the chain's sound.
  public func touch(chain: Int, channels: Int) {
    let blocks = exchange.chain(chain)
    for channel in 0..<channels {
      blocks.input(channel: channel).update(repeating: 0, count: EffectLimits.circle + blocks.longest)
    }
    for period in 0..<2 {
      for channel in 0..<EffectLimits.sideChannels {
        blocks.side(channel: channel, period: period).update(repeating: 0, count: blocks.longest)
      }
      for channel in 0..<channels {
        blocks.output(channel: channel, period: period).update(repeating: 0, count: blocks.longest)
      }
    }
  }

  private static func initialize(_ memory: UnsafeMutableRawPointer) {
    (memory + EffectLayout.bell).bindMemory(to: EffectBellWords.self, capacity: 1).initialize(to: .init())
    (memory + EffectLayout.program).bindMemory(to: EffectProgramWords.self, capacity: 1).initialize(
      to: .init())
    (memory + EffectLayout.queue).bindMemory(to: EffectQueueWords.self, capacity: 1).initialize(to: .init())
    let threads = EffectThread.all.count
    let activities = (memory + EffectLayout.activities).bindMemory(
      to: EffectActivityWords.self, capacity: threads)
    for thread in 0..<threads { (activities + thread).initialize(to: .init()) }
    for chain in 0..<EffectLimits.chains {
      let base = memory + EffectLayout.chains + chain * EffectLayout.chainStride
      let given = (base + EffectLayout.given).bindMemory(to: EffectGivenWords.self, capacity: 2)
      let made = (base + EffectLayout.made).bindMemory(to: EffectMadeWords.self, capacity: 2)
      for block in 0..<2 {
        (given + block).initialize(to: .init())
        (made + block).initialize(to: .init())
      }
      (base + EffectLayout.chain).bindMemory(to: EffectChainWords.self, capacity: 1).initialize(to: .init())
      let effects = (base + EffectLayout.effects).bindMemory(
        to: EffectWords.self, capacity: EffectLimits.effects)
      for effect in 0..<EffectLimits.effects { (effects + effect).initialize(to: .init()) }
    }
  }
}
