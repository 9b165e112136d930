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
    default: return nil
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
    }
  }
}

extension RouterState {
  /// Whether the object of a strip exists. A send exists if its stream does and its output is known.
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
    }
  }

  /// The targets over which banks move: the groups, then each session with its streams behind it, then the outputs, all in their own order.
  /// If the preset names outputs, others are left out.
  public var bankOrder: [StripTarget] {
    var order = groups.keys.map { StripTarget.group($0) }
    sessions.forEachEntry { id, session in
      order.append(.session(id))
      order += session.streams.keys.map { .stream(id, $0) }
    }
    let named = outputs.keys(where: \.isNamedByPreset)
    return order + (named.isEmpty ? outputs.keys : named).map { .output($0) }
  }
}
