import MixEngine
import OSC
import SessionModel
import Surface

extension Router {
  /// Begins to look for the audio server, which goes on until there is one; returns at once.
  public func seekServer() { backend.seek(name: settings.clientName, server: settings.serverName) }

  /// Why the last try to find the audio server failed; nil while none has, and while there is a server.
  public var missing: BackendError? { mix == nil ? lastFailure : nil }

  /// Looks what the search for the server has come to.
  func followSearch() {
    guard !isStopping else { return }
    switch backend.takeFinding() {
    case nil: break
    case .missing(let error): lastFailure = error
    case .found:
      do throws(BackendError) { try open() } catch {
        lastFailure = error
        seekServer()
      }
    }
  }

  /// Takes up work at the server that was found.
  /// - Throws: `BackendError` when it refuses, or is gone.
  func open() throws(BackendError) {
    // Frames are counted and gates start closed anew with every server, so the engine is new, too.
    var made: MixEngine?
    do throws(BackendError) {
      try backend.open { sampleRate in
        let engine = MixEngine(sampleRate: Double(sampleRate))
        made = engine
        return engine.kernel
      }
    } catch {
      // The audio thread may run before the server refuses, and the kernel must outlive it.
      withExtendedLifetime(made) { backend.close() }
      throw error
    }
    guard let engine = made else { return }
    var server = ServerState()
    (server.isRunning, server.clientName) = (true, backend.clientName)
    (server.rate, server.period) = (backend.sampleRate, backend.period)
    mix = MixKeeper(engine: engine, rate: Double(backend.sampleRate))
    lane.use(engine.early)
    book = PortBook()
    reconciler = Reconciler()
    exclusives = ExclusiveSources()
    // One that only stood still has kept what we did to its cables.
    if let owed = owedBefore, owed.server == backend.serverIdentity { exclusives.inherit(owed.links) }
    owedBefore = nil
    meters.restart()
    paths = nil
    liveness = Liveness()
    lastFailure = nil
    happen(.server(server))
    if let (preset, kept) = waitingPreset {
      waitingPreset = nil
      apply(preset, restoring: kept)
    }
    wire()
    exclusives.giveBackInherited(at: backend)
  }

  /// Leaves a server that is gone, and looks for it again.
  func lose() {
    owedBefore = owed
    backend.close()
    mix = nil
    lane.use(nil)
    watch = SourceWatch()
    settling = PortSettling()
    liveness = Liveness()
    refuseSyncs()
    happen(.server(ServerState()))
    happen(.portsGone(in: state))
    followBridges()
    seekServer()
  }

  /// Nothing adopts what syncs wait for any more.
  private func refuseSyncs() {
    let error = SessionError(.mediaServicesFailed, "the audio server is gone, so nothing is adopted now")
    for (sync, _) in syncs { send(Surface.Datagram(to: sync.peer, .message(sync.refused(error)))) }
    syncs = []
  }

  /// Asks the server for the period that sessions wish, where that is allowed: it is everybody's. What it has is read back.
  func askForPeriod() {
    guard settings.allowsPeriodChange, mix != nil else { return }
    guard let wished = state.wishedPeriod, wished != askedPeriod else {
      if state.wishedPeriod == nil { askedPeriod = nil }
      return
    }
    askedPeriod = wished
    guard wished != state.server.period else { return }
    do throws(BackendError) { try backend.requestPeriod(wished) } catch {
      tell(
        .error(client: 0, address: "", SessionError(.io, "the period stays \(state.server.period): \(error)"))
      )
    }
  }

  /// Acts on what the server told us.
  func heed(_ notices: [ServerNotice]) {
    var mustWire = false
    var server = state.server
    for notice in notices {
      switch notice {
      case .portsChanged:
        // Ours come with every session, and nothing has to settle then.
        if backend.systemPorts() == seenPorts { mustWire = true } else { settling.note(at: now) }
      case .connectionsChanged: mustWire = true
      case .xrun:
        xruns += 1
        tell(.xrun(count: xruns))
      case .remark(let sentence): tell(.error(client: 0, address: "", SessionError(.io, sentence)))
      case .periodChanged(let frames): server.period = frames
      case .rateChanged(let rate): server.rate = rate
      case .freewheel(let isOn):
        // At its end the server puts back the cables that there were at its beginning, and tells nobody.
        if !isOn { mustWire = true }
      case .shutdown:
        lose()
        return
      }
    }
    if server != state.server { happen(.server(server)) }
    if settling.isOver(at: now) || mustWire && !settling.isPending { wire() }
  }

  /// Brings devices, cables and gates up to date, in this order: what appears is connected while its gate is closed.
  func wire() {
    guard let mix, !isWiring else { return }
    isWiring = true
    defer { isWiring = false }
    let system = backend.systemPorts()
    seenPorts = system
    awaitsNodes = system.contains { $0.origin == .awaited }
    followBridges()
    var discovery = Discovery(state, system)
    let superseded = discovery.superseded
    if !superseded.isEmpty {
      for (direction, port) in superseded { happen(.forgetPort(direction, port)) }
      discovery = Discovery(state, system)
    }
    note(discovery.presences)
    let found = discovery.found
    if !found.isEmpty {
      for (direction, port) in found { happen(.declarePort(direction, port)) }
      // At once, so that a device with both directions is one change of route; the last of several counts as the last in.
      note(Discovery(state, system).presences.reversed())
    }
    alignArrivals()
    updateMix()
    wired = state
    let wanted = WantedLinks(state, system, client: backend.clientName)
    reconciler.reconcile(
      wanted, system, at: backend, frame: mix.engine.framesProcessed,
      closed: mix.endOfRamp(state, margin: margin),
      gone: mix.engine.framesProcessed + UInt64(3 * backend.period))
    takeExclusive(wanted)
    followLiveness(closed: mix.endOfRamp(state, margin: margin))
    noteDirectCables(wanted)
  }

  private func note(_ presences: [PortPresence]) {
    if !presences.isEmpty { happen(.portsPresent(presences)) }
  }

  /// Takes the sources of exclusive streams from others, and says with whom it must be settled in another way.
  private func takeExclusive(_ wanted: WantedLinks) {
    for link in exclusives.take(wanted, state, at: backend, time: now) {
      let sentence =
        "another program connects \(link.source) to \(link.sink) again and again, although its stream is exclusive"
      tell(.error(client: 0, address: "", SessionError(.io, sentence)))
    }
  }

  /// Finds out who hears the programs directly.
  private func noteDirectCables(_ wanted: WantedLinks) {
    var direct: [StreamAddress: [String]] = [:]
    let ours = "\(backend.clientName):"
    for case (let link, .stream(let address)) in wanted.links {
      for sink in backend.connections(of: link.source) where !sink.hasPrefix(ours) {
        if direct[address]?.contains(sink) != true { direct[address, default: []].append(sink) }
      }
    }
    for session in state.sessions.values {
      for stream in session.streams.values {
        let sinks = direct[StreamAddress(session: session.id, stream: stream.id)] ?? []
        if sinks != stream.directSinks { happen(.heardDirectly(session.id, stream.id, sinks)) }
      }
    }
  }

  /// Opens and closes gates by what is really connected.
  /// - Parameter closed: the engine frame at which a gate that starts to close now is closed.
  private func followLiveness(closed: UInt64) {
    var live = Liveness()
    var (fed, captured) = (Set<SessionID>(), Set<SessionID>())
    for port in state.outputs.values where isConnected(port, .output) { live.outputs.insert(port.id) }
    for port in state.inputs.values where isConnected(port, .input) { live.inputs.insert(port.id) }
    for session in state.sessions.values {
      for stream in session.streams.values {
        guard hasSource(stream, of: session, live) else { continue }
        fed.insert(session.id)
        let address = StreamAddress(session: session.id, stream: stream.id)
        if !reconciler.mustClose(.stream(address)) { live.streams.insert(address) }
      }
      if !reconciler.mustClose(.capture(session.id)) { live.captures.insert(session.id) }
      if isCaptured(session) { captured.insert(session.id) }
    }
    for owner in liveness.owners.subtracting(live.owners) { reconciler.rest(owner, until: closed) }
    liveness = live
    updateMix()
    watch.keep { state.sessions[$0] != nil }
    for session in state.sessions.values {
      // A stream whose gate closes for a change of cables is no stream that vanished.
      // Who only records has no stream: its programs are those that take its capture.
      let isConnected = (session.streams.isEmpty ? captured : fed).contains(session.id)
      if session.isCapturing != captured.contains(session.id) {
        happen(.capturing(session.id, captured.contains(session.id)))
      }
      if let change = watch.note(session, isConnected: isConnected, at: now) {
        happen(.connected(session.id, change))
      }
    }
  }

  private func isConnected(_ port: Port, _ direction: Direction) -> Bool {
    let owner = direction == .output ? LinkOwner.output(port.id) : .input(port.id)
    guard !reconciler.mustClose(owner), port.channels > 0 else { return false }
    return (1...port.channels).contains { channel in
      let key = direction == .output ? PortKey.output(port.id, channel) : .input(port.id, channel)
      return !backend.connections(of: "\(backend.clientName):\(key.name)").isEmpty
    }
  }

  /// Whether a program takes a session's capture.
  private func isCaptured(_ session: Session) -> Bool {
    guard session.capture.channels > 0 else { return false }
    return (1...session.capture.channels).contains { channel in
      !backend.connections(of: "\(backend.clientName):\(PortKey.capture(session.id, channel).name)").isEmpty
    }
  }

  private func hasSource(_ stream: SessionStream, of session: Session, _ live: Liveness) -> Bool {
    for case .input(let port, _) in stream.sources where live.inputs.contains(port) { return true }
    return (1...stream.channels).contains { channel in
      let name = PortKey.stream(session.id, stream.id, channel).name
      return !backend.connections(of: "\(backend.clientName):\(name)").isEmpty
    }
  }
}

extension Event {
  /// All ports away, as they are when the server is.
  static func portsGone(in state: RouterState) -> Event {
    .portsPresent(
      [Direction.output, .input].flatMap { direction in
        state[direction].values.map { PortPresence(direction, $0.id, members: $0.members.map { _ in nil }) }
      })
  }
}
