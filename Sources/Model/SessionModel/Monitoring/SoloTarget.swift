/// What an engineer can solo.
public enum SoloTarget: Hashable, Sendable {
  case session(SessionID)
  case stream(SessionID, StreamID)
  case input(PortID)
  case output(PortID)
  case player(PlayerID)
  /// All members of a group.
  case group(GroupID)

  /// The object in words, such as `stream band.drums`.
  public var words: String {
    switch self {
    case .session(let id): "session \(id)"
    case .stream(let session, let id): "stream \(session).\(id)"
    case .input(let id): "input \(id)"
    case .output(let id): "output \(id)"
    case .player(let id): "player \(id)"
    case .group(let id): "group \(id)"
    }
  }
}

/// A sound that a solo brings to a monitor output: a soloed object, or a stream of a soloed session.
public enum SoloPart: Hashable, Sendable {
  case stream(SessionID, StreamID)
  case input(PortID)
  case output(PortID)
  case player(PlayerID)
}
