import Chance
import SessionModel
import SessionPolicy
import Testing

/// Makes events of all kinds about few things, so that they meet.
struct EventSource {
  private var generator: SeededGenerator
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let sessions: [SessionID] = ["a", "b", "c"]
  private static let streams: [StreamID] = ["main", "click"]
  private static let ports: [PortID] = ["usb", "phones", "hdmi", "speaker", "radio"]
  private static let types: [PortType] = [.usbAudio, .headphones, .hdmi, .builtInSpeaker, .bluetoothA2DP]

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &generator)!
  }
  private mutating func chance() -> Bool { Bool.random(using: &generator) }
  private mutating func level() -> Double { Double(Int.random(in: -90...10, using: &generator)) }
  private mutating func move() -> ControlMove {
    pick([.set(level()), .fade(level(), over: 3), .stop, .store(level())])
  }
  private mutating func direction() -> Direction { chance() ? .output : .input }
  private mutating func configuration() -> SessionConfiguration {
    SessionConfiguration(
      category: pick(Category.allCases), mode: pick([.default, .default, .default, .voiceChat]),
      options: pick([[], [], .mixWithOthers, .duckOthers, .allowAirPlay]))
  }

  mutating func next() -> Event {
    let (session, stream, port) = (pick(Self.sessions), pick(Self.streams), pick(Self.ports))
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return .createSession(session, configuration())
    case 1: return chance() && chance() ? .removeSession(session) : .activate(session)
    case 2: return .configure(session, configuration())
    case 3: return .activate(session)
    case 4: return .deactivate(session, notifyingOthers: chance())
    case 5:
      return .session(
        session,
        pick([
          .gain(move()), .muted(chance()), .activation(pick(Activation.allCases)),
          .preferredOutput(chance() ? port : nil),
        ]))
    case 6, 7:
      return .createStream(
        session, stream, channels: Int.random(in: 0...4, using: &generator), placed: chance())
    case 8: return chance() ? .removeStream(session, stream) : .stream(session, stream, .muted(chance()))
    case 9: return .stream(session, stream, .never(chance() ? [port] : [port, pick(Self.ports)]))
    case 10, 11:
      let text = pick(["\(port)", "\(port)=-6,usb", "\(port):1-2", "phones,hdmi", "none", "nowhere"])
      return (try? StreamRoute(text)).map { .stream(session, stream, .route($0)) } ?? .activate(session)
    case 12:
      return .destination(
        session, stream, port,
        pick([.on(chance()), .gain(move()), .channels(.range(1...2)), .tap(pick(Tap.allCases))]))
    case 13: return .captureSession(session, pick(Self.sessions), pick([.on(chance()), .gain(move())]))
    case 14: return .captureInput(session, port, pick([.on(chance()), .gain(move())]))
    case 15:
      return .port(
        direction(), port, pick([.gain(move()), .muted(chance()), .plugged(chance()), .automatic(chance())]))
    case 16:
      var declared = Port(
        id: port, name: port.name, type: Self.types[Self.ports.firstIndex(of: port)!], globs: [], channels: 2)
      declared.isNamedByPreset = chance()
      return .declarePort(direction(), declared)
    case 17:
      if chance(), chance() { return .forgetPort(direction(), port) }
      return .portsPresent([
        PortPresence(direction(), port, members: chance() ? ["x:1", "x:2"] : [nil, nil])
      ])
    case 18: return .connected(session, chance())
    default:
      var server = ServerState()
      server.isRunning = chance() || chance()
      return pick([.server(server), .router(.panic(chance())), .router(.fadeCurve(pick(FadeCurve.allCases)))])
    }
  }
}

@Suite("Whatever happens")
struct RandomEventTests {
  static let length = 1_500

  @Test(
    "A refused event changes nothing, guards hold, and each affected session is told of one route",
    arguments: 0..<8)
  func invariants(_ seed: UInt64) throws {
    var (source, world) = (EventSource(seed: seed), World())
    var (accepted, refused) = (0, 0)
    for step in 0..<Self.length {
      world.time = Double(step) / 10
      let event = source.next()
      let before = world.state
      let gains = Self.gains(before)
      do throws(SessionError) {
        let told = try Policy.reduce(&world.state, event, at: world.time)
        accepted += 1
        _ = told.routeReasons
        for case .route(let id, _, let previous, let current) in told {
          #expect(before.sessions[id]?.route == previous && world.state.sessions[id]?.route == current)
        }
      } catch {
        refused += 1
        #expect(world.state == before, "\(event)")
      }
      Self.checkGuards(world.state, after: event)
      if !Self.movesGain(event) { Self.checkGains(gains, world.state, after: event) }
      if !world.state.server.isRunning { #expect(world.state.sessions.values.allSatisfy { !$0.isActive }) }
    }
    // The positive control: both happened, often.
    #expect(accepted > Self.length / 4 && refused > Self.length / 20)
  }

  @Test("A log of events replayed gives the same state and tells the same", arguments: 0..<4)
  func replay(_ seed: UInt64) {
    func run() -> (RouterState, [Notification]) {
      var (source, state) = (EventSource(seed: seed), RouterState())
      var told: [Notification] = []
      for step in 0..<Self.length {
        told += (try? Policy.reduce(&state, source.next(), at: Double(step) / 10)) ?? []
      }
      return (state, told)
    }
    let (first, second) = (run(), run())
    #expect(first.0 == second.0)
    #expect(first.1 == second.1)
    #expect(!first.1.isEmpty)
  }

  /// No stream is ever sent, nor its session routed, where a guard says.
  private static func checkGuards(_ state: RouterState, after event: Event) {
    for session in state.sessions.values {
      for stream in session.streams.values {
        for port in stream.never {
          #expect(stream.destinations[port] == nil, "\(event)")
          if session.category != .multiRoute { #expect(!session.route.outputs.contains(port), "\(event)") }
        }
      }
    }
  }

  private static func gains(_ state: RouterState) -> [SessionID: Control] {
    Dictionary(uniqueKeysWithValues: state.sessions.map { ($0.key, $0.value.gain) })
  }

  /// The policy never writes the operator's level.
  private static func checkGains(_ before: [SessionID: Control], _ state: RouterState, after event: Event) {
    for session in state.sessions.values {
      guard let old = before[session.id] else { continue }
      #expect(session.gain == old, "\(event)")
    }
  }

  private static func movesGain(_ event: Event) -> Bool {
    if case .session(_, .gain) = event { true } else { false }
  }
}
