import Chance
import SessionModel

/// Makes events about who may play, interrupt and duck, among few sessions and ports, so that they meet.
struct LawEvents {
  private var generator: SeededGenerator
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let sessions: [SessionID] = ["a", "b", "c", "d"]
  private static let outputs: [PortID] = ["spk", "usb", "ear", "phones", "hfp", "bt"]
  private static let inputs: [PortID] = ["mic", "usb", "hfp", "hsmic"]
  private static let sources: [InterruptionID] = ["phone", "door"]

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
  private mutating func chance() -> Bool { Bool.random(using: &generator) }

  /// A running world with the fixed ports.
  static func world() throws -> RouterState {
    var world = World()
    try world.start()
    for (id, type) in [
      ("spk" as PortID, PortType.builtInSpeaker), ("ear", .builtInReceiver), ("usb", .usbAudio),
      ("phones", .headphones), ("hfp", .bluetoothHFP), ("bt", .bluetoothA2DP),
    ] { try world.plug(id, type) }
    for (id, type) in [
      ("mic" as PortID, PortType.builtInMic), ("usb", .usbAudio), ("hfp", .bluetoothHFP),
      ("hsmic", .headsetMic),
    ] { try world.plug(id, type, channels: 1, .input) }
    for id: PortID in ["phones", "hfp", "bt"] { try world.unplug(id) }
    for id: PortID in ["usb", "hfp", "hsmic"] { try world.unplug(id, .input) }
    return world.state
  }

  private mutating func configuration() -> SessionConfiguration {
    if number(below: 12) == 0 {
      return SessionConfiguration(category: .multiRoute, mode: .dualRoute, options: .allowBluetoothHFP)
    }
    return SessionConfiguration(
      category: pick([.ambient, .soloAmbient, .playback, .playback, .record, .playAndRecord, .multiRoute]),
      mode: pick([.default, .default, .default, .spokenAudio]),
      options: SessionOptions(rawValue: pick([0, 0, 0, 1, 2, 0x11, 0x13, 0x80, 4, 8, 0x24])))
  }

  mutating func next(_ state: RouterState) -> Event {
    let id = pick(Self.sessions)
    guard state.sessions.contains(id) else { return .createSession(id, configuration()) }
    switch number(below: 26) {
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
    switch number(below: 24) {
    case 20, 21: .preferredPeriod(pick([0, 0.001, 0.003, 0.02, 9]))
    case 22: .inputLevel(.set(pick([0, 0.5, 1])))
    case 23: .preferredChannels(chance() ? .input : .output, number(below: 4))
    case 16, 17: .portOverride(pick([.none, .speaker, .speaker]))
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
