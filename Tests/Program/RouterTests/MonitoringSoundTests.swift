import Chance
import MixEngine
import MixKernel
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// Compares what every output plays with a sum that is written down here in the plainest way, for random shows with solos, talkbacks and dims.
@Suite struct MonitoringSoundTests {
  /// A sound that enters the mix.
  private static let sources: [PortKey] = [
    .stream("show", "band", 1), .stream("show", "band", 2), .stream("show", "click", 1),
    .stream("pad", "main", 1), .stream("pad", "main", 2), .input("mic", 1),
  ]
  private static let outputs: [(PortID, Int)] = [("usb", 4), ("headphones", 2), ("hall", 2)]

  /// The show: the band, a click, a pad, and a talkback with the microphone.
  private static func show() throws -> RouterState {
    let hall = Show.port("hall", .lineOut, ["Hall:playback_*"], channels: 2)
    let options = SessionConfiguration(category: .multiRoute, options: .mixWithOthers)
    return try Show.state(
      Show.ports + [
        .declarePort(.output, hall), Show.present,
        .portsPresent([PortPresence(.output, "hall", members: ["Hall:playback_1", "Hall:playback_2"])]),
      ] + Show.session + [
        .destination("show", "band", "headphones", .on(true)),
        .createSession("pad", options), .session("pad", .activation(.start)),
        .createStream("pad", "main", channels: 2, placed: false),
        .stream("pad", "main", .sources([.ports(ProgramPorts("Pad:*")!)])),
        .destination("pad", "main", "hall", .on(true)), .destination("pad", "main", "headphones", .on(true)),
        .createSession("talk", options), .createStream("talk", "main", channels: 1, placed: false),
        .stream("talk", "main", .sources([.input("mic", channels: nil)])),
        .session("talk", .talkback(.outputs(["hall"]))), .connected("talk", true), .group("rooms", .create),
        .port(.output, "headphones", .monitor(.on(true))),
        .activate("show"), .activate("pad"),
      ])
  }

  /// An engine that plays constant sounds and follows states.
  private final class Player {
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    private var handles: [PortKey: PortHandle] = [:]
    var liveness = Liveness()
    private let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2_048)

    init() {
      liveness.outputs = ["usb", "headphones", "hall"]
      liveness.inputs = ["mic"]
      liveness.streams = [
        StreamAddress(session: "show", stream: "band"), StreamAddress(session: "show", stream: "click"),
        StreamAddress(session: "pad", stream: "main"), StreamAddress(session: "talk", stream: "main"),
      ]
    }
    deinit { samples.deallocate() }

    private func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }

    func take(_ state: RouterState) { _ = keeper.update(state, liveness, at: 0, margin: 0, provide: provide) }
    func release() { _ = keeper.release(at: 0, provide: provide) }

    /// Plays some frames in which only some sources sound, at a level.
    func play(_ frames: Int, _ level: Float, only: PortKey? = nil) -> [PortKey: [Float]] {
      let (sources, sinks) = (keeper.ports.filter(\.isSource), keeper.ports.filter { !$0.isSource })
      samples.update(repeating: level, count: frames)
      let storage = UnsafeMutablePointer<Float>.allocate(capacity: max(1, sinks.count * frames))
      storage.initialize(repeating: 0, count: sinks.count * frames)
      defer { storage.deallocate() }
      keeper.engine.process(
        frames: frames, sources: sources.map { only == nil || $0 == only ? UnsafePointer(samples) : nil },
        sinks: sinks.indices.map { storage + $0 * frames })
      var heard: [PortKey: [Float]] = [:]
      for (index, key) in sinks.enumerated() {
        heard[key] = Array(UnsafeBufferPointer(start: storage + index * frames, count: frames))
      }
      return heard
    }
  }

  // MARK: Random shows

  private struct Events {
    var chance: SeededGenerator

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &chance)! }

    mutating func next() -> Event {
      let (session, stream): (SessionID, StreamID) = pick([
        ("show", "band"), ("show", "click"), ("pad", "main"), ("talk", "main"),
      ])
      let (output, isOn) = (pick(MonitoringSoundTests.outputs).0, Bool.random(using: &chance))
      let level = ControlMove.set(pick([-90, -12, -6, -3, 0, 2]))
      switch Int.random(in: 0..<25, using: &chance) {
      case 0: return .session(session, .gain(level))
      case 1: return .session(session, .muted(isOn))
      case 2: return .stream(session, stream, .gain(level))
      case 3: return .stream(session, stream, .muted(isOn))
      case 4:
        return .stream(
          session, stream, pick([.never([]), .never([output]), .pan(.set(pick([-1, -0.4, 0, 0.5])))]))
      case 5:
        return .destination(
          session, stream, output,
          pick([.on(isOn), .gain(level), .pan(.set(pick([-1, 0, 0.5]))), .tap(pick(Tap.allCases))]))
      case 6: return .port(.output, output, pick([.gain(level), .muted(isOn), .muted(false)]))
      case 7: return .port(.input, "mic", pick([.gain(level), .muted(isOn)]))
      case 8:
        return .port(
          .output, pick(["headphones", "headphones", "usb"]),
          .monitor(pick([.on(true), .on(isOn), .point(.pfl), .point(.afl), .exclusive(isOn), .level(level)])))
      case 9: return .port(.output, "headphones", .monitor(.dim(pick([-.infinity, -20, 0]))))
      case 10: return isOn ? .activate(session) : .deactivate(session, notifyingOthers: false)
      case 11:
        return pick([
          .session("talk", .talkback(.outputs([output]))),
          .session("talk", .talkback(.outputs(["hall", output]))),
        ])
      case 12: return .session("talk", .talkback(.dim(pick([-30, -20, 0]))))
      case 13...15: return .talkback("talk", isOn)
      case 20: return .session("talk", .talkback(.outputs(isOn ? ["hall"] : [], groups: ["rooms"])))
      case 21:
        return .group("rooms", .set(.members([GroupPattern(isOn ? "output:\(output)" : "output:h*")!])))
      case 16: return .clearSolos
      case 17: return .solo(.output(output), isOn)
      case 18: return .solo(.input("mic"), isOn)
      case 19, 22: return .soloSend(SoloedSend(session, stream, to: output), isOn)
      default:
        return .solo(
          isOn ? .session(session) : .stream(session, stream), Int.random(in: 0..<4, using: &chance) > 0)
      }
    }
  }

  // MARK: The plain sum

  /// What an output channel plays of a source that is 1.
  private struct Sum {
    let state: RouterState
    let source: PortKey

    func gain(_ level: Control) -> Float { Decibels(level.target).amplitude }

    /// The channels of a stream that the source feeds, with the gain of the source itself.
    func channels(_ session: Session, _ stream: SessionStream) -> [Int] {
      switch source {
      case .stream(session.id, stream.id, let channel): [channel]
      case .input(let id, _): stream.takesInput(id) ? Array(1...stream.channels) : []
      default: []
      }
    }

    var input: Float {
      guard case .input(let id, _) = source, let port = state.inputs[id] else { return 1 }
      return port.isMuted ? 0 : gain(port.gain)
    }

    func balance(_ pan: Control, _ side: Int) -> Float {
      Float(min(1, 1 + (side == 0 ? -1 : 1) * pan.target))
    }

    /// The channels that a stream's channel goes to by default: mono to two.
    func places(_ stream: SessionStream, _ channel: Int) -> [Int] {
      stream.channels == 1 ? [1, 2] : [channel]
    }

    /// What a stream sends to an output channel, at a tap, without the gate of its session.
    func tapped(_ session: Session, _ stream: SessionStream, _ tap: Tap, to channel: Int) -> Float {
      var sum: Float = 0
      for own in channels(session, stream) where places(stream, own).contains(channel) {
        var level = input
        if tap != .input, session.isMuted || stream.isMuted { level = 0 }
        if tap == .post {
          level *= gain(session.gain) * gain(stream.gain)
          level *= balance(stream.pan, channel - 1)
        }
        sum += level
      }
      return sum
    }

    /// What an output's own streams send to it.
    func own(_ output: PortID, _ channel: Int, for listener: PortID? = nil) -> Float {
      var sum: Float = 0
      for session in state.sessions.values where session.isActive && session.route.outputs.contains(output) {
        for stream in session.streams.values {
          guard let send = stream.destinations[output], send.isOn, !stream.isGuarded(against: output) else {
            continue
          }
          if let listener, stream.isGuarded(against: listener) { continue }
          let alone = state.monitoring.sends.filter { $0.output == output }
          guard alone.isEmpty || alone.contains(where: { $0.session == session.id && $0.stream == stream.id })
          else { continue }
          sum +=
            tapped(session, stream, send.tap, to: channel) * gain(send.gain)
            * balance(send.pan, channel - 1)
        }
      }
      return sum
    }

    /// Whether a talkback names an output, or a group of which the output is a member.
    func hears(_ session: Session, _ output: PortID) -> Bool {
      session.talkback.outputs.contains(output)
        || session.talkback.groups.contains { group in
          state.groups[group]?.members.contains { member in
            member.text == "output:\(output)" || member.text == "output:h*" && output.name.hasPrefix("h")
          } ?? false
        }
    }

    /// What an open talkback sends to an output.
    func talk(_ output: PortID, _ channel: Int, for listener: PortID? = nil) -> Float {
      var sum: Float = 0
      for session in state.sessions.values where state.monitoring.isOpen(session.id) {
        for stream in session.streams.values {
          guard hears(session, output), !stream.isGuarded(against: output) else {
            continue
          }
          if let listener, stream.isGuarded(against: listener) { continue }
          sum += tapped(session, stream, .post, to: channel)
        }
      }
      return sum
    }

    /// The dim of all but the talkbacks that an output hears.
    func talkDim(_ output: PortID) -> Float {
      var dim = 0.0
      let microphone = Sum(state: state, source: .input("mic", 1))
      for session in state.sessions.values where state.monitoring.isOpen(session.id) {
        let isHeard = session.streams.values.contains { stream in
          !stream.isGuarded(against: output) && gain(session.gain) * gain(stream.gain) > 0
            && !session.isMuted && !stream.isMuted && microphone.input > 0
        }
        if isHeard, hears(session, output) { dim = min(dim, session.talkback.dim) }
      }
      return Decibels(dim).amplitude
    }

    /// What is soloed, at a monitor output; nil if nothing is.
    func solo(_ monitor: Port, _ channel: Int) -> Float? {
      guard monitor.monitor.isOn else { return nil }
      let (isPFL, id) = (monitor.monitor.point == .pfl, monitor.id)
      var (isAny, sum): (Bool, Float) = (false, 0)
      for session in state.sessions.values {
        for stream in session.streams.values where !stream.isGuarded(against: id) {
          guard state.isSoloed(.session(session.id)) || state.isSoloed(.stream(session.id, stream.id)) else {
            continue
          }
          isAny = true
          if isPFL {
            sum += tapped(session, stream, .input, to: channel)
          } else if session.isActive {
            sum += tapped(session, stream, .post, to: channel)
          }
        }
      }
      let keeps = state.sessions.values.contains { session in
        session.streams.values.contains { $0.takesInput("mic") && $0.isGuarded(against: id) }
      }
      if state.isSoloed(.input("mic")), !keeps {
        isAny = true
        if case .input = source { sum += isPFL ? 1 : input }
      }
      for output in state.outputs.values where output.id != id && state.isSoloed(.output(output.id)) {
        isAny = true
        for place in 1...output.channels where (place - 1) % 2 + 1 == channel {
          var level = own(output.id, place, for: id) * talkDim(output.id)
          // Another monitor output that began to be one later is soloed without its solos.
          if output.monitor.isOn, Sum(state: state, source: source).solo(output, 1) != nil {
            level *= Decibels(output.monitor.dim).amplitude
          }
          level += talk(output.id, place, for: id)
          level *= output.isMuted ? 0 : gain(output.gain)
          sum += level * Float(1 / Double(output.channels / 2).squareRoot())
        }
      }
      return isAny ? sum * gain(monitor.monitor.level) * talkDim(id) : nil
    }

    func heard(_ output: PortID, _ channel: Int) -> Float {
      guard let port = state.outputs[output], !port.isMuted else { return 0 }
      var level = own(output, channel) * talkDim(output)
      if channel <= 2, let solo = solo(port, channel) {
        level = level * Decibels(port.monitor.dim).amplitude + solo
      } else if solo(port, 1) != nil {
        level *= Decibels(port.monitor.dim).amplitude
      }
      return (level + talk(output, channel)) * gain(port.gain)
    }
  }

  /// One source sounds so loud, and all of them together stay far below the limiter.
  private static let loudness: Float = 0.01

  @Test(
    "Every output plays what the plain sum says, and no change steps", arguments: 0..<Soak.count(2, of: 12))
  func sums(_ seed: UInt64) throws {
    let player = Player()
    var (state, events) = (try Self.show(), Events(chance: SeededGenerator(seed: seed)))
    player.take(state)
    _ = player.play(2_000, Self.loudness)
    var (accepted, soloed, spoken) = (0, 0, 0)
    for step in 0..<400 {
      let event = events.next()
      guard (try? Policy.reduce(&state, event, at: Double(step))) != nil else { continue }
      accepted += 1
      (soloed, spoken) = (
        soloed + (state.monitoring.solos.isEmpty ? 0 : 1),
        spoken + (state.monitoring.talkbacks.isEmpty ? 0 : 1)
      )
      let before = player.play(1, Self.loudness)
      player.take(state)
      // All ramps take 960 frames, after which what has faded out is taken away.
      let change = player.play(1_024, Self.loudness)
      player.release()
      let after = player.play(64, Self.loudness)
      for (key, samples) in change {
        let all = (before[key] ?? []) + samples + (after[key] ?? [])
        let range = (all.max() ?? 0) - (all.min() ?? 0)
        let steepest = zip(all, all.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        // The steepest frame of a product of raised cosines; a step would be the whole range.
        #expect(
          steepest <= range * 0.02 + 1e-6, "\(key.name) steps by \(steepest) of \(range) after \(event)")
      }
      for source in Self.sources {
        let heard = player.play(8, Self.loudness, only: source)
        let sum = Sum(state: state, source: source)
        for (output, channels) in Self.outputs {
          for channel in 1...channels {
            let expected = sum.heard(output, channel)
            let level = (heard[.output(output, channel)]?.last ?? 0) / Self.loudness
            #expect(
              abs(level - expected) <= 1e-4 * max(1, expected),
              "\(source.name) at \(output) \(channel) is \(level), not \(expected), after \(event)")
          }
        }
      }
    }
    // The positive control: much was soloed and spoken.
    #expect(accepted > 200 && soloed > 50 && spoken > 50, "\(accepted) \(soloed) \(spoken)")
  }

  @Test(
    "A show without monitor outputs and talkbacks has no stage for them, and one with them makes none at a press"
  )
  func cost() throws {
    let state = try Show.standard()
    let levels = LevelBuilder.levels(of: state, Liveness(), at: 0)
    let rows = TopologyBuilder.topology(of: state).cells.flatMap(\.key.row.stages)
    let isMonitoring = { (key: StageKey) in
      switch key {
      case .soloDim, .soloLevel, .talkbackGate, .talkbackDim: true
      default: false
      }
    }
    #expect(!rows.contains(where: isMonitoring) && !levels.stages.keys.contains(where: isMonitoring))
    var show = try Self.show()
    let topology = TopologyBuilder.topology(of: show)
    _ = try Policy.reduce(&show, .talkback("talk", true), at: 0)
    #expect(TopologyBuilder.topology(of: show) == topology)
  }
}
