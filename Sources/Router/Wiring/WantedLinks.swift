import SessionModel

/// A cable between two ports, by full name.
struct Link: Hashable {
  var source: String
  var sink: String
}

/// What a cable belongs to; its gate is closed while the cable changes.
enum LinkOwner: Hashable {
  case stream(StreamAddress)
  case capture(SessionID)
  case output(PortID)
  case input(PortID)
}

/// The cables that the state asks for: a pure function.
struct WantedLinks {
  private(set) var links: [(link: Link, owner: LinkOwner)] = []
  /// The same without their order: with a thousand sessions there are thousands.
  private var known: Set<Link> = []
  private let client: String
  private let system: [SystemPort]

  init(_ state: RouterState, _ system: [SystemPort], client: String) {
    (self.client, self.system) = (client, system)
    for port in state.outputs.values where port.isPlugged {
      for case (let index, let member?) in port.members.enumerated() {
        add(from: ours(.output(port.id, index + 1)), to: member, .output(port.id))
      }
    }
    for port in state.inputs.values where port.isPlugged {
      for case (let index, let member?) in port.members.enumerated() {
        add(from: member, to: ours(.input(port.id, index + 1)), .input(port.id))
      }
    }
    for session in state.sessions.values {
      for stream in session.streams.values { addSources(of: stream, in: session) }
      addCapture(of: session, guarded: Self.guardedPorts(of: session, in: state))
    }
  }

  /// JACK ports that something in a session's capture must never reach: a guard holds on the way through a capture, too.
  private static func guardedPorts(of session: Session, in state: RouterState) -> Set<String> {
    let heard = session.capture.sessions.filter(\.value.isOn).compactMap { state.sessions[$0.key] }
    let outputs = heard.flatMap { $0.streams.values.flatMap(\.never) }
    return Set(outputs.flatMap { state.outputs[$0]?.members.compactMap(\.self) ?? [] })
  }

  /// Of each matching client the k-th port feeds channel k; a client with one port feeds all channels.
  private mutating func addSources(of stream: SessionStream, in session: Session) {
    let owner = LinkOwner.stream(StreamAddress(session: session.id, stream: stream.id))
    for case .ports(let glob) in stream.sources {
      for ports in clients(matching: glob, areInputs: false) {
        for channel in 1...stream.channels {
          guard let port = ports.count == 1 ? ports[0] : ports[at: channel - 1] else { continue }
          add(from: port, to: ours(.stream(session.id, stream.id, channel)), owner)
        }
      }
    }
  }

  /// The same the other way round; a capture of one channel feeds all ports of a client.
  private mutating func addCapture(of session: Session, guarded: Set<String>) {
    let channels = session.capture.channels
    guard channels > 0 else { return }
    for glob in session.capture.destinations {
      for ports in clients(matching: glob, areInputs: true) {
        for (index, port) in ports.enumerated()
        where (channels == 1 || index < channels) && !guarded.contains(port) {
          let channel = channels == 1 ? 1 : index + 1
          add(from: ours(.capture(session.id, channel)), to: port, .capture(session.id))
        }
      }
    }
  }

  /// The matching ports of each client, in channel order.
  private func clients(matching glob: PortGlob, areInputs: Bool) -> [[String]] {
    var clients = Registry<String, [String]>()
    for port in system where port.isInput == areInputs && glob.accepts(port) {
      clients[String(port.client), default: []].append(port.name)
    }
    return clients.values.map { $0.sorted(by: PortGlob.inChannelOrder) }
  }

  private func ours(_ key: PortKey) -> String { "\(client):\(key.name)" }

  private mutating func add(from source: String, to sink: String, _ owner: LinkOwner) {
    let link = Link(source: source, sink: sink)
    if known.insert(link).inserted { links.append((link, owner)) }
  }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
