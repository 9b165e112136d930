import Effects

/// What a strip of a surface acts on: the object at an address, such as `/output/usb`.
public enum StripTarget: Hashable, Sendable {
  case session(SessionID)
  case stream(SessionID, StreamID)
  /// A stream at one of its outputs.
  case send(SessionID, StreamID, PortID)
  case output(PortID)
  case input(PortID)
  case player(PlayerID)
  case group(GroupID)
  /// A control of a plugin, by its symbol.
  case control(EffectSlot, String)

  /// Reads an address; nil if it is none of an object that a strip can act on.
  public init?(_ address: String) {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].isEmpty else { return nil }
    switch (parts[1], parts.count) {
    case ("output", 3):
      guard let id = PortID(parts[2]) else { return nil }
      self = .output(id)
    case ("input", 3):
      guard let id = PortID(parts[2]) else { return nil }
      self = .input(id)
    case ("player", 3):
      guard let id = PlayerID(parts[2]) else { return nil }
      self = .player(id)
    case ("group", 3):
      guard let id = GroupID(parts[2]) else { return nil }
      self = .group(id)
    case ("session", 3):
      guard let id = SessionID(parts[2]) else { return nil }
      self = .session(id)
    case ("session", 5) where parts[3] == "stream":
      guard let id = SessionID(parts[2]), let stream = StreamID(parts[4]) else { return nil }
      self = .stream(id, stream)
    case ("session", 7) where parts[3] == "stream" && parts[5] == "to":
      guard let id = SessionID(parts[2]), let stream = StreamID(parts[4]), let output = PortID(parts[6])
      else { return nil }
      self = .send(id, stream, output)
    default:
      let name = parts.suffix(2)
      guard name.first == "control", let symbol = try? Effect.symbol(String(parts[parts.count - 1])),
        let effect = EffectSlot(parts[1...].dropLast(2))
      else { return nil }
      self = .control(effect, symbol)
    }
  }

  /// The object's address, such as `/session/show/stream/click/to/headphones`.
  public var address: String {
    switch self {
    case .session(let id): "/session/\(id)"
    case .stream(let id, let stream): "/session/\(id)/stream/\(stream)"
    case .send(let id, let stream, let output): "/session/\(id)/stream/\(stream)/to/\(output)"
    case .output(let id): "/output/\(id)"
    case .input(let id): "/input/\(id)"
    case .player(let id): "/player/\(id)"
    case .group(let id): "/group/\(id)"
    case .control(let effect, let symbol): "\(effect.address)/control/\(symbol)"
    }
  }
}

extension RouterState {
  /// Whether the object of a strip exists. A send exists if its stream does and its output is known, a control if its effect does and the
  /// plugin, once it is loaded, has it.
  public func exists(_ target: StripTarget) -> Bool {
    switch target {
    case .session(let id): sessions.contains(id)
    case .stream(let id, let stream): sessions.read(id) { $0.streams.contains(stream) } ?? false
    case .send(let id, let stream, let output):
      sessions.read(id) { session in
        session.streams.read(stream) { outputs.contains(output) || $0.destinations.contains(output) }
          ?? false
      } ?? false
    case .output(let id): outputs.contains(id)
    case .input(let id): inputs.contains(id)
    case .player(let id): players.contains(id)
    case .group(let id): groups.contains(id)
    case .control(let place, let symbol):
      effect(at: place).map { $0.facts.controls.isEmpty || $0.facts.control(symbol) != nil } ?? false
    }
  }
}
