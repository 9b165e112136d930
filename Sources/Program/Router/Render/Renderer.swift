public import ControlInterface
import MixEngine
import MixKernel
public import Queues
public import SessionModel
import SessionPolicy

/// Renders a show to buffers, with the law, commands and engine of the live router. The number of frames is its only clock.
///
/// Renders as fast as the machine allows. Not for the audio thread.
public struct Renderer {
  private var state = RouterState()
  private var mix: MixKeeper
  private let media: RenderedMedia
  private let voices = RenderedVoices()
  private let effects: RenderedEffects
  private let find: Find
  private var liveness = Liveness()
  private var handles: [PortKey: PortHandle] = [:]
  private let period: Int
  private let rate: Int
  /// The time of the first frame, in seconds of the state's time.
  private let start: Double
  /// Frames rendered so far.
  public private(set) var frames = 0

  /// Finds the items that the words of a player mean, as the queue gets them.
  public typealias Find = ([String]) -> [QueueItem]

  /// Prepares a show.
  /// - Parameters:
  ///   - events: makes the events of a preset, for a state.
  ///   - sources: streams and inputs that files feed.
  ///   - rate: frames per second.
  ///   - period: frames per period.
  ///   - media: where the sound files of the show's players are.
  ///   - find: finds the items of players.
  /// - Throws: `SessionError` if the law refuses an event, or if the preset lacks one of `sources`.
  public init(
    events: (RouterState) -> [Event], sources: [RenderSource], rate: Int,
    period: Int, media settings: MediaSettings = MediaSettings(), find: @escaping Find = { _ in [] }
  ) throws(SessionError) {
    (self.rate, self.period, start, self.find) = (rate, period, 0, find)
    media = RenderedMedia(settings, rate: rate)
    effects = RenderedEffects(rate: rate)
    mix = MixKeeper(engine: MixEngine(sampleRate: Double(rate)), rate: Double(rate))
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "render", rate, period)
    server.isOffline = true
    try decide(.server(server))
    for event in events(state) { try decide(event) }
    try decide(.portsPresent(state.allPorts))
    for source in sources { try enliven(source) }
    liveness.outputs = Set(state.outputs.keys)
    liveness.captures = Set(state.sessions.keys)
    for case .stream(let session, _) in sources { try decide(.connected(session, true)) }
    findItems(at: 0)
  }

  /// Prepares the sound of a session in a world of its own (`Offline`). Fades that run in this world count as ended.
  init(_ session: OfflineSession, rate: Int, period: Int) {
    (self.rate, self.period, start) = (rate, period, session.time + Control.longestFade)
    (media, find) = (RenderedMedia(MediaSettings(), rate: rate), { _ in [] })
    effects = RenderedEffects(rate: rate)
    mix = MixKeeper(engine: MixEngine(sampleRate: Double(rate)), rate: Double(rate))
    state = session.world
    // The file is all that is heard in this world.
    (state.players, state.recorders) = (Registry(), Registry())
    let streams = state.sessions[session.id]?.streams.keys ?? []
    liveness.streams = Set(streams.map { StreamAddress(session: session.id, stream: $0) })
    liveness.outputs = Set(state.outputs.keys)
  }

  /// Opens the gate of a source.
  private mutating func enliven(_ source: RenderSource) throws(SessionError) {
    switch source {
    case .stream(let session, let stream):
      guard let known = state.sessions[session] else {
        throw SessionError(.notFound, "there is no session \(session) in the preset")
      }
      guard known.streams[stream] != nil else {
        throw SessionError(.notFound, "there is no stream \(stream) in the session \(session)")
      }
      liveness.streams.insert(StreamAddress(session: session, stream: stream))
    case .input(let input):
      guard state.inputs[input] != nil else {
        throw SessionError(.notFound, "there is no input \(input) in the preset")
      }
      liveness.inputs.insert(input)
    }
  }

  /// Decides on an event before the first period.
  private mutating func decide(_ event: Event) throws(SessionError) {
    _ = try Policy.reduce(&state, event, at: 0)
  }

  /// A copy of the present state.
  public var snapshot: RouterState { state }

  /// Why sound of players is missing, or not processed, as sentences.
  public var problems: [String] { media.problems + voices.refusals + effects.problems }

  /// Frames by which effects delay the stream of a session that they delay least.
  func leastDelay(of session: SessionID) -> Int {
    let delays = state.sessions[session]?.streams.values.map(\.insert.latency) ?? []
    return Int(((delays.min() ?? 0) * Double(rate)).rounded())
  }

  /// Why not everything of a session went through all its effects, as a sentence; nil if everything did.
  func effectFault(of session: SessionID) -> String? {
    let streams = state.sessions[session]?.streams.values.map { $0 } ?? []
    let faults = streams.flatMap { $0.insert.faults(of: InsertPlace.stream(session, $0.id).name) }
    return faults.isEmpty ? effects.end : faults.joined(separator: "; ")
  }

  /// Renders one period.
  /// - Parameters:
  ///   - commands: commands to carry out at the start of the period.
  ///   - frames: number of frames to render, at most the period.
  ///   - input: returns `frames` samples of a source's channel; nil is silence. Channels count from 1.
  /// - Returns: the samples of each output and capture, by channel.
  public mutating func render(
    _ commands: [any ControlCommand], frames count: Int, input: (RenderSource, Int) -> [Float]?
  ) -> [RenderSink: [[Float]]] {
    let time = start + Double(frames) / Double(rate)
    state = media.report(into: state, at: time, frame: frames)
    for command in commands { carryOut(command, at: time) }
    if !commands.isEmpty { findItems(at: time) }
    update(at: time)
    var result: [RenderSink: [[Float]]] = [:]
    let known = mix.points.filter { $0.endpoint(handles) != nil }
    let sources = known.filter(\.isSource).map { point -> [Float]? in
      switch point {
      case .port(.stream(let session, let stream, let channel)): input(.stream(session, stream), channel)
      case .port(.input(let port, let channel)): input(.input(port), channel)
      default: nil
      }
    }
    process(known, sources, frames: count) { point, samples in
      switch point {
      case .port(.output(let port, _)): result[.output(port), default: []].append(samples)
      case .port(.capture(let session, _)): result[.capture(session), default: []].append(samples)
      default: break
      }
    }
    frames += count
    return result
  }

  private mutating func carryOut(_ command: some ControlCommand, at time: Double) {
    var command = command
    if command.decide(&state, at: time) != nil { _ = command.answer(state, at: time) { [] } }
    command.finish()
  }

  /// Gives players the items that their words mean. There is no clock that a slow disk could hold up.
  private mutating func findItems(at time: Double) {
    for player in state.players.values where player.search != nil {
      guard let words = player.contents else { continue }
      let items = find(words)
      // A player that is gone or has other words by now needs them no longer.
      _ = try? Policy.reduce(&state, .player(player.id, .queue(.found(items, for: words))), at: time)
    }
  }

  private mutating func update(at time: Double) {
    var made = handles
    let provide: MixKeeper.Provide = { ports in
      for key in ports where made[key] == nil { made[key] = PortHandle(rawValue: UInt(made.count + 1)) }
      return made
    }
    let orders = media.follow(&state, at: time, frame: frames)
    voices.follow(state, rate: rate, period: period, frame: mix.engine.framesProcessed)
    liveness.voices = voices.keeper.gates
    var mixMedia = media.keeper.mix
    effects.follow(state, period: period, frame: mix.engine.framesProcessed)
    if effects.keeper.takeNews() {
      for (place, report) in effects.keeper.reports(state) {
        _ = try? Policy.reduce(&state, .effectsReported(place, report), at: time)
      }
    }
    (mixMedia.voices, mixMedia.effects) = (voices.keeper.mix, effects.keeper.mix)
    let live = orders.isEmpty ? liveness : media.keeper.opening(liveness, in: state)
    _ = mix.update(
      state, live, at: time, margin: period, media: mixMedia, orders: orders, provide: provide)
    effects.keeper.endFadeIn(at: mix.endOfRamp(state, margin: period))
    voices.keeper.endFadeOut(at: mix.endOfRamp(state, margin: period))
    _ = mix.release(at: time, provide: provide)
    mix.slide(at: time)
    media.keeper.release(mix)
    if state.outputs.values.contains(where: { $0.delay.isFading(at: time) }) {
      mix.refresh(at: time, provide: provide)
    }
    handles = made
  }

  /// Runs the engine for one period, with buffers that it allocates.
  private func process(
    _ points: [MixPoint], _ sources: [[Float]?], frames: Int, output: (MixPoint, [Float]) -> Void
  ) {
    let sinks = points.filter { !$0.isSource }
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
    for (point, buffer) in zip(sinks, outputs) {
      output(point, Array(UnsafeBufferPointer(start: buffer, count: frames)))
    }
  }
}
