import JackClient
import MixKernel
import Synchronization

/// The state of the process callback of a simulated client. It exists from the client's opening to its closing.
struct StageState: ~Copyable {
  /// Greatest number of listeners to the inputs at the same time.
  static var tapLimit: Int { @_noLocks get { 4 } }

  let cycle: UnsafeMutablePointer<JackCycle>
  let inputs: UnsafeMutablePointer<PortHandle>
  let inputCount: Int
  let outputs: UnsafeMutablePointer<PortHandle>
  let outputCount: Int
  /// One generator for each output; nil until the first signal is set.
  let generators: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<SignalGenerator>?>>
  let taps: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<ListenerTap>?>>
  /// The room that the outputs, as microphones, hear, and the one that the inputs, as loudspeakers, play in; nil for none.
  let heardRoom = Atomic<UnsafeMutablePointer<EchoRoom>?>(nil)
  let playedRoom = Atomic<UnsafeMutablePointer<EchoRoom>?>(nil)

  init(cycle: UnsafeMutablePointer<JackCycle>, inputs: [PortHandle], outputs: [PortHandle]) {
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

  /// Fills the outputs of one period, and copies the inputs into the rings of all listeners.
  @_noLocks func process(frames: UInt32) {
    let time = cycle.pointee.enter(frames: frames)
    for index in 0..<outputCount {
      guard let buffer = JackCalls.buffer(of: outputs[index], frames: frames),
        let generator = generators[index].load(ordering: .sequentiallyConsistent)
      else { continue }
      generator.pointee.render(into: buffer, frames: Int(frames))
      heardRoom.load(ordering: .sequentiallyConsistent)?.pointee.add(
        to: buffer, frames: Int(frames), at: time)
    }
    if let room = playedRoom.load(ordering: .sequentiallyConsistent) {
      for index in 0..<inputCount {
        guard let buffer = JackCalls.buffer(of: inputs[index], frames: frames) else { continue }
        room.pointee.play(buffer, frames: Int(frames), at: time, isFirst: index == 0)
      }
    }
    for index in 0..<Self.tapLimit {
      if let tap = taps[index].load(ordering: .sequentiallyConsistent) {
        feed(tap, time: time, frames: frames)
      }
    }
    cycle.pointee.leave(frames: frames)
  }

  @_noLocks private func feed(_ tap: UnsafeMutablePointer<ListenerTap>, time: UInt32, frames: UInt32) {
    guard tap.pointee.begin(time: time, frames: Int(frames)) else { return }
    for channel in 0..<inputCount {
      if let buffer = JackCalls.buffer(of: inputs[channel], frames: frames) {
        tap.pointee.write(channel: channel, from: buffer, frames: Int(frames))
      }
    }
    tap.pointee.end(frames: Int(frames))
  }
}

/// The process callback of every simulated client.
@c @_noLocks func processStage(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { argument.assumingMemoryBound(to: StageState.self).pointee.process(frames: frames) }
  return 0
}
