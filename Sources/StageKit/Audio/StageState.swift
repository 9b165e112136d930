import JackClient
import Synchronization

/// What the process callback of a simulated client works on; lives behind a pointer from open to close.
struct StageState: ~Copyable {
  /// How many readers can listen to the inputs at the same time.
  static var tapLimit: Int { @_noLocks get { 4 } }

  let cycle: UnsafeMutablePointer<JackCycle>
  let inputs: UnsafeMutablePointer<JackPort>
  let inputCount: Int
  let outputs: UnsafeMutablePointer<JackPort>
  let outputCount: Int
  /// One per output; nil only before the first is given.
  let generators: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<SignalGenerator>?>>
  let taps: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<SampleRing>?>>

  init(cycle: UnsafeMutablePointer<JackCycle>, inputs: [JackPort], outputs: [JackPort]) {
    self.cycle = cycle
    (inputCount, outputCount) = (inputs.count, outputs.count)
    self.inputs = .allocate(capacity: max(1, inputs.count))
    self.outputs = .allocate(capacity: max(1, outputs.count))
    for (index, port) in inputs.enumerated() { (self.inputs + index).initialize(to: port) }
    for (index, port) in outputs.enumerated() { (self.outputs + index).initialize(to: port) }
    generators = .allocate(capacity: max(1, outputs.count))
    for index in 0..<outputs.count { (generators + index).initialize(to: Atomic(nil)) }
    taps = .allocate(capacity: Self.tapLimit)
    for index in 0..<Self.tapLimit { (taps + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    for index in 0..<outputCount { Self.free(generators[index].load(ordering: .acquiring)) }
    generators.deinitialize(count: outputCount)
    generators.deallocate()
    taps.deinitialize(count: Self.tapLimit)
    taps.deallocate()
    inputs.deallocate()
    outputs.deallocate()
  }

  static func free(_ generator: UnsafeMutablePointer<SignalGenerator>?) {
    guard let generator else { return }
    generator.deinitialize(count: 1)
    generator.deallocate()
  }

  /// Plays the outputs and shows the inputs to whoever listens.
  @_noLocks func process(frames: UInt32) {
    let time = cycle.pointee.enter(frames: frames)
    for index in 0..<outputCount {
      guard let buffer = JackCalls.buffer(of: outputs[index], frames: frames),
        let generator = generators[index].load(ordering: .sequentiallyConsistent)
      else { continue }
      generator.pointee.render(into: buffer, frames: Int(frames))
    }
    for index in 0..<Self.tapLimit {
      if let ring = taps[index].load(ordering: .sequentiallyConsistent) {
        feed(ring, time: time, frames: frames)
      }
    }
    cycle.pointee.leave(frames: frames)
  }

  @_noLocks private func feed(_ ring: UnsafeMutablePointer<SampleRing>, time: UInt32, frames: UInt32) {
    guard ring.pointee.begin(time: time, frames: Int(frames)) else { return }
    for channel in 0..<inputCount {
      if let buffer = JackCalls.buffer(of: inputs[channel], frames: frames) {
        ring.pointee.write(channel: channel, from: buffer, frames: Int(frames))
      }
    }
    ring.pointee.end(frames: Int(frames))
  }
}

/// The process callback of every simulated client.
@c @_noLocks func processStage(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { argument.assumingMemoryBound(to: StageState.self).pointee.process(frames: frames) }
  return 0
}
