import MediaKernel
import Metering
import MixEngine
import SessionModel
import SystemCalls
import Threads

/// Carries out at one server which meters outputs have. Belongs to the policy thread.
///
/// An output without meters has no tap. Loudness and true peak are measured all the time; the other meters only while a client subscribes to
/// meters.
final class MeterKeeper {
  private let rate: Int
  private let tell: @Sendable (PortID, DynamicLibrary.Missing) -> Void
  private var freewheels = false
  /// Begins with the first meter.
  private var thread: MeterThread?
  private var outputs: [PortID: Kept] = [:]
  /// Those that are no longer wanted, each with the plan that is without it; nil until that is published.
  private var leaving: [(output: MeteredOutput, serial: UInt64?)] = []
  /// The outputs as far as they are carried out.
  private var carried = Registry<PortID, Port>()
  /// Whether a client subscribes to meters; false without meters.
  private var isWatched = false

  private struct Kept {
    let output: MeteredOutput
    var resets: Int
  }

  /// - Parameters:
  ///   - rate: frames per second.
  ///   - tell: called on the meters' thread if an output's loudness cannot be measured.
  init(rate: Int, tell: @escaping @Sendable (PortID, DynamicLibrary.Missing) -> Void) {
    (self.rate, self.tell) = (rate, tell)
  }

  /// What the mix has.
  var mix: [PortID: RecorderTapStore] { outputs.isEmpty ? [:] : outputs.mapValues(\.output.store) }

  /// Adds the newest orders for the plan.
  func add(to orders: inout MediaOrders) {
    for kept in outputs.values { orders[kept.output.store] = kept.output.order }
  }

  /// Carries out a state.
  /// - Parameter isWatched: whether a client subscribes to meters; asked only while there are meters.
  /// - Returns: whether there is a new order for the plan.
  func follow(_ state: RouterState, isWatched: @autoclosure () -> Bool) -> Bool {
    let changed = state.outputs.keys(changedSince: carried)
    guard !changed.isEmpty || !outputs.isEmpty else { return false }
    carried = state.outputs
    for id in outputs.keys where state.outputs[id] == nil { leave(id) }
    for id in changed {
      if let port = state.outputs[id] { follow(port) }
    }
    var isNew = false
    let isWatched = !outputs.isEmpty && isWatched()
    self.isWatched = isWatched
    for kept in outputs.values {
      let listens = isWatched || kept.output.meters.contains(where: \.isOfProgramme)
      guard kept.output.order.listens != listens else { continue }
      kept.output.listen(listens)
      isNew = true
    }
    return isNew
  }

  /// Whether `follow` has something to do although the state is the same.
  func mustFollow(isWatched: @autoclosure () -> Bool) -> Bool {
    !outputs.isEmpty && isWatched() != self.isWatched
  }

  private func follow(_ port: Port) {
    let meters = OutputMeter.allCases.filter {
      port.meters.contains($0) && $0.measures(channels: port.channels)
    }
    if let kept = outputs[port.id] {
      guard kept.output.meters == meters, kept.output.store.channelCount == port.channels else {
        leave(port.id)
        return follow(port)
      }
      if kept.resets != port.meterResets {
        outputs[port.id]?.resets = port.meterResets
        kept.output.reset()
      }
    } else if !meters.isEmpty {
      let output = MeteredOutput(
        startedThread, meters: meters, channels: port.channels, sampleRate: rate
      ) { [tell, id = port.id] in tell(id, $0) }
      outputs[port.id] = Kept(output: output, resets: port.meterResets)
    }
  }

  private func leave(_ id: PortID) {
    if let kept = outputs.removeValue(forKey: id) { leaving.append((kept.output, nil)) }
  }

  private var startedThread: MeterThread {
    if let thread { return thread }
    let made = MeterThread()
    made.setFreewheel(freewheels)
    thread = made
    return made
  }

  /// Whether the audio waits for the meters, because no device plays the sound.
  func setFreewheel(_ freewheels: Bool) {
    self.freewheels = freewheels
    thread?.setFreewheel(freewheels)
  }

  /// How often the meters' thread has looked; nil without the thread.
  var passes: Int? { thread?.passTimes.count }

  // MARK: Plans

  /// Whether taps wait until the audio thread has left them.
  var isReleasing: Bool { !leaving.isEmpty }

  /// Notes the serial of a plan that was published after `follow`.
  func notePlan(_ serial: UInt64) {
    for index in leaving.indices where leaving[index].serial == nil { leaving[index].serial = serial }
  }

  /// Closes the meters that no plan has any more. Until then they are read, so that a freewheeling audio thread waits for none.
  func release(adopted: UInt64) {
    leaving.removeAll { output, serial in
      guard let serial, serial <= adopted else { return false }
      output.close()
      return true
    }
  }

  // MARK: Readings

  /// What the meters of each output show.
  func takeReadings() -> [PortID: [MeterValue: [Float]]] {
    outputs.isEmpty ? [:] : outputs.mapValues { $0.output.takeReadings() }
  }
}
