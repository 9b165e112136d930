import ServerInterface
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
  /// The channels that no program feeds and the ports that no channel takes, of each stream that only programs feed, and of each capture.
  private(set) var gaps: [StreamAddress: ChannelGaps] = [:]
  private(set) var captureGaps: [SessionID: ChannelGaps] = [:]

  /// The outputs that a stream goes to and whose monitors it would take. These are not connected.
  private(set) var loops: [StreamAddress: [PortID]] = [:]

  /// Whether the state wants a connection.
  func contains(_ link: Link) -> Bool { known.contains(link) }

  /// The wanted connections but for those from some clients.
  func without(_ clients: Set<String>) -> WantedLinks {
    guard !clients.isEmpty else { return self }
    var rest = self
    rest.links = links.filter { !clients.contains($0.link.sourceClient) }
    rest.known = Set(rest.links.map(\.link))
    return rest
  }

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
    for port in state.outputs.values where port.keepsLinks {
      for case (let index, let member?) in port.members.enumerated() {
        add(from: ours(.output(port.id, index + 1)), to: member, .output(port.id))
      }
    }
    for port in state.inputs.values where port.keepsLinks {
      for case (let index, let member?) in port.members.enumerated() {
        add(from: member, to: ours(.input(port.id, index + 1)), .input(port.id))
      }
    }
    for session in state.sessions.values {
      for stream in session.streams.values { addSources(of: stream, in: session, state) }
      addCapture(of: session, guarded: Self.guardedPorts(of: session, in: state))
    }
  }

  /// JACK ports that a session's capture must never reach, because a stream in the capture has a guard (`never`) for them.
  private static func guardedPorts(of session: Session, in state: RouterState) -> Set<String> {
    let heard = session.capture.sessions.filter(\.value.isOn).compactMap { state.sessions[$0.key] }
    let outputs = heard.flatMap { $0.streams.values.flatMap { $0.never + $0.neverByPorts } }
    return Set(outputs.flatMap { state.outputs[$0]?.members.compactMap(\.self) ?? [] })
  }

  /// Wants the connections from programs to a stream.
  private mutating func addSources(of stream: SessionStream, in session: Session, _ state: RouterState) {
    let address = StreamAddress(session: session.id, stream: stream.id)
    let entries = stream.sources.compactMap { source in
      if case .ports(let entry) = source { entry } else { nil }
    }
    guard !entries.isEmpty else { return }
    // The first port of a stereo program must not feed both channels until the second one appears.
    let plan = ChannelPlan(entries, channels: stream.channels, of: .stream, isIncomplete: gathering.contains)
    {
      candidates(for: $0, areInputs: false)
    }
    if !plan.ports.isEmpty { sources[address] = plan.ports }
    var looped: Set<String> = []
    for port in plan.ports where !stream.allowsLoop && PortGlob.isMonitor(port) {
      let outputs = monitored(by: port, state).filter { output in
        session.route.outputs.contains(output) && session.destination(of: stream, at: output)?.isOn == true
      }
      guard !outputs.isEmpty else { continue }
      looped.insert(port)
      loops[address] = outputs
    }
    for (channel, port) in plan.pairs where !looped.contains(port) {
      add(from: port, to: ours(.stream(session.id, stream.id, channel)), .stream(address))
    }
    // An input may feed the other channels.
    gaps[address] =
      entries.count == stream.sources.count ? plan.gaps : ChannelGaps(isFolded: plan.gaps.isFolded)
  }

  /// The outputs whose sound a monitor repeats: those of its device.
  private func monitored(by port: String, _ state: RouterState) -> [PortID] {
    guard let device = system.first(where: { $0.name == port })?.programKey else { return [] }
    let members = Set(system.filter { $0.isInput && $0.programKey == device }.map(\.name))
    return state.outputs.values.filter { $0.members.contains { $0.map(members.contains) ?? false } }.map(\.id)
  }

  /// Wants the connections from a capture to programs.
  private mutating func addCapture(of session: Session, guarded: Set<String>) {
    let (entries, channels) = (session.capture.destinations, session.capture.channels)
    guard channels > 0, !entries.isEmpty else { return }
    let plan = ChannelPlan(entries, channels: channels, of: .capture) { candidates(for: $0, areInputs: true) }
    if !plan.ports.isEmpty { sinks[session.id] = plan.ports }
    for (channel, port) in plan.pairs where !guarded.contains(port) {
      add(from: ours(.capture(session.id, channel)), to: port, .capture(session.id))
    }
    captureGaps[session.id] = plan.gaps
  }

  /// The ports that an entry matches, or those of the program that stands in for an absent one.
  private func candidates(for entry: ProgramPorts, areInputs: Bool) -> [ChannelPlan.Candidate] {
    let entry = standIns.entry(entry)
    return system.filter { $0.isInput == areInputs && entry.accepts($0) }.map {
      ChannelPlan.Candidate($0.name, of: mayBeOfKnownNode($0) ? nil : $0.programKey)
    }
  }

  /// Whether a port belongs either to a program that is known already or to another one of the same name. PipeWire tells that a moment after the
  /// port has come. Until then a second port of the known program would feed all channels, as the only port of a program does.
  private func mayBeOfKnownNode(_ port: SystemPort) -> Bool {
    port.origin == .awaited
      && system.contains { $0.isInput == port.isInput && $0.node != nil && $0.client == port.client }
  }

  private func ours(_ key: PortKey) -> String { "\(client):\(key.name)" }

  private mutating func add(from source: String, to sink: String, _ owner: LinkOwner) {
    let link = Link(source: source, sink: sink)
    if known.insert(link).inserted { links.append((link, owner)) }
  }
}

extension Port {
  /// Whether the port is connected. A bridge serves the router alone, and a recall that unplugs it fades its sound out for longer than a ramp.
  fileprivate var keepsLinks: Bool { isPlugged || bridge != nil }
}
