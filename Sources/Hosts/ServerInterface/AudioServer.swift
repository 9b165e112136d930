public import MixKernel

/// The calls of the router to its audio server. `JackAudio` makes them at a JACK server; `MemoryServer` is a server in
/// memory, for tests.
///
/// Two threads use a server. The graph thread (`GraphThread`) makes every call that may wait for the server,
/// or for another program through the server. The policy thread makes the calls that never wait. Sound
/// enters the router through its source ports and leaves it through its sink ports.
public protocol AudioServer: AnyObject, Sendable {
  // MARK: Graph thread

  /// Leaves the present server and starts to look for a server. The search ends when it finds one, or with `close`.
  /// - Parameters:
  ///   - name: wanted client name. After the loss of a server it is the name that the lost server gave us.
  ///   - server: the server's name, nil for JACK's default server.
  ///   - isThere: whether the present server is known to live on, so that the search must find it again.
  func seek(name: String, server: String?, isThere: Bool)

  /// Joins the server that the search found, and starts the audio thread.
  /// - Parameter kernel: the state that the audio thread works on; it must live until `close` returns.
  /// - Throws: `AudioServerError` if the server refuses or is gone. The audio thread may run nevertheless: call `close`.
  func open(_ kernel: UnsafeMutablePointer<KernelState>) throws(AudioServerError) -> ServerFacts

  /// Ends the search, or leaves the server. After the return the audio thread no longer runs the kernel.
  func close()

  /// Registers a port of ours.
  /// - Throws: `AudioServerError` when the server has no room for more ports.
  func register(_ name: String, prettyName: String, isSource: Bool) throws(AudioServerError) -> PortHandle

  /// Removes a port of ours and its connections.
  func unregister(_ port: PortHandle)

  /// The ports of all other clients.
  func systemPorts() -> [SystemPort]

  /// Whether a change of connections is under way, so that `connections(of:)` would wait.
  var isChanging: Bool { get }

  /// Full names of the ports that a port (ours or another client's) is connected to. While a change is under
  /// way, the call waits for the next period.
  func connections(of port: String) -> [String]

  /// Asks for a connection of two ports, by full name; a connection that exists already counts as a success.
  ///
  /// If the server makes the connection, it exists from the next period on. `connections(of:)` shows whether it exists.
  /// - Returns: whether the server accepts the request.
  func connect(_ source: String, to sink: String) -> Bool

  /// Removes a connection, if it exists.
  func disconnect(_ source: String, from sink: String)

  /// Removes all connections of other clients' ports, by full name, as one change of the graph if possible.
  func disconnectAll(_ ports: [String])

  /// Declares the latency of each path through the router.
  func publish(_ paths: [LatencyPath])

  /// Changes the server's period, for all its clients.
  /// - Throws: `AudioServerError` when the server refuses.
  func requestPeriod(_ frames: Int) throws(AudioServerError)

  /// The largest latency from another client's port to the loudspeaker in frames, as the server reports it.
  func playbackLatency(of port: String) -> Int

  /// The largest latency from the microphone to another client's port in frames, as the server reports it.
  func captureLatency(of port: String) -> Int

  // MARK: Policy thread; these calls never wait

  /// Sets the function to call when `takeFinding` or `takeNotices` has a result that `ServerFacts.noticeDescriptor` does not announce.
  /// - Parameter wake: called on threads that may wait.
  func wakeOnNews(_ wake: @escaping @Sendable () -> Void)

  /// The result of the search since the last call; nil if there is none.
  func takeFinding() -> Finding?

  /// The notices since the last call, oldest first.
  func takeNotices() -> [ServerNotice]

  // MARK: Any thread; these calls never wait for the server

  /// Seconds since the server last ran a period; nil while that is unknown. The time is measured from call to
  /// call, so call this at short intervals.
  var secondsWithoutPeriod: Double? { get }

  /// Whether the server freewheels: it runs periods as fast as its clients can, and no device plays the sound. The
  /// value is right before the notice arrives.
  var isFreewheeling: Bool { get }

  /// Whether the server sets connections aside while it freewheels, and makes them again afterwards.
  var setsConnectionsAside: Bool { get }

  /// Seconds since the server last called our audio thread; nil while that is unknown. Measured from call to call. A server that runs
  /// periods and does not call us waits for a program ahead of us in the graph.
  var secondsWithoutCall: Double? { get }

  /// The longest run of frames that the server skipped since the last call; 0 if it skipped none.
  func takeLongestJump() -> Int

  /// How much of a period all clients of the server need together, 0 to 1 and more; nil while that is unknown.
  var load: Double? { get }

  /// The system's number of our audio thread; nil while there is none, or if the server runs it outside this system.
  var audioThread: Int? { get }

  /// The client names of the stopped programs at the server. The server waits for such programs.
  func stoppedPrograms() -> [String]

  /// Makes all present and future calls that wait for the server fail. Leave the server afterwards.
  func abandonCalls()
}

/// The facts of a server, as they are when the router joins it.
public struct ServerFacts: Equatable, Sendable {
  /// The name the server gave us.
  public var clientName: String
  /// Frames per second.
  public var sampleRate: Int
  /// Frames per period when the router joins; later changes come as notices.
  public var period: Int
  /// Identifies this server among all servers, including earlier and later servers of the same name; nil if unknown.
  public var identity: String?
  /// The greatest number of ports of all clients together; nil if there is no limit, or if it is unknown.
  public var portLimit: Int?
  /// A descriptor that is readable while notices wait; nil if the server has none. The descriptor is open until the
  /// router leaves the server.
  ///
  /// Xruns and changes of period and rate do not make it readable, because their notices come from the audio thread. So
  /// call `takeNotices` at intervals, too.
  public var noticeDescriptor: Int32?
  public init(
    clientName: String, sampleRate: Int, period: Int, identity: String? = nil, portLimit: Int? = nil,
    noticeDescriptor: Int32? = nil
  ) {
    (self.clientName, self.sampleRate) = (clientName, sampleRate)
    (self.period, self.identity, self.portLimit) = (period, identity, portLimit)
    self.noticeDescriptor = noticeDescriptor
  }
}
