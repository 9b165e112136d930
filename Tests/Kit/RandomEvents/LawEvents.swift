import Chance
public import SessionModel
import SessionPolicy

/// Makes random events about sessions that play, interrupt and duck each other.
///
/// There are few sessions and ports, so that most events concern something that exists.
public struct LawEvents {
  private var generator: SeededGenerator
  public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  public static let sessions: [SessionID] = ["a", "b", "c", "d"]
  static let outputs: [PortID] = ["spk", "usb", "ear", "phones", "hfp", "bt"]
  static let inputs: [PortID] = ["mic", "usb", "hfp", "hsmic"]
  private static let sources: [InterruptionID] = ["phone", "door"]

  public mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }
  mutating func chance() -> Bool { Bool.random(using: &generator) }

  /// The state that the random events start from: a running server and all ports, some of them unplugged.
  public static func start() throws -> RouterState {
    var state = RouterState()
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    _ = try Policy.reduce(&state, .server(server), at: 0)
    for (id, type) in outputTypes { try plug(id, type, channels: 2, .output, in: &state) }
    for (id, type) in inputTypes { try plug(id, type, channels: 1, .input, in: &state) }
    let away: [(Direction, PortID)] = [
      (.output, "phones"), (.output, "hfp"), (.output, "bt"), (.input, "usb"), (.input, "hfp"),
      (.input, "hsmic"),
    ]
    for (direction, id) in away {
      let members = state[direction][id]?.members.map { _ in String?.none } ?? []
      let presence = PortPresence(direction, id, members: members)
      _ = try Policy.reduce(&state, .portsPresent([presence]), at: 0)
    }
    return state
  }

  /// Events that let most sessions be heard. Random events silence nearly everything in the end: they seldom connect programs, and a server
  /// that is gone or a panic silences all sessions.
  public static func livening(_ state: RouterState) -> [Event] {
    var server = state.server
    (server.isRunning, server.rate, server.period) = (true, 48_000, 256)
    let plugged = PortPresence(.output, "usb", members: ["usb:1", "usb:2"])
    return [.server(server), .portsPresent([plugged]), .router(.panic(false)), .router(.silent(false))]
      + state.sessions.keys.flatMap { id -> [Event] in
        [.connected(id, true), .session(id, .muted(false)), .activate(id)]
      }
  }

  private static let outputTypes: [(PortID, PortType)] = [
    ("spk", .builtInSpeaker), ("ear", .builtInReceiver), ("usb", .usbAudio), ("phones", .headphones),
    ("hfp", .bluetoothHFP), ("bt", .bluetoothA2DP),
  ]
  private static let inputTypes: [(PortID, PortType)] = [
    ("mic", .builtInMic), ("usb", .usbAudio), ("hfp", .bluetoothHFP), ("hsmic", .headsetMic),
  ]

  /// A port of a preset, made of all JACK ports of the client with the port's own name.
  static func port(_ id: PortID, _ direction: Direction) -> Port {
    let types = direction == .output ? outputTypes : inputTypes
    let type = types.first { $0.0 == id }?.1 ?? .virtual
    return Port(
      id: id, name: id.name, type: type, globs: [PortGlob("\(id):*")].compactMap(\.self),
      channels: direction == .output ? 2 : 1)
  }

  private static func plug(
    _ id: PortID, _ type: PortType, channels: Int, _ direction: Direction, in state: inout RouterState
  ) throws {
    _ = try Policy.reduce(&state, .declarePort(direction, port(id, direction)), at: 0)
    let presence = PortPresence(direction, id, members: (1...channels).map { "\(id):\($0)" })
    _ = try Policy.reduce(&state, .portsPresent([presence]), at: 0)
  }

  mutating func configuration() -> SessionConfiguration {
    if number(below: 12) == 0 {
      return SessionConfiguration(category: .multiRoute, mode: .dualRoute, options: .allowBluetoothHFP)
    }
    return SessionConfiguration(
      category: pick([.ambient, .soloAmbient, .playback, .playback, .record, .playAndRecord, .multiRoute]),
      mode: pick([.default, .default, .default, .spokenAudio]),
      options: SessionOptions(rawValue: pick([0, 0, 0, 1, 2, 0x11, 0x13, 0x80, 4, 8, 0x24])))
  }

  public mutating func next(_ state: RouterState) -> Event {
    let id = pick(Self.sessions)
    guard state.sessions.contains(id) else { return .createSession(id, configuration()) }
    switch number(below: 36) {
    case 26...33: return media(state)
    case 34, 35: return voice(id)
    case 0: return number(below: 4) == 0 ? .removeSession(id) : .activate(id)
    case 1: return .configure(id, configuration())
    case 2...7: return .activate(id, notifyingOthers: number(below: 20) == 0)
    case 8, 9: return .deactivate(id, notifyingOthers: chance())
    case 10: return chance() ? .beginInterruption(pick(Self.sources)) : .ring(pick(Self.sources), chance())
    case 11:
      return number(below: 6) == 0
        ? .clearInterruptions : .endInterruption(pick(Self.sources), shouldResume: chance())
    case 12, 13: return .connected(id, chance() || chance())
    case 14: return .signal(id, chance())
    case 15: return chance() ? .sounding(id, chance()) : .capturing(id, chance())
    case 16: return .activationRefused(id)
    case 17, 24, 25: return port()
    case 18: return router()
    case 19: return number(below: 3) > 0 ? stream(id) : .elapsed
    default: return .session(id, setting())
    }
  }

  private mutating func setting() -> SessionSetting {
    switch number(below: 25) {
    case 20, 21: .preferredPeriod(pick([0, 0.001, 0.003, 0.02, 9]))
    case 22: .inputLevel(.set(pick([0, 0.5, 1])))
    case 23: .preferredChannels(chance() ? .input : .output, number(below: 4))
    case 16, 17, 24: .portOverride(pick([.none, .speaker, .speaker]))
    case 18: .preferredInput(pick([nil] + Self.inputs))
    case 19: .preferredOutput(pick([nil] + Self.outputs))
    case 0: .priority(pick([.normal, .normal, .call, .alert]))
    case 1: .protected(number(below: 4) == 0)
    case 2: .foreground(number(below: 4) > 0)
    case 3: .outputIO(pick(IOState.allCases))
    case 4: .inputIO(pick(IOState.allCases))
    case 5: .activation(pick(Activation.allCases))
    case 6, 7: .resumption(pick(Resumption.allCases))
    case 8, 9: .unplug(pick(UnplugConduct.allCases))
    case 10: .lease(.set(pick([0, 1, 5])))
    case 11: .duckLevel(pick([nil, .set(-6), .set(-30)]))
    case 12: .duckExempt(number(below: 4) == 0)
    case 13: .ignoresAlerts(chance())
    case 14: .outputMuted(chance())
    default: chance() ? .gain(.set(-6)) : .muted(chance())
    }
  }

  private mutating func port() -> Event {
    let (id, input) = (pick(Self.outputs), pick(Self.inputs))
    return switch number(below: 8) {
    case 0: .port(.output, id, .plugged(chance()))
    case 1: .port(.output, id, .duckLimit(.set(pick([-60, -10, -20]))))
    case 2: .port(.input, input, .hardwareMuted(chance()))
    case 3: .port(.input, input, .plugged(chance()))
    case 4, 5: .portsPresent([PortPresence(.input, input, members: [chance() ? "x:1" : nil])])
    default: .portsPresent([PortPresence(.output, id, members: chance() ? ["x:1", "x:2"] : [nil, nil])])
    }
  }

  private mutating func router() -> Event {
    switch number(below: 8) {
    case 0: return .router(.duckLevel(.set(pick([-14, -20, 0]))))
    case 1, 2: return .router(.duckScope(pick(DuckScope.allCases)))
    case 3: return .router(.interruptionScope(pick(InterruptionScope.allCases)))
    case 4: return .router(.deactivation(pick(DeactivationConduct.allCases)))
    case 5: return .router(.silent(chance()))
    default:
      var server = ServerState()
      server.isRunning = number(below: 4) > 0
      server.rate = server.isRunning ? 48_000 : 0
      return .server(server)
    }
  }

  private mutating func stream(_ id: SessionID) -> Event {
    switch number(below: 5) {
    case 0, 1: .createStream(id, "main", channels: 2, placed: true)
    case 2, 3: .destination(id, "main", pick(Self.outputs), .on(chance()))
    default: .stream(id, "main", .never(chance() ? [] : [pick(Self.outputs)]))
    }
  }
}
