import MixEngine
public import OSC
public import SessionModel
import SessionPolicy
import Surface

/// Renders a show to buffers: the same policy, surface and engine as the live router, with frames as the only clock.
///
/// Not for the audio thread; as fast as the machine allows.
public struct Renderer {
  private var state = RouterState()
  private var surface: Surface
  private var mix: MixKeeper
  private var liveness = Liveness()
  private var handles: [PortKey: PortHandle] = [:]
  private let period: Int
  private let rate: Int
  /// Frames rendered so far.
  public private(set) var frames = 0
  /// What the script's messages were answered, refusals above all.
  public private(set) var answers: [OSCMessage] = []

  /// A line of a script.
  public struct Cue: Equatable, Sendable {
    /// Seconds from the start; in force in the period that contains it.
    public var time: Double
    public var message: OSCMessage
    public init(time: Double, message: OSCMessage) { (self.time, self.message) = (time, message) }
  }

  /// Prepares a show.
  /// - Parameters:
  ///   - events: what a preset comes to.
  ///   - sources: streams that files feed.
  ///   - rate: frames per second.
  ///   - period: frames per period.
  /// - Throws: `SessionError` when an event is refused.
  public init(
    events: (RouterState) -> [Event], sources: [(session: SessionID, stream: StreamID)], rate: Int,
    period: Int
  ) throws(SessionError) {
    (self.rate, self.period) = (rate, period)
    let identity = Surface.Identity(name: "multiroute", version: "", epoch: 0, address: "render")
    surface = Surface(identity: identity) { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    mix = MixKeeper(engine: MixEngine(sampleRate: Double(rate)), rate: Double(rate))
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "render", rate, period)
    server.isOffline = true
    _ = try surface.happen(.server(server), &state, at: 0)
    for event in events(state) { _ = try surface.happen(event, &state, at: 0) }
    _ = try surface.happen(.portsPresent(Self.everything(in: state)), &state, at: 0)
    for (session, stream) in sources {
      guard let known = state.sessions[session] else {
        throw SessionError(.notFound, "there is no session \(session) in the preset")
      }
      guard known.streams[stream] != nil else {
        throw SessionError(.notFound, "there is no stream \(stream) in the session \(session)")
      }
      liveness.streams.insert(StreamAddress(session: session, stream: stream))
    }
    liveness.outputs = Set(state.outputs.keys)
    liveness.captures = Set(state.sessions.keys)
    for (session, _) in sources { _ = try surface.happen(.connected(session, true), &state, at: 0) }
  }

  /// The state now.
  public var snapshot: RouterState { state }

  /// All declared ports, each with all its channels.
  private static func everything(in state: RouterState) -> [PortPresence] {
    [Direction.output, .input].flatMap { direction in
      state[direction].values.filter { $0.channels > 0 }.map { port in
        PortPresence(direction, port.id, members: (1...port.channels).map { "render:\(port.id)_\($0)" })
      }
    }
  }

  /// Renders one period.
  /// - Parameters:
  ///   - cues: the messages whose time lies in it.
  ///   - frames: its length, at most the period.
  ///   - input: gives the samples of a stream's channel (from 1), `frames` long; nil is silence.
  /// - Returns: the samples of every output, channel by channel.
  public mutating func render(
    _ cues: [Cue], frames count: Int, input: (SessionID, StreamID, Int) -> [Float]?
  ) -> [PortID: [[Float]]] {
    let time = Double(frames) / Double(rate)
    for cue in cues {
      let outcome = surface.receive(.message(cue.message), from: Self.script, &state, at: time)
      for case .message(let message) in outcome.datagrams.map(\.packet) { answers.append(message) }
    }
    update(at: time)
    var result: [PortID: [[Float]]] = [:]
    let known = mix.ports.filter { handles[$0] != nil }
    let sources = known.filter(\.isSource).map { key -> [Float]? in
      guard case .stream(let session, let stream, let channel) = key else { return nil }
      return input(session, stream, channel)
    }
    process(known, sources, frames: count) { key, samples in
      if case .output(let port, _) = key { result[port, default: []].append(samples) }
    }
    frames += count
    return result
  }

  private mutating func update(at time: Double) {
    var made = handles
    let provide: MixKeeper.Provide = { ports in
      for key in ports where made[key] == nil { made[key] = PortHandle(rawValue: UInt(made.count + 1)) }
      return made
    }
    _ = mix.update(state, liveness, at: time, margin: period, provide: provide)
    _ = mix.release(at: time, provide: provide)
    if state.outputs.values.contains(where: { $0.delay.isFading(at: time) }) {
      mix.refresh(at: time, provide: provide)
    }
    handles = made
  }

  /// Runs the kernel on buffers of its own.
  private func process(
    _ ports: [PortKey], _ sources: [[Float]?], frames: Int, output: (PortKey, [Float]) -> Void
  ) {
    let sinks = ports.filter { !$0.isSource }
    let storage = UnsafeMutablePointer<Float>.allocate(
      capacity: max(1, (sources.count + sinks.count) * frames))
    defer { storage.deallocate() }
    var inputs: [UnsafePointer<Float>?] = []
    for (index, samples) in sources.enumerated() {
      let buffer = storage + index * frames
      guard let samples else {
        inputs.append(nil)
        continue
      }
      for frame in 0..<frames { buffer[frame] = frame < samples.count ? samples[frame] : 0 }
      inputs.append(UnsafePointer(buffer))
    }
    let outputs = sinks.indices.map { Optional(storage + (sources.count + $0) * frames) }
    mix.engine.process(frames: frames, sources: inputs, sinks: outputs)
    mix.engine.drainTelemetry { _ in }
    for (key, buffer) in zip(sinks, outputs) {
      output(key, Array(UnsafeBufferPointer(start: buffer, count: frames)))
    }
  }

  /// Who the script is to the surface.
  private static let script = PeerAddress(host: PeerAddress.loopbackHost, port: 1)
}
