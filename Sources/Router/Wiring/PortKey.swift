import SessionModel

/// One port of ours, by what it is for.
enum PortKey: Hashable, Sendable {
  case stream(SessionID, StreamID, Int)
  case capture(SessionID, Int)
  case output(PortID, Int)
  case input(PortID, Int)

  /// Whether sound comes in by it.
  var isSource: Bool {
    switch self {
    case .stream, .input: true
    case .capture, .output: false
    }
  }

  /// Its name at the server, behind our client name; channels count from 1.
  var name: String {
    switch self {
    case .stream(let session, let stream, let channel): "\(session).\(stream)_\(channel)"
    case .capture(let session, let channel): "\(session).capture_\(channel)"
    case .output(let port, let channel): "to-\(port)_\(channel)"
    case .input(let port, let channel): "from-\(port)_\(channel)"
    }
  }

  /// What a person reads.
  func prettyName(in state: RouterState) -> String {
    switch self {
    case .stream(let session, let stream, let channel):
      "\(state.sessions[session]?.name ?? session.name) \(stream) \(channel)"
    case .capture(let session, let channel):
      "\(state.sessions[session]?.name ?? session.name) capture \(channel)"
    case .output(let port, let channel): "To \(state.outputs[port]?.name ?? port.name) \(channel)"
    case .input(let port, let channel): "From \(state.inputs[port]?.name ?? port.name) \(channel)"
    }
  }
}
