public import MixKernel
import Synchronization

/// An audio server in memory, for tests. It has ports and connections but no sound.
///
/// A test acts for the operator with `connectByHand` and `disconnectByHand`, and for the server's other programs with `plug` and
/// `unplug`. Any thread may call it.
public final class MemoryServer: AudioServer {
  private struct Content {
    var others: [SystemPort]
    var clientName: String
    var ours: [PortHandle: String] = [:]
    var connections: Set<[String]> = []
    var connectionCounts: [[String]: Int] = [:]
    var paths: [LatencyPath] = []
    var refusal: AudioServerError?
    var refusedPorts: Set<String> = []
    var refusedSources: Set<String> = []
    var isBusy = false
    var isChanging = false
    var late: Set<[String]> = []
    var isSeeking = false
    var isRunning = false
    var diesWhileOpening = false
    var sampleRate = 48_000
    var requestedPeriods: [Int] = []
    var notices: [ServerNotice] = []
    var nextHandle: UInt = 1
    var looks = 0
    var stopped: [String] = []
    /// The connections that the server has set aside while it freewheels; nil while it does not.
    var aside: Set<[String]>?
  }

  private let content: Mutex<Content>
  /// Called at the start of each call that may wait, with the call's name; a test may block in it.
  private let beforeCall: @Sendable (String) -> Void

  /// - Parameters:
  ///   - others: the other clients' ports at the start.
  ///   - clientName: our name until `seek` gives another.
  ///   - beforeCall: called at the start of each call of the graph thread, with the call's name.
  public init(
    _ others: [SystemPort] = [], clientName: String = "",
    beforeCall: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    content = Mutex(Content(others: others, clientName: clientName))
    self.beforeCall = beforeCall
  }

  // MARK: State for tests to read

  /// The ports of all other clients.
  public var others: [SystemPort] {
    get { content.withLock { $0.others } }
    set { content.withLock { $0.others = newValue } }
  }
  /// Our ports, by full name.
  public var ours: [PortHandle: String] { content.withLock { $0.ours } }
  /// The present connections, each as source and sink.
  public var connections: Set<[String]> { content.withLock { $0.connections } }
  /// How often the router made each connection.
  public var connectionCounts: [[String]: Int] { content.withLock { $0.connectionCounts } }
  public var paths: [LatencyPath] { content.withLock { $0.paths } }
  /// Whether the audio thread runs.
  public var isRunning: Bool { content.withLock { $0.isRunning } }
  /// The periods that were requested, in order.
  public var requestedPeriods: [Int] { content.withLock { $0.requestedPeriods } }
  /// How often the router has read the list of all ports.
  public var looks: Int { content.withLock { $0.looks } }

  // MARK: Changes for tests to make

  /// Makes the search, the joining and requests for a period fail with this error; nil lets them succeed.
  public func refuse(with error: AudioServerError?) { content.withLock { $0.refusal = error } }

  /// Refuses to register ports of these names.
  public func refuse(ports: Set<String>) { content.withLock { $0.refusedPorts = ports } }

  /// Refuses connections from these ports, as a server does while their client is not yet active.
  public func refuse(sources: Set<String>) { content.withLock { $0.refusedSources = sources } }

  /// Sets whether the server is busy. A busy server accepts connections, and makes them when it is no longer busy.
  public func beBusy(_ isBusy: Bool) {
    content.withLock { content in
      content.isBusy = isBusy
      guard !isBusy else { return }
      content.connections.formUnion(content.late)
      content.late = []
    }
  }

  /// Sets whether a change of connections is under way.
  public func change(_ isChanging: Bool) { content.withLock { $0.isChanging = isChanging } }

  /// Sets whether the server ends within `open`, after it has started the audio thread.
  public func dieWhileOpening(_ dies: Bool) { content.withLock { $0.diesWhileOpening = dies } }

  /// Changes the server's rate and sends the notice.
  public func changeRate(to rate: Int) {
    content.withLock { content in
      content.sampleRate = rate
      content.notices.append(.rateChanged(rate))
    }
  }

  /// Sends a notice.
  public func tell(_ notice: ServerNotice) { content.withLock { $0.notices.append(notice) } }

  /// Makes a connection as the operator does with another program, and sends the notice.
  public func connectByHand(_ source: String, to sink: String) {
    content.withLock { content in
      content.connections.insert([source, sink])
      content.notices += [.connectionsChanged, .connected(Link(source: source, sink: sink))]
    }
  }

  /// Removes a connection as the operator does with another program, and sends the notice.
  public func disconnectByHand(_ source: String, from sink: String) {
    content.withLock { content in
      content.connections.remove([source, sink])
      content.notices += [.connectionsChanged, .disconnected(Link(source: source, sink: sink))]
    }
  }

  /// Adds other programs' ports and sends the notice.
  public func plug(_ ports: [SystemPort]) {
    content.withLock { content in
      content.others += ports
      content.notices.append(.portsChanged)
    }
  }

  /// Removes a program's ports and their connections, and sends the notice.
  public func unplug(_ client: String) {
    content.withLock { content in
      content.others.removeAll { $0.client == client }
      content.connections = content.connections.filter { !$0.contains { $0.hasPrefix(client + ":") } }
      content.notices.append(.portsChanged)
    }
  }

  /// Begins to freewheel or ends it, as jackd does: meanwhile the driver's ports have no connections, and afterwards all connections are those
  /// of before. Nothing but a notice tells of it.
  /// - Parameter isTold: whether the notice comes at once; otherwise use `tell`.
  public func freewheel(_ isOn: Bool, isTold: Bool = true) {
    content.withLock { content in
      if isOn {
        content.aside = content.connections
        content.connections = content.connections.filter { !$0.contains { $0.hasPrefix("system:") } }
      } else {
        content.connections = content.aside ?? content.connections
        content.aside = nil
      }
      if isTold { content.notices.append(.freewheel(isOn)) }
    }
  }

  /// Gives ports other names, all at once. They keep their numbers and their connections.
  public func rename(_ names: [String: String]) {
    content.withLock { content in
      func now(_ name: String) -> String { names[name] ?? name }
      content.others = content.others.map { port in
        var port = port
        port.name = now(port.name)
        return port
      }
      content.connections = Set(content.connections.map { $0.map(now) })
      content.notices.append(.portsChanged)
    }
  }

  /// Ends the server, with all connections and ports.
  public func die() {
    content.withLock { content in
      content.refusal = .noServer("gone")
      content.notices = [.shutdown(reason: "gone")]
      content.others = []
    }
  }

  /// Makes these programs count as stopped.
  public func stop(programs: [String]) { content.withLock { $0.stopped = programs } }

  // MARK: AudioServer

  public func seek(name: String, server: String?, isThere: Bool) {
    close()
    beforeCall("seek")
    content.withLock { ($0.clientName, $0.isSeeking) = (name, true) }
  }

  public func open(_ kernel: UnsafeMutablePointer<KernelState>) throws(AudioServerError) -> ServerFacts {
    beforeCall("open")
    let (refusal, facts) = content.withLock { content in
      if let refusal = content.refusal { return (Optional(refusal), ServerFacts?.none) }
      content.isRunning = true
      if content.diesWhileOpening { return (.refused("the server is gone"), nil) }
      return (
        nil,
        ServerFacts(
          clientName: content.clientName, sampleRate: content.sampleRate, period: 256, identity: "memory")
      )
    }
    guard let facts else { throw refusal ?? .refused("no facts") }
    return facts
  }

  public func close() {
    beforeCall("close")
    content.withLock { content in
      let ours = Set(content.ours.values)
      content.connections = content.connections.filter { ours.isDisjoint(with: $0) }
      (content.ours, content.isSeeking, content.isRunning) = ([:], false, false)
    }
  }

  public func register(
    _ name: String, prettyName: String, isSource: Bool
  ) throws(AudioServerError) -> PortHandle {
    beforeCall("register")
    let handle = content.withLock { content -> PortHandle? in
      guard !content.refusedPorts.contains(name) else { return nil }
      let handle = PortHandle(rawValue: content.nextHandle)
      content.nextHandle += 1
      content.ours[handle] = "\(content.clientName):\(name)"
      return handle
    }
    guard let handle else { throw .refused("no room for \(name)") }
    return handle
  }

  public func unregister(_ port: PortHandle) {
    beforeCall("unregister")
    content.withLock { content in
      guard let name = content.ours.removeValue(forKey: port) else { return }
      content.connections = content.connections.filter { !$0.contains(name) }
    }
  }

  public func systemPorts() -> [SystemPort] {
    content.withLock { content in
      content.looks += 1
      return content.others
    }
  }

  public var isChanging: Bool { content.withLock { $0.isChanging } }

  public func connections(of port: String) -> [String] {
    content.withLock { content in
      content.connections.filter { $0.contains(port) }.map { $0[0] == port ? $0[1] : $0[0] }.sorted()
    }
  }

  public func connect(_ source: String, to sink: String) -> Bool {
    beforeCall("connect")
    return content.withLock { content in
      guard !content.refusedSources.contains(source) else { return false }
      if content.isBusy {
        content.late.insert([source, sink])
      } else {
        content.connections.insert([source, sink])
      }
      content.connectionCounts[[source, sink], default: 0] += 1
      return true
    }
  }

  public func disconnect(_ source: String, from sink: String) {
    beforeCall("disconnect")
    content.withLock { _ = $0.connections.remove([source, sink]) }
  }

  public func disconnectAll(_ ports: [String]) {
    beforeCall("disconnectAll")
    content.withLock { content in
      content.connections = content.connections.filter { Set($0).isDisjoint(with: ports) }
    }
  }

  public func publish(_ paths: [LatencyPath]) {
    beforeCall("publish")
    content.withLock { $0.paths = paths }
  }

  public func requestPeriod(_ frames: Int) throws(AudioServerError) {
    beforeCall("requestPeriod")
    let refusal = content.withLock { content in
      content.requestedPeriods.append(frames)
      if content.refusal == nil { content.notices.append(.periodChanged(frames)) }
      return content.refusal
    }
    if let refusal { throw refusal }
  }

  public func playbackLatency(of port: String) -> Int { 512 }
  public func captureLatency(of port: String) -> Int { 128 }

  public func wakeOnNews(_ wake: @escaping @Sendable () -> Void) {}

  public func takeFinding() -> Finding? {
    content.withLock { content in
      guard content.isSeeking else { return nil }
      if let refusal = content.refusal { return .missing(refusal) }
      content.isSeeking = false
      return .found(sampleRate: content.sampleRate)
    }
  }

  public func takeNotices() -> [ServerNotice] {
    content.withLock { content in
      defer { content.notices = [] }
      return content.notices
    }
  }

  public var secondsWithoutPeriod: Double? { 0 }
  public var isFreewheeling: Bool { content.withLock { $0.aside != nil } }
  public var setsConnectionsAside: Bool { others.contains { $0.client == "system" } }
  /// The audio thread is called unless a stopped program feeds it.
  public var secondsWithoutCall: Double? {
    content.withLock { content in
      let ours = Set(content.ours.values)
      let waits = content.connections.contains {
        content.stopped.contains(Link.client(of: $0[0])) && ours.contains($0[1])
      }
      return waits ? 10 : 0
    }
  }
  public func takeLongestJump() -> Int { 0 }
  public var load: Double? { nil }
  public var audioThread: Int? { nil }
  public func stoppedPrograms() -> [String] { content.withLock { $0.stopped } }
  public func abandonCalls() {}
}
