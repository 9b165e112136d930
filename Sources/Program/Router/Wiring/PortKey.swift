import ServerInterface
import SessionModel

/// Identifies one of the router's own JACK ports by its purpose. Channels count from 1.
enum PortKey: Hashable, Sendable {
  case stream(SessionID, StreamID, Int)
  case capture(SessionID, Int)
  case output(PortID, Int)
  case input(PortID, Int)

  /// Whether the port receives sound.
  var isSource: Bool {
    switch self {
    case .stream, .input: true
    case .capture, .output: false
    }
  }

  /// The port's name at the server, without the client name.
  var name: String {
    switch self {
    case .stream(let session, let stream, let channel): "\(session).\(stream)_\(channel)"
    case .capture(let session, let channel): "\(session).capture_\(channel)"
    case .output(let port, let channel): "to-\(port)_\(channel)"
    case .input(let port, let channel): "from-\(port)_\(channel)"
    }
  }

  /// Whether a client is another router, by the names of its ports.
  static func isRouter(_ client: String, in ports: [SystemPort]) -> Bool {
    ports.contains { !$0.isInput && $0.name.hasPrefix("\(client):to-") }
  }

  /// The port's name for people, as JACK metadata.
  func prettyName(in state: RouterState) -> String {
    switch self {
    case .stream(let session, let stream, let channel):
      "\(state.sessions[session]?.name ?? session.name) \(stream) "
        + FoldDown.name(of: channel, width: state.sessions[session]?.streams[stream]?.channels ?? 0)
    case .capture(let session, let channel):
      "\(state.sessions[session]?.name ?? session.name) capture \(channel)"
    case .output(let port, let channel): "To \(state.outputs[port]?.name ?? port.name) \(channel)"
    case .input(let port, let channel): "From \(state.inputs[port]?.name ?? port.name) \(channel)"
    }
  }
}
