import JackClient
public import MixKernel
import PipeWire
public import ServerInterface
import Synchronization

/// JACK as the router's audio server, with one `JackBackend` for each time it joins a server.
///
/// Calls that may wait belong to the graph thread (see `AudioServer`). Shared state is behind short locks.
public final class JackAudio: AudioServer, @unchecked Sendable {
  // MARK: State of the graph thread

  private var backend: JackBackend?
  /// The name of the server to look for, nil for the default server.
  private var server: String?
  /// The client name that the router wants.
  private var wantedName: String?
  /// The client name that the last server gave us for it.
  private var lastName: String?
  /// What distinguishes the last server from others; nil if the system does not show it.
  private var lastIdentity: String?

  // MARK: Shared

  private struct Shared: @unchecked Sendable {
    /// Looks for a server while none is joined.
    var seeker: ServerSeeker?
    /// The backend that the search found, until `open` takes it.
    var found: JackBackend?
    /// The backend whose notices are read; nil from the start of `close` on.
    var attached: JackBackend?
    /// PipeWire's directory of devices; nil at jackd, which has none.
    var nodes: NodeDirectory?
    /// The socket of the server that the search found.
    var socket: ServerSocket?
    var programs = Programs()
  }

  /// The programs at the server.
  private struct Programs {
    /// The clients that owned ports when the ports were last read.
    var clients: Set<String> = []
    /// The process of each of these clients, as far as PipeWire knows it; empty at jackd.
    var processes: [String: Int] = [:]

    /// The names of those that are stopped.
    func stopped() -> [String] {
      guard processes.isEmpty else {
        return processes.filter { StoppedPrograms.isStopped("\($0.value)") }.keys.sorted()
      }
      return StoppedPrograms.names(among: clients)
    }
  }

  private let shared: Mutex<Shared>

  /// The function that `wakeOnNews` set.
  private let wake = Mutex<@Sendable () -> Void>({})

  public init() {
    shared = Mutex(Shared(nodes: nil))
    guard JackClient.isPipeWire else { return }
    let nodes = NodeDirectory { [weak self] in self?.callWake() }
    shared.withLock { $0.nodes = nodes }
  }

  private func callWake() { wake.withLock { $0 }() }

  // MARK: Graph thread

  public func seek(name: String, server: String?, isThere: Bool) {
    close(isThere: isThere)
    if name != wantedName { (wantedName, lastName) = (name, nil) }
    self.server = server
    let visit: ServerSeeker.Visit = lastName == nil ? .first : isThere ? .anew : .afterLoss
    // After the loss of a server the router asks for the client name that it had there.
    let seeker = ServerSeeker(name: lastName ?? name, server: server, visit: visit) {
      [weak self] in self?.callWake()
    }
    shared.withLock { ($0.seeker, $0.socket) = (seeker, .ofLibrary(server: server)) }
    // The search may have ended already, before `takeFinding` could see it.
    callWake()
  }

  public func open(_ kernel: UnsafeMutablePointer<KernelState>) throws(AudioServerError) -> ServerFacts {
    backend = shared.withLock { shared in
      shared.attached = shared.found.take()
      return shared.attached
    }
    guard let backend else { throw .noServer("no JACK server was found") }
    do throws(JackError) { try backend.start(kernel) } catch { throw .refused("JACK refused: \(error)") }
    lastName = backend.clientName
    let socket = ServerSocket.ofLibrary(server: server)
    // A server that seemed to live on has ended, and its successor numbers its ports anew.
    if socket.identity != lastIdentity { shared.withLock { $0.nodes?.restart() } }
    lastIdentity = socket.identity
    return ServerFacts(
      clientName: backend.clientName, sampleRate: backend.sampleRate, period: backend.period,
      identity: lastIdentity, portLimit: socket.portLimit,
      noticeDescriptor: backend.wakeDescriptor < 0 ? nil : backend.wakeDescriptor)
  }

  public func close() { close(isThere: false) }

  /// - Parameter isThere: whether the server lives on, so that its numbers of ports remain true.
  private func close(isThere: Bool) {
    let (seeker, found) = shared.withLock { shared in
      defer {
        (shared.seeker, shared.found, shared.attached) = (nil, nil, nil)
        if !isThere { shared.nodes?.restart() }
      }
      return (shared.seeker, shared.found)
    }
    seeker?.stop()
    found?.close()
    backend?.close()
    backend = nil
  }

  public func register(
    _ name: String, prettyName: String, isSource: Bool
  ) throws(AudioServerError) -> PortHandle {
    guard let backend else { throw .refused("there is no JACK server") }
    do throws(JackError) {
      let handle = try backend.registerPort(name, isInput: isSource)
      backend.setPrettyName(prettyName, of: handle)
      return handle
    } catch {
      throw .refused("\(error)")
    }
  }

  public func unregister(_ port: PortHandle) { backend?.unregisterPort(port) }

  public func systemPorts() -> [SystemPort] {
    let ports = backend?.systemPorts() ?? []
    return shared.withLock { shared in
      shared.programs.clients = Set(ports.map { String($0.client) })
      guard let described = shared.nodes?.describe(ports) else { return ports }
      let processes = described.compactMap { port in port.node?.process.map { (String(port.client), $0) } }
      shared.programs.processes = Dictionary(processes, uniquingKeysWith: { first, _ in first })
      return described
    }
  }

  public var isChanging: Bool { backend?.isChanging ?? false }

  public func connections(of port: String) -> [String] { backend?.connections(of: port) ?? [] }

  public func connect(_ source: String, to sink: String) -> Bool {
    do { try backend?.connect(source, to: sink) } catch { return false }
    return backend != nil
  }

  public func disconnect(_ source: String, from sink: String) { backend?.disconnect(source, from: sink) }

  public func disconnectAll(_ ports: [String]) { backend?.disconnectAll(ports) }

  /// Paths that the server has not applied are in force when it next computes latencies.
  public func publish(_ paths: [LatencyPath]) { try? backend?.publishPaths(paths) }

  public func requestPeriod(_ frames: Int) throws(AudioServerError) {
    do throws(JackError) { try backend?.setPeriod(frames) } catch { throw .refused("\(error)") }
  }

  public func playbackLatency(of port: String) -> Int { backend?.playbackLatency(of: port)?.upperBound ?? 0 }
  public func captureLatency(of port: String) -> Int { backend?.captureLatency(of: port)?.upperBound ?? 0 }

  // MARK: Policy thread

  public func wakeOnNews(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

  public func takeFinding() -> Finding? {
    let outcome = shared.withLock { shared -> Result<Int, JackError>? in
      switch shared.seeker?.take() {
      case nil: return nil
      case .success(let found):
        shared.found = found
        return .success(found.sampleRate)
      case .failure(let error): return .failure(error)
      }
    }
    switch outcome {
    case nil: return nil
    case .success(let rate): return .found(sampleRate: rate)
    case .failure(.noServer(let name)):
      let which = name.map { "named '\($0)' " } ?? ""
      return .missing(.noServer("no JACK server \(which)answers"))
    case .failure(let error): return .missing(.refused("JACK refused: \(error)"))
    }
  }

  public func takeNotices() -> [ServerNotice] {
    shared.withLock { shared in
      guard let attached = shared.attached else { return [] }
      var notices = attached.takeNotices { !shared.programs.stopped().isEmpty }
      if shared.nodes?.takeNews() == true { notices.append(.portsChanged) }
      notices += (shared.nodes?.takeRemarks() ?? []).map { .remark($0) }
      return notices
    }
  }

  // MARK: Any thread

  public var secondsWithoutPeriod: Double? { shared.withLock { $0.attached?.secondsWithoutPeriod } }

  public var isFreewheeling: Bool { shared.withLock { $0.attached?.isFreewheeling ?? false } }

  public var setsConnectionsAside: Bool {
    shared.withLock { JackClient.isPipeWire || $0.programs.clients.contains(JackClient.driver) }
  }

  public var secondsWithoutCall: Double? { shared.withLock { $0.attached?.secondsWithoutCall } }

  public var load: Double? { shared.withLock { $0.attached.map { Double($0.serverLoad) / 100 } } }

  public var audioThread: Int? { shared.withLock { $0.attached?.audioThreadNumber } }

  public func takeLongestJump() -> Int { shared.withLock { $0.attached?.takeLongestJump() ?? 0 } }

  public func stoppedPrograms() -> [String] { shared.withLock { $0.programs }.stopped() }

  public func abandonCalls() { shared.withLock { $0.socket }?.stopReading() }
}
