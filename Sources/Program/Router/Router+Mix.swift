import MixEngine
import MixKernel
import ServerInterface
import SessionModel
import VoiceKernel

extension Router {
  /// Applies the state to the mix, and carries out what it wants of players and recorders.
  ///
  /// - Parameters:
  ///   - time: the start of new fades, in seconds since the router's start; nil is now.
  ///   - fade: seconds of a recall's fade; nil if the change is no recall.
  /// - Returns: the part of the mix that was published; nil while there is no audio server, and if players or recorders got orders.
  @discardableResult
  func updateMix(at time: Double? = nil, fading fade: Double? = nil) -> MixChange? {
    guard let connection else { return nil }
    let time = time ?? now
    var orders = media.follow(
      state, at: time, frame: connection.mix.engine.framesProcessed, fading: fade)
    let meters = connection.metering
    if meters.follow(state, isWatched: isWatchingMeters) || !orders.isEmpty {
      if orders.isEmpty { orders = media.orders }
      meters.add(to: &orders)
    }
    let voices = connection.voices
    voices.follow(state, rate: connection.facts.sampleRate, period: connection.period)
    if voices.due == nil, !voices.isEmpty { voices.due = time }
    connection.liveness.voices = voices.gates
    let effects = connection.effects
    effects.follow(state, period: connection.period, fading: fade)
    var mixMedia = media.mix
    (mixMedia.voices, mixMedia.effects, mixMedia.meters) = (voices.mix, effects.mix, meters.mix)
    let live = orders.isEmpty ? connection.liveness : media.opening(connection.liveness, in: state)
    // Changes the mix in place, because a copy would copy all its tables each time a fader moves.
    let change = connection.mix.update(
      departure == .none ? state : state.silenced, live, at: time, margin: connection.margin, fade: fade,
      media: mixMedia, orders: orders, feeds: { self.feeds($0, connection) }, provide: provide)
    if voices.isSwitching {
      voices.endFadeOut(at: connection.mix.endOfRamp(state, margin: connection.margin))
    }
    if !effects.mix.isEmpty {
      effects.endFadeIn(at: connection.mix.endOfRamp(state, margin: connection.margin))
    }
    if meters.isReleasing { meters.notePlan(connection.mix.engine.serial) }
    if change == .whole { portsMayHaveChanged(connection) }
    return orders.isEmpty ? change : nil
  }

  /// The ports of other clients that a state connects to the router's ports, by these ports' names.
  private func feeds(_ state: RouterState, _ connection: Connection) -> [String: Set<String>] {
    let client = connection.facts.clientName
    let links = WantedLinks(state, connection.graph.ports, client: client).links.map(\.link)
    return Dictionary(grouping: links) { String($0.sink.dropFirst(client.count + 1)) }
      .mapValues { Set($0.map(\.source)) }
  }

  /// Returns the handles of JACK ports, and orders missing ports from the server. Until these exist, the mix does without them.
  func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
    guard let connection else { return [:] }
    connection.book.want(ports, in: state, by: connection.next)
    return connection.book.handles
  }

  /// Adds new JACK ports to the mix. Their stages begin as new ones, so gates begin closed.
  func adoptPorts(_ connection: Connection) {
    connection.mix.refresh(at: now) { _ in connection.book.handles }
    portsMayHaveChanged(connection)
    // An answer to a sync must say that new ports are in the mix, too.
    publishing.postpone(until: connection.mix.engine.serial)
  }

  /// Updates the meters, the list of wanted ports and the latencies after a change of the mix's structure.
  private func portsMayHaveChanged(_ connection: Connection) {
    let (points, engine) = (connection.mix.points, connection.mix.engine)
    let handles = connection.book.handles
    connection.meters.follow(
      points.filter { $0.endpoint(handles) != nil },
      copies: connection.mix.copies.filter { handles[$0.sink] != nil }, from: engine.structureSerial)
    connection.book.retire(allBut: points.compactMap(\.port), from: engine.serial)
    connection.order.ports = connection.book.list
    connection.order.paths = paths(connection)
  }

  /// Removes crosspoints that have faded out, and ports that the audio thread no longer uses.
  func releaseFaded() {
    guard let connection else { return }
    if connection.mix.isFadingOut, connection.mix.release(at: now, provide: provide) {
      portsMayHaveChanged(connection)
    }
    if connection.voices.isSwitching, connection.voices.advance(at: connection.mix.engine.framesProcessed) {
      updateMix()
    }
    if connection.effects.isSwitching, connection.effects.advance(at: connection.mix.engine.framesProcessed) {
      updateMix()
    }
    if connection.effects.isReleasing, connection.effects.release() { updateMix() }
    media.release(connection.mix)
    if connection.metering.isReleasing {
      connection.metering.release(adopted: connection.mix.engine.adoptedSerial)
    }
    if connection.book.hasRetiring, connection.book.clean(adopted: connection.mix.engine.adoptedSerial) {
      connection.order.ports = connection.book.list
    }
  }

  /// Whether a fade changes the delay of an output.
  var hasMovingDelays: Bool { state.outputs.values.contains { $0.delay.isFading(at: now) } }

  /// Moves delays that a fade changes, which the audio thread crossfades step by step, and the levels of members of groups.
  func followMoves() {
    connection?.mix.slide(at: now)
    guard hasMovingDelays else { return }
    connection?.mix.refresh(at: now, provide: provide)
  }

  /// All paths through the matrix with their delays in frames, from which the graph thread computes latencies. Paths that lead back to
  /// the client that they come from are left out.
  func paths(_ connection: Connection) -> Set<LatencyPath> {
    var paths = Set<LatencyPath>()
    let handles = connection.book.handles
    let sounding = ways(connection)
    var names: [PortKey: String] = [:]
    func name(_ key: PortKey) -> String {
      if let name = names[key] { return name }
      let name = connection.name(of: key)
      names[key] = name
      return name
    }
    var loops = LatencyLoops(
      connection.neighbours, paths: sounding.map { Link(source: name($0.source), sink: name($0.sink)) })
    for cell in sounding {
      guard let source = handles[cell.source], let sink = handles[cell.sink],
        !loops.contain(Link(source: name(cell.source), sink: name(cell.sink)))
      else { continue }
      var delay = 0
      switch cell.sink {
      case .output(let port, _):
        delay =
          state.outputs[port].map { Int(($0.heldBack($0.delay.target) * connection.mix.rate).rounded()) } ?? 0
        delay += connection.effects.mix[.output(port)]?.delay ?? 0
      case .capture(let session, _): delay = connection.effects.mix[.capture(session)]?.delay ?? 0
      default: break
      }
      paths.insert(LatencyPath(source: source, sink: sink, delay: delay + cell.latency))
    }
    return paths
  }

  /// The ways from the router's input ports to its output ports, with the latency of voice processing and effects in frames.
  ///
  /// Players and recorders are no ports of JACK, and no sound from elsewhere passes them.
  private func ways(_ connection: Connection) -> [(source: PortKey, sink: PortKey, latency: Int)] {
    let cells = connection.mix.sounding
    var fed: [InsertPlace: [MixPoint]] = [:]
    for case (let source, .effect(let place, _)) in cells.map({ ($0.row.source, $0.sink) }) {
      fed[place, default: []].append(source)
    }
    /// The ports from which sound comes to a source, with what it takes until there. The effects of an input come before those of a stream.
    func origins(_ point: MixPoint) -> [(port: PortKey, latency: Int)] {
      switch point {
      case .port(let port): [(port, 0)]
      case .effect(let place, _):
        (fed[place] ?? []).flatMap(origins).map {
          ($0.port, $0.latency + (connection.effects.mix[place]?.delay ?? 0))
        }
      default: []
      }
    }
    var microphones: [SessionID: [(port: PortKey, latency: Int)]] = [:]
    for case (let source, .voice(let session, _)) in cells.map({ ($0.row.source, $0.sink) }) {
      microphones[session, default: []] += origins(source)
    }
    return cells.flatMap { cell -> [(source: PortKey, sink: PortKey, latency: Int)] in
      guard let sink = cell.sink.port else { return [] }
      guard case .voice(let session, let channel) = cell.row.source else {
        return origins(cell.row.source).map { ($0.port, sink, $0.latency) }
      }
      return (microphones[session] ?? []).map { ($0.port, sink, $0.latency + channel.store.timing.latency) }
    }
  }
}

extension RouterState {
  /// The same state with all outputs silent.
  fileprivate var silenced: RouterState {
    var state = self
    state.isPanicking = true
    return state
  }
}
