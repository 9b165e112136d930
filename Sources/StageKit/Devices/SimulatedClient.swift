import Glibc
import JackClient
import Synchronization

/// A JACK client that plays signals from its outputs and lets its inputs be recorded: what devices and sources are made of.
///
/// Belongs to one thread at a time. Unplugging closes the client, plugging in opens it anew under the same name.
public final class SimulatedClient {
  /// What the client is made of.
  public struct Layout: Sendable {
    /// Names of the ports that sound goes into.
    public var inputs: [String]
    /// Names of the ports that sound comes out of.
    public var outputs: [String]
    /// Whether the ports look like a device's.
    public var isDevice: Bool
    /// Latency the device declares for its outputs (capture) and inputs (playback), in frames.
    public var captureLatency = 0
    public var playbackLatency = 0

    public init(inputs: [String] = [], outputs: [String] = [], isDevice: Bool) {
      (self.inputs, self.outputs, self.isDevice) = (inputs, outputs, isDevice)
    }
  }

  public let name: String
  public let layout: Layout
  /// One per output.
  public private(set) var signals: [Signal]
  private let server: String?
  private var plugged: Plugged?
  /// Rings that listen to the inputs, whenever the client is plugged in.
  private var rings: [UnsafeMutablePointer<SampleRing>] = []

  /// What exists only while the client is plugged in.
  private struct Plugged {
    var client: JackClient
    var state: UnsafeMutablePointer<StageState>
  }

  /// Plugs the client in.
  ///
  /// - Throws: `StageError.jack`, also if the name is taken.
  public init(name: String, server: String?, layout: Layout, signals: [Signal]) throws(StageError) {
    precondition(signals.count == layout.outputs.count)
    (self.name, self.server, self.layout, self.signals) = (name, server, layout, signals)
    try plug()
  }

  deinit { unplug() }

  public var isPlugged: Bool { plugged != nil }

  /// Opens the client and starts all its signals from their first frame; nothing happens if it is plugged in.
  ///
  /// - Throws: `StageError.jack`.
  public func plug() throws(StageError) {
    guard plugged == nil else { return }
    do throws(JackError) {
      // The name is what makes a device the same device again, so none but this will do.
      let client = try JackClient(name: name, server: server, exactName: true)
      let extra: JackPortKind = layout.isDevice ? [.physical, .terminal] : []
      var (inputs, outputs): ([JackPort], [JackPort]) = ([], [])
      for port in layout.inputs { inputs.append(try client.registerPort(port, extra.union(.input))) }
      for port in layout.outputs { outputs.append(try client.registerPort(port, extra.union(.output))) }
      let state = UnsafeMutablePointer<StageState>.allocate(capacity: 1)
      state.initialize(to: StageState(cycle: client.cycle, inputs: inputs, outputs: outputs))
      plugged = Plugged(client: client, state: state)
      for (index, signal) in signals.enumerated() { exchange(signal, at: index) }
      for ring in rings { place(ring) }
      do throws(JackError) {
        try client.setProcess(processStage, state)
        try client.activate()
        try client.publishLatencies(latencies(inputs: inputs, outputs: outputs))
      } catch {
        unplug()
        throw error
      }
    } catch {
      throw .jack(error)
    }
  }

  private func latencies(inputs: [JackPort], outputs: [JackPort]) -> JackLatencyMap {
    JackLatencyMap(
      capture: outputs.map { .init(port: $0, fixed: layout.captureLatency) },
      playback: inputs.map { .init(port: $0, fixed: layout.playbackLatency) })
  }

  /// Closes the client; its ports and their connections are gone. Listeners hear nothing until it is back.
  public func unplug() {
    guard let plugged else { return }
    self.plugged = nil
    plugged.client.close()
    plugged.state.deinitialize(count: 1)
    plugged.state.deallocate()
  }

  /// Replaces what one output plays, counted from 0, from the next period on and from the signal's first frame.
  ///
  /// - Throws: `StageError.noChannel`.
  public func play(_ signal: Signal, at output: Int) throws(StageError) {
    guard signals.indices.contains(output) else { throw .noChannel(output + 1, device: name) }
    signals[output] = signal
    exchange(signal, at: output)
  }

  private func exchange(_ signal: Signal, at output: Int) {
    guard let plugged else { return }
    let fresh = UnsafeMutablePointer<SignalGenerator>.allocate(capacity: 1)
    fresh.initialize(to: SignalGenerator(signal, sampleRate: plugged.client.sampleRate))
    let old = plugged.state.pointee.generators[output].exchange(
      fresh, ordering: .sequentiallyConsistent)
    Self.waitOutside(plugged.client.cycle)
    StageState.free(old)
  }

  /// Returns when the audio thread can no longer hold what was exchanged before the call.
  private static func waitOutside(_ cycle: UnsafeMutablePointer<JackCycle>) {
    let before = cycle.pointee.cycles
    while cycle.pointee.isInside, cycle.pointee.cycles == before { usleep(100) }
  }

  // MARK: Listening

  /// Frames the client has processed since it was plugged in; nil while it is not.
  public var framesProcessed: Int? { plugged?.client.cycle.pointee.frames }

  /// The server's rate in Hz; nil while unplugged.
  public var sampleRate: Int? { plugged?.client.sampleRate }

  /// Lets a ring listen to the inputs from the next period on, and again after the client was unplugged and is back.
  func attach(_ ring: UnsafeMutablePointer<SampleRing>) throws(StageError) {
    guard plugged != nil else { throw .notPlugged(name) }
    guard rings.count < StageState.tapLimit else { throw .tooManyReaders(device: name) }
    rings.append(ring)
    place(ring)
  }

  /// Takes a ring away; the audio thread no longer touches it when this returns.
  func detach(_ ring: UnsafeMutablePointer<SampleRing>) {
    rings.removeAll { $0 == ring }
    guard let plugged else { return }
    for index in 0..<StageState.tapLimit {
      _ = plugged.state.pointee.taps[index].compareExchange(
        expected: ring, desired: nil, ordering: .sequentiallyConsistent)
    }
    Self.waitOutside(plugged.client.cycle)
  }

  /// Shows a ring to the audio thread.
  private func place(_ ring: UnsafeMutablePointer<SampleRing>) {
    guard let plugged else { return }
    for index in 0..<StageState.tapLimit {
      let free = plugged.state.pointee.taps[index].compareExchange(
        expected: nil, desired: ring, ordering: .sequentiallyConsistent)
      if free.exchanged { return }
    }
  }
}
