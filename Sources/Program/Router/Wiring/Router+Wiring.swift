import ControlInterface
import KeptState
import MixEngine
import ServerInterface
import SessionModel
import ZitaBridges

/// Decides on devices, connections and gates, from the last known graph.
extension Router {
  /// Updates devices, connections and gates, in this order, so that a new device is connected while its gate is closed.
  /// - Parameter mayRetry: whether to ask again for connections that the server refused.
  func wire(retrying mayRetry: Bool = false) {
    guard let connection, !isStopping else { return }
    if connection.isSetAside {
      updateMix()
      return
    }
    guard !connection.isWiring else {
      connection.mustWireAgain = true
      return
    }
    connection.isWiring = true
    var (rounds, mayRetry) = (0, mayRetry || connection.hasPortNotice)
    connection.hasPortNotice = false
    repeat {
      connection.mustWireAgain = false
      decideConnections(connection, mayRetry: mayRetry)
      (rounds, mayRetry) = (rounds + 1, false)
      // Events that this round has raised may change the wanted connections.
    } while rounds < Self.mostRounds
      && (connection.mustWireAgain || ConnectionNeeds.differ(connection.wired, state))
    connection.isWiring = false
    // Exclusive streams may have taken connections.
    keeper?.noteChange()
    handOver()
    followGraph()
  }

  /// Greatest number of rounds. If events raise each other without end, the router stops here and goes on at the next event.
  private static let mostRounds = 8

  private func decideConnections(_ connection: Connection, mayRetry: Bool) {
    let system = connection.graph.ports
    followBridges(connection)
    findDevices(system)
    carryOutPostponed()
    notePorts(system)
    alignArrivals()
    updateMix()
    connection.wired = state
    let time = now
    let wanted = WantedLinks(
      state, system, client: connection.facts.clientName,
      gathering: connection.newPorts.takeGathering(at: time))
    let closed = connection.mix.endOfRamp(state, margin: connection.margin)
    let ready = Set(connection.book.handles.keys.map { connection.name(of: $0) })
    let moment = Reconciler.Moment(
      frame: connection.mix.engine.framesProcessed, closed: closed, request: connection.next,
      answered: connection.answered, mayRetry: mayRetry)
    let isNew = { (link: Link) in connection.newPorts.contains(link.source, at: time) }
    leaveHungPrograms(connection)
    let possible = wanted.without(connection.hung.stopped)
    connection.reconciler.reconcile(possible, connection.graph, at: moment, isNew: isNew) {
      (ready.contains($0.source) || ready.contains($0.sink)) && !connection.exclusives.hasYielded($0)
    }
    connection.retry.note(hasRefusals: connection.reconciler.hasRefusals, at: now)
    connection.newPorts.renew(connection.reconciler.refused, at: time)
    takeExclusive(wanted, connection)
    updateGates(new: newStreams(wanted, connection, isNew), closed: closed)
    noteDirectConnections(wanted, connection)
    noteGaps(wanted)
    noteDesktopVolumes(wanted, system)
    order(wanted, connection)
  }

  /// Starts and ends the programs of bridges, behind closed gates.
  private func followBridges(_ connection: Connection) {
    let gates = bridging.follow(
      state, server: settings.serverName, at: connection.mix.engine.framesProcessed,
      closed: connection.mix.endOfRamp(state, margin: connection.margin))
    for (key, end) in gates {
      connection.reconciler.block(key.direction == .output ? .output(key.port) : .input(key.port), until: end)
    }
    for (key, condition) in bridging.untold(to: state) {
      happen(.bridge(key.direction, key.port, condition))
    }
  }

  /// The streams all of whose sources have just appeared.
  private func newStreams(
    _ wanted: WantedLinks, _ connection: Connection, _ isNew: (Link) -> Bool
  ) -> Set<StreamAddress> {
    // A thousand sessions have thousands of ports to look at.
    guard connection.newPorts.containsAny(at: now) else { return [] }
    var (new, old) = (Set<StreamAddress>(), Set<StreamAddress>())
    func note(_ link: Link, _ address: StreamAddress) {
      if isNew(link) { new.insert(address) } else { old.insert(address) }
    }
    for case (let link, .stream(let address)) in wanted.links { note(link, address) }
    // Programs also connect themselves to the router.
    for session in state.sessions.values {
      for stream in session.streams.values {
        for channel in stream.ownChannels {
          let port = connection.name(of: .stream(session.id, stream.id, channel))
          for source in connection.graph.connections(of: port) {
            note(Link(source: source, sink: port), StreamAddress(session: session.id, stream: stream.id))
          }
        }
      }
    }
    return new.subtracting(old).filter { address in
      state.sessions[address.session]?.streams[address.stream]?.sources.allSatisfy {
        if case .ports = $0 { true } else { false }
      } ?? false
    }
  }

  /// Updates the wanted graph.
  private func order(_ wanted: WantedLinks, _ connection: Connection) {
    connection.order.connections =
      connection.reconciler.connections + connection.exclusives.connections + connection.hung.connections
    connection.order.returned = connection.exclusives.returned
    connection.order.firstRequests = connection.reconciler.firstRequests
      .merging(connection.exclusives.firstRequests) { $1 }.merging(connection.hung.returning) { $1 }
    connection.order.disconnections =
      connection.reconciler.disconnections + connection.exclusives.disconnections
    connection.order.stuck = connection.hung.stuck
    let devices = connection.graph.ports.filter { $0.isDevice(.output) || $0.isDevice(.input) }
    connection.order.observed = Set(wanted.sources.values.joined()).union(wanted.sinks.values.joined())
      .union(devices.map(\.name)).union(connection.hung.outputs(in: connection.graph))
    connection.neighbours = LatencyLoops.neighbours(
      wanted, connection.graph, client: connection.facts.clientName)
    connection.order.paths = paths(connection)
    connection.order.measured = Set(
      (state.outputs.values + state.inputs.values).flatMap { $0.members.compactMap(\.self) })
  }

  /// Tells the law which devices are present, and declares devices that the preset does not describe.
  private func findDevices(_ system: [SystemPort]) {
    var discovery = Discovery(state, system, known: between.devices, bridges: bridging.clients)
    let superseded = discovery.superseded
    if !superseded.isEmpty {
      for (direction, port) in superseded { happen(.forgetPort(direction, port)) }
      discovery = Discovery(state, system, known: between.devices, bridges: bridging.clients)
    }
    note(discovery.presences)
    let found = discovery.found
    guard !found.isEmpty else { return }
    for (direction, port) in found { happen(.declarePort(direction, port)) }
    between.devices.note(state)
    // One event for all, so that a device with outputs and inputs changes the route once. The last port counts as plugged in last.
    note(Discovery(state, system).presences.reversed())
  }

  /// Tells the law which JACK ports exist, so that clients can list them.
  private func notePorts(_ system: [SystemPort]) {
    let ports = system.map {
      JackPort($0.name, aliases: $0.aliases, isInput: $0.isInput, program: $0.program)
    }
    if ports != state.jackPorts { happen(.jackPorts(ports)) }
  }

  private func note(_ presences: [PortPresence]) {
    if !presences.isEmpty { happen(.portsPresent(presences)) }
  }

  /// Takes away other connections of ports that belong to the router alone, and tells which ports it leaves to another program.
  private func takeExclusive(_ wanted: WantedLinks, _ connection: Connection) {
    connection.exclusives.take(
      wanted, state, connection.graph, client: connection.facts.clientName, request: connection.next,
      time: now, appearance: connection.newPorts.appearance)
    let contested = connection.exclusives.contested
    guard contested != state.contestedPorts else { return }
    for port in contested where !state.contestedPorts.contains(port) {
      tell(.error(client: 0, address: "", SessionError(.io, port.sentence)))
    }
    happen(.contestedPorts(contested))
  }

  /// Tells the law which cables lead past the router. Cables of exclusive ports that carry no sound from now on do not count.
  private func noteDirectConnections(_ wanted: WantedLinks, _ connection: Connection) {
    let direct = DirectConnections(
      wanted, connection.graph, client: connection.facts.clientName, except: connection.exclusives.silent)
    for session in state.sessions.values {
      for stream in session.streams.values {
        let sinks = direct.sinks[StreamAddress(session: session.id, stream: stream.id)] ?? []
        if sinks != stream.directSinks { happen(.heardDirectly(session.id, stream.id, sinks)) }
      }
      let sources = direct.sources[session.id] ?? []
      if sources != session.directSources { happen(.receivesDirectly(session.id, sources)) }
    }
    if direct.programs != state.directPrograms { happen(.directPrograms(direct.programs)) }
  }

  /// Tells the law which channels no program feeds, which ports of programs no channel takes, and which monitors would make a loop.
  private func noteGaps(_ wanted: WantedLinks) {
    for session in state.sessions.values {
      for stream in session.streams.values {
        var gaps = wanted.gaps[StreamAddress(session: session.id, stream: stream.id)] ?? ChannelGaps()
        // The ports stay for the next program: to make them takes time, in which its beginning would be lost.
        if stream.gaps.isFolded { gaps.isFolded = true }
        if gaps != stream.gaps { happen(.channelGaps(session.id, stream.id, gaps)) }
        let loops = wanted.loops[StreamAddress(session: session.id, stream: stream.id)] ?? []
        if loops != stream.loops { happen(.streamLoops(session.id, stream.id, loops)) }
      }
      let gaps = wanted.captureGaps[session.id] ?? ChannelGaps()
      if gaps != session.capture.gaps { happen(.channelGaps(session.id, nil, gaps)) }
    }
  }
}
