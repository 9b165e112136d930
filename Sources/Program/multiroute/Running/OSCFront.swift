import Commands
import ControlInterface
import Metrics
import OSC
import OSCSurface
import Parameters
import Router
import SessionModel
import SessionPolicy
import SystemCalls
import Threads
import Version

/// The OSC surface, and the transports over which clients reach it.
struct OSCFront {
  let surface: SurfaceService
  private let transports: [any OSCTransport]
  private let admission: AdmissionInForce
  private let unlisted: UnlistedHosts?
  private let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - listeners: the open sockets, at least one. They receive nothing before `open(to:)`.
  ///   - web: the transport of WebSockets; nil without a web server.
  ///   - http: where HTTP is served; nil without it.
  ///   - tokens: those for mixes.
  ///   - unlisted: reports hosts that are not allowed.
  ///   - tell: takes a line for the log, without waiting.
  ///   - runErrand: takes the clients' commands that need files.
  ///   - findFiles: takes words that name files of the media folders.
  ///   - counters: further counters of `/system/stats`.
  init(
    _ listeners: Listeners, _ web: WebSocketTransport? = nil, http: Endpoint? = nil,
    admission: Admission = Admission(), tokens: MixTokens = MixTokens(),
    unlisted: UnlistedHosts? = nil,
    tell: @escaping @Sendable (String) -> Void = { _ in },
    runErrand: @escaping SurfaceService.ErrandRunner = SurfaceService.noErrands,
    findFiles: @escaping SurfaceService.FileFinder = SurfaceService.noFiles,
    counters: @escaping @Sendable () -> [Statistic] = { [] }
  ) {
    let transports: [any OSCTransport] = listeners.transports + (web.map { [$0] } ?? [])
    (self.admission, self.unlisted, self.transports) = (AdmissionInForce(admission), unlisted, transports)
    self.tell = tell
    let identity = Surface.Identity(
      name: "multiroute", version: Version.current, epoch: Epoch.now,
      address: transports.first?.endpoints.first?.description ?? "",
      http: http.map { String($0.description.dropFirst(Endpoint.tcpPrefix.count)) } ?? "",
      secondsUntil: { $0.unixTime - System.realtime() },
      owns: { peer in transports.contains { $0.isOwn(peer) } })
    let surface = Surface(identity: identity, admission: admission, tokens: tokens) {
      state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time)
    }
    self.surface = SurfaceService(
      surface, counters: { Self.statistics(of: transports) + counters() },
      expired: { transports.flatMap { $0.takeExpired() } },
      resumed: { transports.flatMap { $0.takeResumed() } },
      isConnected: { peer in
        transports.first { type(of: $0).transport == peer.transport }?.isConnected(peer) ?? true
      }, takeListening: { transports.flatMap { $0.takeListening() } },
      hangUp: { peer in transports.first { type(of: $0).transport == peer.transport }?.hangUp(peer) },
      runErrand: runErrand, findFiles: findFiles,
      textClients: { web?.clients ?? [] }, sendText: { peer, text in web?.send(text: text, to: peer) }
    ) { peer, packet in
      transports.first { type(of: $0).transport == peer.transport }?.send(packet, to: peer)
    }
  }

  private static func statistics(of transports: [any OSCTransport]) -> [Statistic] {
    let counts = transports.map(\.counters).reduce(ReceiverCounts(), +)
    return [
      Statistic("received", counts.received), Statistic("dropped", counts.dropped),
      Statistic("refused", counts.refused), Statistic("withheld", counts.withheld),
    ]
  }

  /// What the surface and the transports have counted. On the policy thread.
  var reading: SurfaceReading {
    var reading = SurfaceReading()
    reading.address = endpoints.first?.description ?? ""
    let clients = surface.clientCounts
    reading.transports = transports.map {
      let name = type(of: $0).transport.name
      return SurfaceReading.Transport(name, packets: $0.counters.received, clients: clients[name] ?? 0)
    }
    return reading
  }

  /// Whether packets and connections of a host are accepted. A host that is not listed is reported. Any thread.
  func admits(_ host: HostAddress) -> Bool {
    if admission.admits(host) { return true }
    unlisted?.note(host, at: MonotonicTime.now)
    return false
  }

  /// Whether a host may read values without a token. Any thread.
  func mayView(_ host: HostAddress) -> Bool { admission.current.right(of: host) >= .view }

  /// Starts the transports; from now on the router receives their commands.
  /// - Throws: `CommandFailure` internalError if the system cannot make another thread.
  func open(to service: RouterService) throws(CommandFailure) {
    let router = service.router
    let entrance = surface.entrance
    surface.serve { [weak router] in router?.submit($0) ?? false }
    let reception = Reception(
      admits: admits, peek: entrance.enter,
      receive: { entrance.take($0, from: $1, at: MonotonicTime.now) },
      receiveText: { [surface] in surface.receive(text: $0, from: $1) }, leave: entrance.leave, tell: tell)
    do throws(SocketError) {
      for transport in transports { try transport.start(reception) }
    } catch {
      throw CommandFailure(.internalError, "multiroute: \(error)")
    }
  }

  /// Gives the surfaces of the configuration their banks of strips.
  func sizeBanks(by service: RouterService) {
    for surface in admission.current.surfaces {
      guard let bank = surface.bank else { continue }
      let event = Event.router(.strips(.size(bank.number, bank.size)))
      service.post { [tell] router in
        guard let error = await router.happen(event) else { return }
        tell("the surface \(surface.name) gets no bank of strips: \(error.sentence)")
      }
    }
  }

  /// Replaces the permissions of hosts. The transports use them at once, the surface soon.
  ///
  /// - Returns: whether they differ from those before.
  func admit(_ next: Admission, by service: RouterService) -> Bool {
    guard admission.replace(by: next) else { return false }
    service.post { [surface] _ in surface.admit(next) }
    sizeBanks(by: service)
    return true
  }

  /// The endpoints at which OSC is received: UDP first, then TCP, then Unix sockets.
  var endpoints: [Endpoint] { transports.flatMap(\.endpoints) }

  /// What OSCQuery tells of the router: its first port of UDP, else of TCP, and that of HTTP.
  func queryHost(_ name: String, _ web: Endpoint) -> QueryHost {
    let ports = endpoints.compactMap { endpoint -> (port: UInt16, transport: QueryHost.Transport)? in
      switch endpoint {
      case .udp(_, let port): (port, .udp)
      case .tcp(_, let port): (port, .tcp)
      case .unix: nil
      }
    }
    let webPort = if case .tcp(_, let port) = web { port } else { UInt16(0) }
    return QueryHost(name: name, osc: ports.first, webPort: webPort)
  }

  /// Stops the transports.
  func close() { for transport in transports { transport.stop() } }

  /// Removes the transports' files, for a router that ends without a thread that hangs.
  func removeFiles() { for transport in transports { transport.removeFiles() } }
}
