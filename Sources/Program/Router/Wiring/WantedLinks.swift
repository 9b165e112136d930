import AudioHost
import SessionModel

/// The stream, capture or port to which a connection belongs. The owner's gate is closed while the connection is made or removed.
enum LinkOwner: Hashable {
  case stream(StreamAddress)
  case capture(SessionID)
  case output(PortID)
  case input(PortID)
}

/// Computes the connections that the state wants, as a pure function.
struct WantedLinks {
  private(set) var links: [(link: Link, owner: LinkOwner)] = []
  /// The connections as a set, for speed: a thousand sessions have thousands of connections.
  private var known: Set<Link> = []

  /// The ports of programs that belong to each stream, whether a channel takes them or not.
  private(set) var sources: [StreamAddress: [String]] = [:]
  /// The ports of programs that belong to each session's capture, whether a channel feeds them or not.
  private(set) var sinks: [SessionID: [String]] = [:]

  /// Whether the state wants a connection.
  func contains(_ link: Link) -> Bool { known.contains(link) }

  private let client: String
  private let system: [SystemPort]
  private let standIns: StandIns
  private let gathering: Set<String>

  /// - Parameters:
  ///   - client: the router's client name.
  ///   - gathering: new ports whose clients may still be about to register more.
  init(_ state: RouterState, _ system: [SystemPort], client: String, gathering: Set<String> = []) {
    (self.client, self.system, self.gathering) = (client, system, gathering)
    standIns = state.standIns(among: Set(system.map { String($0.client) }))
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

  /// JACK ports that a session's capture must never reach, because a stream in the capture has a guard (`never`) for them.
  private static func guardedPorts(of session: Session, in state: RouterState) -> Set<String> {
    let heard = session.capture.sessions.filter(\.value.isOn).compactMap { state.sessions[$0.key] }
    let outputs = heard.flatMap { $0.streams.values.flatMap(\.never) }
    return Set(outputs.flatMap { state.outputs[$0]?.members.compactMap(\.self) ?? [] })
  }

  /// Wants the connections from programs to a stream. The k-th port of a client that any glob matches feeds channel k; a single
  /// port feeds all channels.
  private mutating func addSources(of stream: SessionStream, in session: Session) {
    let address = StreamAddress(session: session.id, stream: stream.id)
    let owner = LinkOwner.stream(address)
    let globs = stream.sources.compactMap { source in
      if case .ports(let glob) = source { glob } else { nil }
    }
    for ports in clients(matching: globs, areInputs: false) {
      sources[address, default: []] += ports
      // The first port of a stereo program must not feed both channels until the second one appears.
      if ports.count == 1, stream.channels > 1, gathering.contains(ports[0]) { continue }
      for channel in 1...stream.channels {
        guard let port = ports.count == 1 ? ports[0] : ports[at: channel - 1] else { continue }
        add(from: port, to: ours(.stream(session.id, stream.id, channel)), owner)
      }
    }
  }

  /// Wants the connections from a capture to programs. Channel k feeds the k-th port of a client that any glob matches; a single
  /// channel feeds all ports.
  private mutating func addCapture(of session: Session, guarded: Set<String>) {
    let channels = session.capture.channels
    guard channels > 0 else { return }
    for ports in clients(matching: session.capture.destinations, areInputs: true) {
      sinks[session.id, default: []] += ports
      for (index, port) in ports.enumerated()
      where (channels == 1 || index < channels) && !guarded.contains(port) {
        let channel = channels == 1 ? 1 : index + 1
        add(from: ours(.capture(session.id, channel)), to: port, .capture(session.id))
      }
    }
  }

  /// The ports of each client that any of the globs matches, or of the program that stands in for an absent one: in the order of the globs, and in channel order within a glob.
  private func clients(matching globs: [PortGlob], areInputs: Bool) -> [[String]] {
    var clients = Registry<String, [String]>()
    for glob in globs.map(standIns.glob) {
      var matches = Registry<String, [String]>()
      for port in system where port.isInput == areInputs && glob.accepts(port) {
        matches[String(port.client), default: []].append(port.name)
      }
      for (client, ports) in matches {
        let known = Set(clients[client] ?? [])
        clients[client, default: []] += ports.sorted(by: PortGlob.inChannelOrder).filter {
          !known.contains($0)
        }
      }
    }
    return Array(clients.values)
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
