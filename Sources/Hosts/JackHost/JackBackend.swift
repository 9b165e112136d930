public import JackClient
public import MixKernel
public import ServerInterface
import SystemCalls

/// The router as a client of a JACK server: its ports, its process callback, the server's notices and
/// connections.
///
/// A backend joins one server once. After a shutdown close the backend and make another. Only one thread at a time may
/// use it. A call may wait for the server for ever; `ServerSocket.stopReading` makes waiting calls fail. Another thread
/// may call `takeNotices` and `secondsWithoutPeriod` until `close` is called.
public final class JackBackend {
  let client: JackClient
  private let socket: ServerSocket
  /// Nil until `start`.
  private var state: UnsafeMutablePointer<BackendState>?
  /// Our ports with their kinds. `order` has them in the order of registration.
  private var ports: [PortHandle: JackPortKind] = [:]
  private var order: [PortHandle] = []
  private var paths: [LatencyPath] = []
  private var isClosed = false

  /// Opens a client at a server. The client has no ports, and the server does not call it until `start`.
  ///
  /// If the server is stopped, this waits until the server continues or until `ServerSocket.stopReading`.
  ///
  /// - Parameters:
  ///   - name: wanted client name. `clientName` is the name that the server gives.
  ///   - server: the server's name, nil for the default server. The call never starts a server.
  /// - Throws: `JackError.noServer`, `nameTooLong`, `versionMismatch`, `openFailed`, `callFailed`.
  public init(name: String, server: String?) throws(JackError) {
    client = try JackClient(name: name, server: server)
    socket = .ofLibrary(server: server)
  }

  deinit { close() }

  /// Starts the process callback.
  ///
  /// - Parameter kernel: made for the server's rate. It runs on the audio thread until `close` returns, and
  ///   must live until then.
  /// - Throws: `JackError.callFailed`; then call `close`.
  public func start(_ kernel: UnsafeMutablePointer<KernelState>) throws(JackError) {
    precondition(state == nil, "started twice")
    let state = UnsafeMutablePointer<BackendState>.allocate(capacity: 1)
    state.initialize(to: BackendState(cycle: client.cycle, kernel: kernel))
    self.state = state
    try client.setProcess(processBackend, state)
    try client.activate()
  }

  /// Leaves the server. After the return the kernel no longer runs. A second call has no effect.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    // A server that is gone makes calls fail. A server that stands still would make them wait for ever, so make them
    // fail.
    if state != nil, !client.isShutDown, !runsPeriods { socket.stopReading() }
    client.close()
    state?.deinitialize(count: 1)
    state?.deallocate()
  }

  /// Whether the server runs periods. Waits for one period, at most for the length of four periods or 100 ms, whichever
  /// is longer.
  private var runsPeriods: Bool {
    let (progress, start) = (client.cycle.pointee.progress, JackCalls.time())
    let patience = max(100_000, 4_000_000 * UInt64(client.period) / UInt64(max(1, client.sampleRate)))
    while client.cycle.pointee.progress == progress {
      guard JackCalls.time() - start < patience else { return false }
      System.sleep(seconds: 0.001)
    }
    return true
  }

  // MARK: The server

  /// The client name from the server, with a suffix if the wanted name was taken.
  public var clientName: String { client.name }
  /// Rate in Hz.
  public var sampleRate: Int { client.sampleRate }
  /// Frames per period at this moment.
  public var period: Int { client.period }
  /// The server's estimate of how much of a period all clients need together, in percent.
  public var serverLoad: Float { client.cpuLoad }
  /// Whether the audio threads have real-time priority.
  public var isRealtime: Bool { client.isRealtime }
  /// The `pthread_t` of our audio thread.
  public var audioThread: UInt { client.threadIdentifier }
  /// The system's number of our audio thread; nil while there is none.
  public var audioThreadNumber: Int? { client.audioThreadNumber }
  /// Frames processed since the client joined.
  public var framesProcessed: Int { client.cycle.pointee.frames }
  /// How often the server skipped frames between two of our periods.
  public var frameJumps: Int { client.cycle.pointee.jumps }

  /// Seconds since the server last ran a period; nil before the first one.
  ///
  /// The time is measured from call to call, so call this at short intervals.
  public var secondsWithoutPeriod: Double? { client.cycle.pointee.idleMicroseconds.map { Double($0) / 1e6 } }

  /// Seconds since the server last called our audio thread; nil before the first period. Measured from call to call.
  public var secondsWithoutCall: Double? {
    client.cycle.pointee.uncalledMicroseconds.map { Double($0) / 1e6 }
  }

  /// The longest run of frames that the server skipped since the last call; 0 if it skipped none.
  public func takeLongestJump() -> Int { client.cycle.pointee.takeLongestJump() }

  /// Whether the server runs periods as fast as its clients can, and no device plays the sound.
  public var isFreewheeling: Bool { client.cycle.pointee.isFreewheeling() }

  /// Seconds without a period after which a server counts as gone while it freewheels, and until its first period after. A program that exports may need long
  /// for a period, and jackd waits 10 s for a crashed program.
  private static let patienceInFreewheel = 30.0
  /// The server's progress (`JackCycle.progress`) when it was last found to freewheel.
  private var freewheeled = -1

  /// Changes the period of the whole server.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setPeriod(_ frames: Int) throws(JackError) {
    try client.setPeriod(frames)
  }

  /// Becomes readable when notices of ports, connections, freewheel or the server's end wait. Xruns and
  /// changes of period and rate do not make it readable, so call `takeNotices` at intervals, too.
  public var wakeDescriptor: Int32 { client.wakeDescriptor }

  /// Takes the notices since the last call, oldest first; many changes of ports or connections become one notice.
  ///
  /// A server that has stopped calling us without a notice is reported as gone.
  ///
  /// - Parameter isHeldUp: whether a stopped program may hold up the server; asked only while the server runs no periods.
  public func takeNotices(isHeldUp: () -> Bool) -> [ServerNotice] {
    let (notices, progress) = (client.takeNotices(), client.cycle.pointee.progress)
    if isFreewheeling || notices.contains(.freewheel(false)) { freewheeled = progress }
    let patience = progress == freewheeled ? Self.patienceInFreewheel : GraphThread.endOfPeriods
    guard let silence = secondsWithoutPeriod, silence > patience,
      silence > GraphThread.endBesideStopped || !isHeldUp()
    else { return notices }
    return notices + [.shutdown(reason: "no period for \(Int(silence)) s")]
  }

  // MARK: Our ports

  /// Registers a port through which sound enters (a source of the mix) or leaves (a sink).
  ///
  /// Sound flows once a published plan contains the port. Before the port is unregistered, a plan without it must be in
  /// use. A sink must have been silent in the last plan that contained it, because its buffer keeps the last samples.
  ///
  /// - Parameter isInput: whether sound enters through the port.
  /// - Throws: `JackError.portRefused`. That is a normal condition: a server has room for a fixed number of
  ///   ports.
  public func registerPort(_ name: String, isInput: Bool) throws(JackError) -> PortHandle {
    let handle = try client.registerPort(name, isInput ? .input : .output)
    ports[handle] = isInput ? .input : .output
    order.append(handle)
    return handle
  }

  /// Removes a port of ours, its connections and its latency paths.
  public func unregisterPort(_ handle: PortHandle) {
    guard ports.removeValue(forKey: handle) != nil else { return }
    order.removeAll { $0 == handle }
    paths.removeAll { $0.source == handle || $0.sink == handle }
    client.unregisterPort(handle)
  }

  /// The full name of a port of ours; nil after its removal.
  public func fullName(of handle: PortHandle) -> String? {
    ports[handle] == nil ? nil : client.fullName(of: handle)
  }

  /// Writes the name for people into the server's metadata. The metadata may be lost with any server of this user.
  public func setPrettyName(_ name: String, of handle: PortHandle) {
    guard ports[handle] != nil else { return }
    client.setPrettyName(name, of: handle)
  }

  // MARK: Other clients' ports and connections

  /// All audio ports of other clients.
  public func systemPorts() -> [SystemPort] {
    client.othersPorts()
  }

  /// Whether a change of connections is under way, so that `connections(of:)` would wait for the next period.
  public var isChanging: Bool { client.isChanging }

  /// Full names of the ports that a port, ours or another client's, is connected to.
  public func connections(of fullName: String) -> [String] { client.connections(of: fullName) }

  /// Asks for a connection of two ports by full name, as `JackClient.connect` does.
  ///
  /// A program's ports are visible before the program is active. Until then the server refuses their connections. No
  /// notice tells when the program becomes active, so try again a little later.
  ///
  /// - Throws: `JackError.noSuchPort`, `connectionRefused`.
  public func connect(_ source: String, to destination: String) throws(JackError) {
    try client.connect(source, to: destination)
  }

  /// Removes a connection. Returns false if it did not exist.
  @discardableResult
  public func disconnect(_ source: String, from destination: String) -> Bool {
    client.disconnect(source, from: destination)
  }

  /// Removes all connections of ports of any client, as one change of the graph if the server is not busy.
  public func disconnectAll(_ ports: [String]) { client.disconnectAll(ports) }

  // MARK: Latency

  /// Declares the paths of sound through our ports and the delay of each, and has the server compute all
  /// latencies.
  ///
  /// A port without a path declares 0.
  ///
  /// - Throws: `JackError.callFailed` if the server did not compute the latencies. It uses the paths when it next
  ///   computes them.
  public func publishPaths(_ paths: [LatencyPath]) throws(JackError) {
    self.paths = paths.filter { ports[$0.source] == .input && ports[$0.sink] == .output }
    try client.publishLatencies(latencyMap)
  }

  private var latencyMap: JackLatencyMap {
    let (bySink, bySource) = (
      Dictionary(grouping: paths, by: \.sink), Dictionary(grouping: paths, by: \.source)
    )
    var map = JackLatencyMap()
    for handle in order {
      if ports[handle] == .output {
        let ways = bySink[handle, default: []].map { way in
          JackLatencyMap.Path(from: way.source, extra: way.delay)
        }
        map.capture.append(.init(port: handle, paths: ways))
      } else {
        let ways = bySource[handle, default: []].map { way in
          JackLatencyMap.Path(from: way.sink, extra: way.delay)
        }
        map.playback.append(.init(port: handle, paths: ways))
      }
    }
    return map
  }

  /// The smallest and largest latency in frames from a port to the loudspeaker, for a port of any client; nil
  /// if the port does not exist.
  ///
  /// The alignment of outputs uses this latency of their devices' ports.
  public func playbackLatency(of fullName: String) -> ClosedRange<Int>? {
    client.latency(of: fullName, .playback).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// The smallest and largest latency in frames from the microphone to a port of any client; nil if the port
  /// does not exist.
  public func captureLatency(of fullName: String) -> ClosedRange<Int>? {
    client.latency(of: fullName, .capture).map { $0.minimum...max($0.minimum, $0.maximum) }
  }
}
