import ServerInterface
import SessionModel

/// Finds the cables that lead past the router, as a pure function: those of the ports that sessions name, and those between devices and
/// other ports of the same programs.
struct DirectConnections {
  /// The ports that receive sound from a stream's programs.
  private(set) var sinks: [StreamAddress: [String]] = [:]
  /// The ports from which a session's programs receive sound.
  private(set) var sources: [SessionID: [String]] = [:]
  /// The programs that play at devices and belong to no session, in the order of their names.
  private(set) var programs: [DirectProgram] = []

  /// - Parameters:
  ///   - client: the router's client name.
  ///   - ignored: connections that carry no sound from now on.
  init(_ wanted: WantedLinks, _ graph: GraphSnapshot, client: String, except ignored: Set<Link>) {
    let ours = "\(client):"
    func others(_ port: String) -> [String] {
      graph.connections(of: port).filter { !$0.hasPrefix(ours) }
    }
    for (address, ports) in wanted.sources {
      for port in ports {
        for sink in others(port) where !ignored.contains(Link(source: port, sink: sink)) {
          sinks[address, default: []].appendNew(sink)
        }
      }
    }
    for (session, ports) in wanted.sinks {
      for port in ports {
        for source in others(port) where !ignored.contains(Link(source: source, sink: port)) {
          sources[session, default: []].appendNew(source)
        }
      }
    }
    addSiblings(wanted, graph, others)
  }

  /// Adds the cables between devices and those ports of programs that no session names.
  private mutating func addSiblings(
    _ wanted: WantedLinks, _ graph: GraphSnapshot, _ others: (String) -> [String]
  ) {
    let owners = Owners(wanted)
    let devices = graph.ports.filter { $0.isDevice(.output) || $0.isDevice(.input) }
    let deviceClients = Set(devices.map(\.client))
    var strangers: [String: [String]] = [:]
    for device in devices {
      for port in others(device.name) where !owners.named.contains(port) {
        let client = port.prefix { $0 != ":" }
        guard !deviceClients.contains(client) else { continue }
        if device.isDevice(.input) {
          guard let session = owners.sessions[client] else { continue }
          sources[session, default: []].appendNew(device.name)
        } else if let stream = owners.streams[client] {
          sinks[stream, default: []].appendNew(device.name)
        } else {
          strangers[String(client), default: []].appendNew(device.name)
        }
      }
    }
    programs = strangers.sorted { $0.key < $1.key }.map { DirectProgram(client: $0.key, sinks: $0.value) }
  }

  /// The streams and sessions to which programs belong, by client name.
  private struct Owners {
    /// All ports of programs that sessions name.
    var named: Set<String> = []
    var streams: [Substring: StreamAddress] = [:]
    var sessions: [Substring: SessionID] = [:]

    init(_ wanted: WantedLinks) {
      // In a fixed order, so that a program of two streams always belongs to the same one.
      for (address, ports) in wanted.sources.sorted(by: { $0.key.text < $1.key.text }) {
        add(ports, of: address.session)
        for port in ports where streams[Self.client(port)] == nil { streams[Self.client(port)] = address }
      }
      for (session, ports) in wanted.sinks.sorted(by: { $0.key.name < $1.key.name }) {
        add(ports, of: session)
      }
    }

    private mutating func add(_ ports: [String], of session: SessionID) {
      named.formUnion(ports)
      for port in ports where sessions[Self.client(port)] == nil { sessions[Self.client(port)] = session }
    }

    private static func client(_ port: String) -> Substring { port.prefix { $0 != ":" } }
  }
}

extension StreamAddress {
  fileprivate var text: String { "\(session).\(stream)" }
}

extension [String] {
  fileprivate mutating func appendNew(_ name: String) { if !contains(name) { append(name) } }
}
