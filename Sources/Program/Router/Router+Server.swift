import ControlInterface
import MixEngine
import Presets
public import ServerInterface
import SessionModel

/// Finds, joins and leaves the audio server.
extension Router {
  /// The connection to the audio server; nil while there is none.
  var connection: Connection? { if case .connected(let connection) = phase { connection } else { nil } }

  /// The engine of the mix; nil while there is no audio server.
  var engine: MixEngine? { connection?.mix.engine }

  /// Begins to look for the audio server and returns at once. The search goes on until there is a server.
  ///
  /// - Parameter isThere: whether the present server is known to live on.
  func seekServer(isThere: Bool = false) {
    phase = .seeking
    between.left = isThere ? now : nil
    graph.seek(name: settings.clientName, server: settings.serverName, isThere: isThere)
  }

  /// Why the last search for the audio server failed; nil before the first failure, and while there is a server.
  public var missing: AudioServerError? { connection == nil ? between.failure : nil }

  /// Acts on the result of the search for the server, if there is one.
  func followSearch() {
    guard !isStopping, case .seeking = phase else { return }
    switch server.takeFinding() {
    case nil:
      // A server that stands still answers nothing.
      guard let left = between.left, now >= left + Self.patience else { break }
      between.left = nil
      tellLoss()
    case .missing(let error):
      between.failure = error
      // The law still counts a server as running that the router left to join it anew. The server is gone.
      if state.server.isRunning { tellLoss() }
    case .found(let rate):
      // A new server counts frames from 0 and gates must start closed, so each server gets a new engine.
      let engine = MixEngine(sampleRate: Double(rate))
      phase = .opening(engine)
      graph.open(HostedKernel(engine.kernel, of: engine))
      followGraph()
    }
  }

  /// Begins to work at the server that the router has joined.
  func connect(_ facts: ServerFacts, _ snapshot: GraphSnapshot) {
    guard case .opening(let engine) = phase else { return }
    // A server that only stood still has not changed its connections, so the router must still give them back.
    let owed = between.owed.flatMap { $0.server == facts.identity ? $0.links : nil } ?? []
    let connection = Connection(
      facts, at: server, engine, snapshot, number: graph.nextNumber - 1, owed: owed,
      metering: MeterKeeper(rate: facts.sampleRate) { [weak self] in self?.miss($1, at: $0) },
      effects: makeEffects(rate: facts.sampleRate)
    ) { [weak self] plan, session, number in
      self?.assumeIsolated { $0.makeVoice(plan, of: session, number: number) }
    }
    phase = .connected(connection)
    media.open(rate: facts.sampleRate)
    listening.loop.begin(rate: Double(facts.sampleRate))
    watch(connection)
    (between.failure, between.owed, between.left) = (nil, nil, nil)
    publishing.use(engine.early)
    var server = ServerState()
    (server.isRunning, server.clientName) = (true, facts.clientName)
    (server.rate, server.period, server.portLimit) = (facts.sampleRate, facts.period, facts.portLimit)
    happen(.server(server))
    if let waiting = presets.waiting {
      presets.waiting = nil
      happen(.presetWaits(nil))
      apply(waiting.preset, restoring: waiting.crashed)
    }
    wire()
    connection.exclusives.giveBackInherited(by: connection.next)
    connection.order.connections = connection.reconciler.connections + connection.exclusives.connections
    connection.order.firstRequests = connection.reconciler.firstRequests.merging(
      connection.exclusives.firstRequests
    ) { $1 }
    handOver()
    followGraph()
  }

  /// Leaves a server that is gone, and looks for it again.
  func lose() {
    leave()
    tellLoss()
    seekServer()
  }

  /// Leaves a server that lives on, and joins it again with a new engine: it has changed its rate, or has thrown the router's client out.
  /// Sessions do not change.
  private func rejoin() {
    leave()
    seekServer(isThere: true)
  }

  /// Seconds in which a server that lives on must take the router in again.
  private static let patience = 1.0

  /// When a server that lives on must have taken the router in again, in seconds since the start; nil if the router waits for none.
  var endOfRejoining: Double? { between.left.map { $0 + Self.patience } }

  func leave() {
    between.owed = owed
    if let connection {
      unwatch(connection)
      connection.hangs.end()
    }
    let places = media.close(at: now)
    phase = .seeking
    listening.loop.end()
    updateLoop(at: now)
    publishing.use(nil)
    refusePending()
    for event in places { happen(event) }
  }

  /// Wakes the policy thread whenever the server sends a notice.
  private func watch(_ connection: Connection) {
    guard let descriptor = connection.facts.noticeDescriptor else { return }
    executor.watch(descriptor) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }

  /// Stops watching the server's notices. Call it before the router leaves the server, which closes the descriptor.
  func unwatch(_ connection: Connection) {
    if let descriptor = connection.facts.noticeDescriptor { executor.unwatch(descriptor) }
  }

  /// Tells the law that there is no server.
  private func tellLoss() {
    happen(.server(ServerState()))
    happen(.portsGone(in: state))
    happen(.jackPorts([]))
    happen(.directPrograms([]))
    happen(.hungPrograms([]))
    happen(.contestedPorts([]))
    bridging.follow(state, server: settings.serverName, at: 0, closed: 0)
  }

  /// Answers waiting clients with an error, because no audio thread will adopt the plans for which the answers wait.
  private func refusePending() {
    let error = SessionError(.mediaServicesFailed, "the audio server is gone, so nothing is adopted now")
    publishing.refuse(error)
  }

  /// Asks the server for the period that sessions prefer, if the settings allow that: the period concerns all programs. A notice tells
  /// the new period.
  func askForPeriod() {
    guard settings.allowsPeriodChange, let connection else { return }
    guard let preferred = state.preferredPeriod, preferred != connection.askedPeriod else {
      if state.preferredPeriod == nil { connection.askedPeriod = nil }
      return
    }
    connection.askedPeriod = preferred
    guard preferred != state.server.period else { return }
    connection.order.period = GraphRequest.Period(frames: preferred, ticket: connection.next)
  }

  /// Notes that a connection was made. Returns whether it must be taken away or heard now.
  private func note(_ link: Link) -> Bool {
    guard let connection else { return false }
    let ours = "\(connection.facts.clientName):"
    guard !link.source.hasPrefix(ours) else { return false }
    guard !link.sink.hasPrefix(ours) else {
      // A new program that connects itself to the router is heard from now on.
      guard connection.newPorts.contains(link.source, at: now) else { return false }
      connection.graph.add(link)
      return true
    }
    connection.noticed.note(link, request: connection.next)
    connection.graph.add(link)
    return connection.exclusives.noteMade(
      link, request: connection.next, at: now, appearance: connection.newPorts.appearance)
  }

  /// Notes that a connection was removed. Returns whether it must be made again now: a cue player removes all connections of the ports that it
  /// has just made, those of the router, too. Otherwise the graph that was read decides, because a notice may be older than that.
  private func noteEnd(of link: Link) -> Bool {
    guard let connection else { return false }
    if connection.noticed.remove(link) { connection.graph.remove(link) }
    let isStarting = connection.newPorts.isStarting(link.source, at: now)
    if !isStarting, connection.reconciler.isMade(link) { connection.exclusives.noteLoss(of: link, at: now) }
    guard isStarting, link.sink.hasPrefix("\(connection.facts.clientName):"),
      connection.reconciler.forget(link)
    else { return false }
    connection.newPorts.goOnStarting(link.source, at: now)
    connection.graph.remove(link)
    return true
  }

  /// Acts on notices of the server.
  func observe(_ notices: [ServerNotice]) {
    guard let connection else { return }
    var (mustLook, mustWire) = (false, false)
    var server = state.server
    for notice in notices where connection.admits(notice) {
      switch notice {
      case .portsChanged:
        (mustLook, connection.hasPortNotice) = (true, true)
        // Notices of a device's ports may come faster than the reports.
        if connection.settling.isPending { connection.settling.note(at: now) }
      case .connectionsChanged, .latenciesChanged: mustLook = true
      case .connected(let link): mustWire = note(link) || mustWire
      case .disconnected(let link): mustWire = noteEnd(of: link) || mustWire
      case .xrun:
        counters.xruns += 1
        listening.loop.xruns.note(at: now)
        let delay = Double(self.server.takeLongestJump()) / Double(connection.facts.sampleRate)
        tell(.xrun(count: counters.xruns, delay: delay))
      case .remark(let sentence): tell(.error(client: 0, address: "", SessionError(.io, sentence)))
      case .periodChanged(let frames):
        (server.period, connection.period) = (frames, frames)
        listening.loop.skip()
      case .rateChanged(let rate):
        guard rate == connection.facts.sampleRate else { return rejoin() }
      case .freewheel(let isOn):
        media.files.setFreewheel(isOn)
        connection.metering.setFreewheel(isOn)
        listening.loop.skip()
        server.isFreewheeling = isOn
        connection.isSetAside = isOn && self.server.setsConnectionsAside
        // Afterwards the server restores the connections from before, without a notice, and what happened meanwhile is looked at now.
        if !isOn { (mustLook, connection.hasPortNotice) = (true, true) }
      case .thrownOut(let reason):
        let why = reason.isEmpty ? "" : ": \(reason)"
        let sentence = "the audio server has thrown the router out, which joins it anew\(why)"
        tell(.error(client: 0, address: "", SessionError(.io, sentence)))
        return rejoin()
      case .shutdown: return lose()
      }
    }
    if server != state.server { happen(.server(server)) }
    if !connection.isSetAside, !connection.postponed.isEmpty {
      let postponed = connection.postponed
      connection.postponed = []
      observe(postponed)
    }
    let submitted = connection.submitted
    if mustWire, !connection.settling.isPending { wire() }
    if mustLook, connection.submitted == submitted { handOver(looking: true) }
  }
}

extension Connection {
  /// Whether a notice counts now. Of what the server tells while it has set connections aside, another period or rate counts afterwards, and
  /// ports, connections and xruns say nothing.
  fileprivate func admits(_ notice: ServerNotice) -> Bool {
    guard isSetAside else { return true }
    switch notice {
    case .freewheel, .thrownOut, .shutdown, .remark: return true
    case .periodChanged, .rateChanged: postponed.append(notice)
    case .portsChanged, .connectionsChanged, .latenciesChanged, .connected, .disconnected, .xrun: break
    }
    return false
  }
}

extension Event {
  /// The event that all ports are away, because there is no server.
  static func portsGone(in state: RouterState) -> Event {
    .portsPresent(
      [Direction.output, .input].flatMap { direction in
        state[direction].values.map { PortPresence(direction, $0.id, members: $0.members.map { _ in nil }) }
      })
  }
}
