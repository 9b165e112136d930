import JackClient
import MixKernel
import Synchronization
import SystemCalls

/// A JACK client that plays signals from its outputs and whose inputs can be recorded: a simulated device or program.
///
/// One thread at a time may use it. Unplugging closes the client; plugging in opens it again under the same name.
public final class SimulatedClient {
  /// The ports of a client.
  public struct Layout: Sendable {
    /// Names of the ports that sound goes into.
    public var inputs: [String]
    /// Names of the ports that sound comes out of.
    public var outputs: [String]
    /// Whether the ports are physical and terminal, like a device's.
    public var isDevice: Bool
    /// Latencies in frames that the device declares for its outputs (capture) and its inputs (playback).
    public var captureLatency = 0
    public var playbackLatency = 0
    /// Whether the client has the latencies of its neighbours, as JACK gives them to a client that declares none of its own.
    public var passesLatencies = false

    public init(inputs: [String] = [], outputs: [String] = [], isDevice: Bool) {
      (self.inputs, self.outputs, self.isDevice) = (inputs, outputs, isDevice)
    }
  }

  public let name: String
  public let layout: Layout
  /// The signal of each output.
  public private(set) var signals: [Signal]
  private let server: String?
  private var plugged: Plugged?
  /// The taps of all listeners. They get the inputs' samples while the client is plugged in.
  private var taps: [UnsafeMutablePointer<ListenerTap>] = []
  /// The rooms that the microphones hear and the loudspeakers play in.
  private var (heardRoom, playedRoom): (Room?, Room?)

  /// The objects that exist only while the client is plugged in.
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

  /// Opens the client and starts all its signals from their first frame. If it is plugged in already, nothing happens.
  ///
  /// - Throws: `StageError.jack`.
  public func plug() throws(StageError) {
    guard plugged == nil else { return }
    do throws(JackError) {
      // A device is recognised by its name, so the server must not choose another one.
      let client = try JackClient(name: name, server: server, exactName: true)
      let extra: JackPortKind = layout.isDevice ? [.physical, .terminal] : []
      var (inputs, outputs): ([PortHandle], [PortHandle]) = ([], [])
      for port in layout.inputs { inputs.append(try client.registerPort(port, extra.union(.input))) }
      for port in layout.outputs { outputs.append(try client.registerPort(port, extra.union(.output))) }
      let state = UnsafeMutablePointer<StageState>.allocate(capacity: 1)
      state.initialize(to: StageState(cycle: client.cycle, inputs: inputs, outputs: outputs))
      plugged = Plugged(client: client, state: state)
      for (index, signal) in signals.enumerated() { exchange(signal, at: index) }
      for tap in taps { place(tap) }
      placeInRooms()
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

  /// Makes the server process periods as fast as it can (freewheel), or in real time again.
  ///
  /// - Throws: `StageError.jack`; `notPlugged` if the client is unplugged.
  public func setFreewheel(_ on: Bool) throws(StageError) {
    guard let plugged else { throw .notPlugged(name) }
    do throws(JackError) { try plugged.client.setFreewheel(on) } catch { throw .jack(error) }
  }

  private func latencies(inputs: [PortHandle], outputs: [PortHandle]) -> JackLatencyMap {
    guard !layout.passesLatencies else {
      return JackLatencyMap(
        capture: outputs.map { .init(port: $0, paths: inputs.map { .init(from: $0, extra: 0) }) },
        playback: inputs.map { .init(port: $0, paths: outputs.map { .init(from: $0, extra: 0) }) })
    }
    return JackLatencyMap(
      capture: outputs.map { .init(port: $0, fixed: layout.captureLatency) },
      playback: inputs.map { .init(port: $0, fixed: layout.playbackLatency) })
  }

  /// Closes the client, with its ports and their connections. Readers get no samples until it is plugged in again.
  public func unplug() {
    guard let plugged else { return }
    self.plugged = nil
    plugged.client.close()
    plugged.state.deinitialize(count: 1)
    plugged.state.deallocate()
  }

  /// Replaces the signal of one output, counted from 0. The new signal begins with its first frame in the next period.
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

  /// Lets the microphones hear a room from the next period on. A client is in one room at most, from then on.
  func hear(_ room: Room) { place(heard: room, played: playedRoom) }

  /// Lets the loudspeakers play in a room from the next period on.
  func play(in room: Room) { place(heard: heardRoom, played: room) }

  /// Puts the client into rooms. Those that it leaves are freed when the audio thread cannot use them any more.
  private func place(heard: Room?, played: Room?) {
    let left = (heardRoom, playedRoom)
    (heardRoom, playedRoom) = (heard, played)
    placeInRooms()
    if let plugged { Self.waitOutside(plugged.client.cycle) }
    withExtendedLifetime(left) {}
  }

  private func placeInRooms() {
    plugged?.state.pointee.heardRoom.store(heardRoom?.space, ordering: .sequentiallyConsistent)
    plugged?.state.pointee.playedRoom.store(playedRoom?.space, ordering: .sequentiallyConsistent)
  }

  /// Waits until the audio thread cannot use an object any more that was replaced before the call.
  private static func waitOutside(_ cycle: UnsafeMutablePointer<JackCycle>) {
    let before = cycle.pointee.cycles
    while cycle.pointee.isInside, cycle.pointee.cycles == before { System.sleep(seconds: 0.0001) }
  }

  // MARK: Listening

  /// Frames that the client has processed since it was plugged in; nil while it is unplugged.
  public var framesProcessed: Int? { plugged?.client.cycle.pointee.frames }

  /// The server's rate in Hz; nil while unplugged.
  public var sampleRate: Int? { plugged?.client.sampleRate }

  /// Copies the inputs into a tap's ring from the next period on, and again whenever the client is plugged in again.
  func attach(_ tap: UnsafeMutablePointer<ListenerTap>) throws(StageError) {
    guard plugged != nil else { throw .notPlugged(name) }
    guard taps.count < StageState.tapLimit else { throw .tooManyReaders(device: name) }
    taps.append(tap)
    place(tap)
  }

  /// Removes a tap. When this returns, the audio thread does not use the tap any more.
  func detach(_ tap: UnsafeMutablePointer<ListenerTap>) {
    taps.removeAll { $0 == tap }
    guard let plugged else { return }
    for index in 0..<StageState.tapLimit {
      _ = plugged.state.pointee.taps[index].compareExchange(
        expected: tap, desired: nil, ordering: .sequentiallyConsistent)
    }
    Self.waitOutside(plugged.client.cycle)
  }

  /// Makes a tap known to the audio thread.
  private func place(_ tap: UnsafeMutablePointer<ListenerTap>) {
    guard let plugged else { return }
    for index in 0..<StageState.tapLimit {
      let free = plugged.state.pointee.taps[index].compareExchange(
        expected: nil, desired: tap, ordering: .sequentiallyConsistent)
      if free.exchanged { return }
    }
  }
}
