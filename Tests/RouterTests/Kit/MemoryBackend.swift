import MixKernel
import Router
import SessionModel

/// An audio server in memory: ports and cables, and nothing that sounds.
final class MemoryBackend: AudioBackend {
  var clientName = ""
  let sampleRate = 48_000
  let period = 256
  let serverIdentity: String? = "memory"
  /// Ports of others.
  var others: [SystemPort]
  private(set) var ours: [PortHandle: String] = [:]
  private(set) var cables: Set<[String]> = []
  private(set) var paths: [LatencyPath] = []
  /// How often each cable was made, by us or by hand.
  private(set) var connections: [[String]: Int] = [:]
  /// What every try and every request fails with.
  var refusal: BackendError?
  /// Names that no port gets.
  var refusedPorts: Set<String> = []
  private(set) var isSeeking = false
  /// Whether the server dies when the audio thread runs already, before it says so.
  var diesWhileOpening = false
  /// Whether the audio thread runs.
  private(set) var isRunning = false
  /// What periods were asked for.
  private(set) var requestedPeriods: [Int] = []
  private var notices: [ServerNotice] = []
  private var nextHandle: UInt = 1

  init(_ others: [SystemPort] = [], clientName: String = "") {
    (self.others, self.clientName) = (others, clientName)
  }

  // MARK: What the world does

  func tell(_ notice: ServerNotice) { notices.append(notice) }

  /// A cable made by hand.
  func cable(_ source: String, _ sink: String) {
    cables.insert([source, sink])
    notices.append(.connectionsChanged)
  }

  func plug(_ ports: [SystemPort]) {
    others += ports
    notices.append(.portsChanged)
  }

  func unplug(_ client: String) {
    others.removeAll { $0.client == client }
    cables = cables.filter { !$0.contains { $0.hasPrefix(client + ":") } }
    notices.append(.portsChanged)
  }

  /// The server ends: all cables and ports are gone.
  func die() {
    refusal = .noServer("gone")
    notices = [.shutdown(reason: "gone")]
    others = []
  }

  // MARK: AudioBackend

  func seek(name: String, server: String?) {
    clientName = name
    isSeeking = true
  }

  func takeFinding() -> Finding? {
    guard isSeeking else { return nil }
    if let refusal { return .missing(refusal) }
    isSeeking = false
    return .found
  }

  func open(kernel: (_ sampleRate: Int) -> UnsafeMutablePointer<KernelState>) throws(BackendError) {
    if let refusal { throw refusal }
    _ = kernel(sampleRate)
    isRunning = true
    if diesWhileOpening { throw .refused("the server is gone") }
  }

  func requestPeriod(_ frames: Int) throws(BackendError) {
    requestedPeriods.append(frames)
    if let refusal { throw refusal }
    notices.append(.periodChanged(frames))
  }

  func close() { (ours, cables, isSeeking, isRunning) = ([:], [], false, false) }

  func takeNotices() -> [ServerNotice] {
    defer { notices = [] }
    return notices
  }

  func register(_ name: String, prettyName: String, isSource: Bool) throws(BackendError) -> PortHandle {
    guard !refusedPorts.contains(name) else { throw .refused("no room for \(name)") }
    let handle = PortHandle(rawValue: nextHandle)
    nextHandle += 1
    ours[handle] = "\(clientName):\(name)"
    return handle
  }

  func unregister(_ port: PortHandle) { ours[port] = nil }

  func systemPorts() -> [SystemPort] { others }

  func connections(of port: String) -> [String] {
    cables.filter { $0.contains(port) }.map { $0[0] == port ? $0[1] : $0[0] }.sorted()
  }

  func connect(_ source: String, to sink: String) -> Bool {
    cables.insert([source, sink])
    connections[[source, sink], default: 0] += 1
    return true
  }

  func disconnect(_ source: String, from sink: String) { cables.remove([source, sink]) }

  func publish(_ paths: [LatencyPath]) { self.paths = paths }

  func playbackLatency(of port: String) -> Int { 512 }
  func captureLatency(of port: String) -> Int { 128 }
}
