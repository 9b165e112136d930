/// Where a sound file enters a rendered show.
public enum RenderSource: Hashable, Sendable {
  case stream(SessionID, StreamID)
  /// An input, such as a microphone.
  case input(PortID)
}

/// What of a rendered show goes into a sound file.
public enum RenderSink: Hashable, Sendable {
  case output(PortID)
  /// What the programs of a session would receive.
  case capture(SessionID)
}

/// As on the command line: `show.band`, `mic`.
extension RenderSource: CustomStringConvertible {
  public var description: String {
    switch self {
    case .stream(let session, let stream): "\(session).\(stream)"
    case .input(let input): input.name
    }
  }
}

/// As on the command line: `usb`, `phone.capture`.
extension RenderSink: CustomStringConvertible {
  public var description: String {
    switch self {
    case .output(let output): output.name
    case .capture(let session): "\(session).capture"
    }
  }
}
