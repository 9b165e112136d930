import Glibc
public import JackClient
public import MixKernel
public import SessionModel

/// The router at a JACK server: its ports, its process callback around the kernel, the server's notices and connections.
///
/// One backend is one attachment: after a shutdown close it, then make another one. It belongs to one thread or actor at a time,
/// whose calls may block on the server; on one that no longer runs, for a few seconds at most.
public final class JackBackend {
  let client: JackClient
  private let watch: HangWatch
  /// Nil until it is started.
  private var state: UnsafeMutablePointer<BackendState>?
  /// Our ports, in the order of registration.
  private var ports: [PortHandle: JackPortKind] = [:]
  private var order: [PortHandle] = []
  private var paths: [LatencyPath] = []
  private var isClosed = false

  /// Becomes a client of a server, which calls nothing yet; there are no ports.
  ///
  /// A server that is stopped is waited for until it goes on, or until `ServerSocket.stopReading`.
  ///
  /// - Parameters:
  ///   - name: wanted client name; `clientName` is the one given.
  ///   - server: the server's name, nil for the default one. No server is ever started.
  /// - Throws: `JackError.noServer`, `nameTooLong`, `versionMismatch`, `openFailed`, `callFailed`.
  public init(name: String, server: String?) throws(JackError) {
    let client = try JackClient(name: name, server: server)
    self.client = client
    nonisolated(unsafe) let cycle = client.cycle
    watch = HangWatch(.ofLibrary(server: server)) { cycle.pointee.cycles }
  }

  deinit { close() }

  /// Starts to process.
  ///
  /// - Parameter kernel: made for the server's rate; it runs on the audio thread until `close` returns, and must outlive that.
  /// - Throws: `JackError.callFailed`; close it then.
  public func start(_ kernel: UnsafeMutablePointer<KernelState>) throws(JackError) {
    precondition(state == nil, "started twice")
    let state = UnsafeMutablePointer<BackendState>.allocate(capacity: 1)
    state.initialize(to: BackendState(cycle: client.cycle, kernel: kernel))
    self.state = state
    try client.setProcess(processBackend, state)
    try watch.call { () throws(JackError) in try client.activate() }
  }

  /// Leaves the server; the kernel is no longer run when this returns. Repeatable.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    // One that is gone lets nobody wait; one that stands still would for ever.
    watch.endOfPeriods(isRunning: state == nil || client.isShutDown || runsPeriods)
    watch.call { client.close() }
    watch.stop()
    state?.deinitialize(count: 1)
    state?.deallocate()
  }

  /// Whether the server runs periods: waits for the next one, or for several to be left out.
  private var runsPeriods: Bool {
    let (cycles, start) = (client.cycle.pointee.cycles, JackCalls.time())
    let patience = max(100_000, 4_000_000 * UInt64(client.period) / UInt64(max(1, client.sampleRate)))
    while client.cycle.pointee.cycles == cycles {
      guard JackCalls.time() - start < patience else { return false }
      usleep(1_000)
    }
    return true
  }

  // MARK: The server

  /// The name the server gave us, which has a suffix if the wanted one was taken.
  public var clientName: String { client.name }
  /// Hz.
  public var sampleRate: Int { client.sampleRate }
  /// Frames per period at this moment.
  public var period: Int { client.period }
  /// The server's estimate of the share of a period that all clients need, in percent.
  public var serverLoad: Float { client.cpuLoad }
  /// Whether the audio threads have real-time priority.
  public var isRealtime: Bool { client.isRealtime }
  /// The `pthread_t` of our audio thread.
  public var audioThread: UInt { client.threadIdentifier }
  /// Frames processed since the attachment.
  public var framesProcessed: Int { client.cycle.pointee.frames }
  /// How often the server left out frames between two of our periods.
  public var frameJumps: Int { client.cycle.pointee.jumps }

  /// Seconds for which the server has not called us; 0 until it has for the first time.
  ///
  /// Ask again and again: whoever asks keeps the time.
  public var secondsWithoutPeriod: Double { Double(client.cycle.pointee.idleMicroseconds ?? 0) / 1e6 }

  /// Changes the period of the whole server.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setPeriod(_ frames: Int) throws(JackError) {
    try watch.call { () throws(JackError) in try client.setPeriod(frames) }
  }

  /// Becomes readable when notices about ports, connections, freewheel or the server's end wait; xruns and changes of period
  /// and rate do not wake, so `takeNotices` is also called at intervals.
  public var wakeDescriptor: Int32 { client.wakeDescriptor }

  /// Takes what the server told since the last call, in its order; many changes of ports or connections are one notice.
  ///
  /// A server that has stopped calling us without a word is gone, too.
  public func takeNotices() -> [ServerNotice] {
    let notices = ServerNotice.coalesce(client.takeNotices())
    let silence = secondsWithoutPeriod
    guard watch.hasCut || silence > HangWatch.patience else { return notices }
    return notices + [.shutdown(reason: "no period for \(Int(silence)) s")]
  }

  // MARK: Our ports

  /// Registers a port that sound comes in by (a source of the mix) or leaves by (a sink).
  ///
  /// Sound flows as soon as a published plan names the port. Before it is unregistered, a plan without it must be in use, and a
  /// sink must have been silent in the last one that had it, since its buffer keeps what it held.
  ///
  /// - Parameter isInput: whether sound comes in by it.
  /// - Throws: `JackError.portRefused`, a normal condition: servers have room for a fixed number of ports.
  public func registerPort(_ name: String, isInput: Bool) throws(JackError) -> PortHandle {
    let port = try watch.call { () throws(JackError) in
      try client.registerPort(name, isInput ? .input : .output)
    }
    let handle = PortHandle(rawValue: port.rawValue)
    ports[handle] = isInput ? .input : .output
    order.append(handle)
    return handle
  }

  /// Removes a port of ours with its connections; its latency paths are forgotten.
  public func unregisterPort(_ handle: PortHandle) {
    guard ports.removeValue(forKey: handle) != nil else { return }
    order.removeAll { $0 == handle }
    paths.removeAll { $0.source == handle || $0.sink == handle }
    watch.call { client.unregisterPort(JackPort(rawValue: handle.rawValue)) }
  }

  /// The full name of a port of ours; nil once it is gone.
  public func fullName(of handle: PortHandle) -> String? {
    ports[handle] == nil ? nil : client.fullName(of: JackPort(rawValue: handle.rawValue))
  }

  /// Writes the name people see to the server's metadata, a cache that may vanish with any server of this user.
  public func setPrettyName(_ name: String, of handle: PortHandle) {
    guard ports[handle] != nil else { return }
    watch.call { client.setPrettyName(name, of: JackPort(rawValue: handle.rawValue)) }
  }

  // MARK: Others' ports and connections

  /// All audio ports at the server that are not ours.
  public func systemPorts() -> [SystemPort] {
    client.ports().filter { !$0.isMine }.map { port in
      SystemPort(
        name: port.name, aliases: port.aliases, isInput: port.kind.contains(.input),
        isPhysical: port.kind.contains(.physical), isTerminal: port.kind.contains(.terminal),
        uuid: port.uuid)
    }
  }

  /// Full names of what a port, ours or another's, is connected to.
  public func connections(of fullName: String) -> [String] { client.connections(of: fullName) }

  /// Asks for a connection of two ports by full name, as `JackClient.connect` does.
  ///
  /// A program's ports are seen before it is active, and until then connections to them are refused, and no notice tells when
  /// that ends: try again a little later.
  ///
  /// - Throws: `JackError.noSuchPort`, `connectionRefused`.
  public func connect(_ source: String, to destination: String) throws(JackError) {
    try watch.call { () throws(JackError) in try client.connect(source, to: destination) }
  }

  /// Takes a connection away; false if there was none.
  @discardableResult
  public func disconnect(_ source: String, from destination: String) -> Bool {
    watch.call { client.disconnect(source, from: destination) }
  }

  // MARK: Latency

  /// Declares through which of our ports sound passes and what the router adds, and has the server work out all latencies.
  ///
  /// A port without a path declares 0.
  ///
  /// - Throws: `JackError.callFailed` if the server did not recompute; the paths are in force at its next occasion.
  public func publishPaths(_ paths: [LatencyPath]) throws(JackError) {
    self.paths = paths.filter { ports[$0.source] == .input && ports[$0.sink] == .output }
    try watch.call { () throws(JackError) in try client.publishLatencies(latencyMap) }
  }

  private var latencyMap: JackLatencyMap {
    let (bySink, bySource) = (
      Dictionary(grouping: paths, by: \.sink), Dictionary(grouping: paths, by: \.source)
    )
    var map = JackLatencyMap()
    for handle in order {
      let port = JackPort(rawValue: handle.rawValue)
      if ports[handle] == .output {
        let ways = bySink[handle, default: []].map { way in
          JackLatencyMap.Path(from: JackPort(rawValue: way.source.rawValue), extra: way.delay)
        }
        map.capture.append(.init(port: port, paths: ways))
      } else {
        let ways = bySource[handle, default: []].map { way in
          JackLatencyMap.Path(from: JackPort(rawValue: way.sink.rawValue), extra: way.delay)
        }
        map.playback.append(.init(port: port, paths: ways))
      }
    }
    return map
  }

  /// Smallest and largest latency from a port, ours or another's, to the world, in frames; nil if there is no such port.
  ///
  /// What aligns outputs: the playback latency of their devices' ports.
  public func playbackLatency(of fullName: String) -> ClosedRange<Int>? {
    client.latency(of: fullName, .playback).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// Smallest and largest latency from the world to a port, ours or another's, in frames; nil if there is no such port.
  public func captureLatency(of fullName: String) -> ClosedRange<Int>? {
    client.latency(of: fullName, .capture).map { $0.minimum...max($0.minimum, $0.maximum) }
  }
}
