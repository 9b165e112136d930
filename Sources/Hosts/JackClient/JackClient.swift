import MixKernel
public import ServerInterface
import Synchronization
import SystemCalls

/// A client of one JACK server: a thin layer over libjack with notices for callbacks and typed errors.
///
/// Only one thread or actor at a time may use a client. A process can use only one jackd2 server at a time. After the
/// end of a server close the old client before you open another.
public final class JackClient {
  let client: OpaquePointer
  let board: UnsafeMutablePointer<NoticeBoard>
  /// The name from the server, with a suffix if the wanted name was taken.
  public let name: String
  /// The process callback's record of itself; valid until `close`.
  public let cycle: UnsafeMutablePointer<JackCycle>
  /// The ports that are registered.
  var ownPorts: Set<PortHandle> = []
  private(set) var isClosed = false
  /// Whether the callbacks run.
  private(set) var isActive = false
  /// Whether the server announced its end; updated by `takeNotices`.
  public private(set) var isShutDown = false
  /// A notice of a shutdown that is not confirmed yet.
  private var doubt: ShutdownDoubt?
  private let socket: ServerSocket

  /// Opens a client and registers all notice callbacks; never starts a server.
  ///
  /// - Parameters:
  ///   - name: the wanted name; the server may give the client another one (`name`).
  ///   - server: the server's name, nil for JACK's default server.
  ///   - exactName: whether to throw if the server adds a suffix.
  /// - Throws: `JackError.noServer`, `nameTooLong`, `nameTaken`, `versionMismatch`, `openFailed`, `callFailed`.
  public init(name: String, server: String? = nil, exactName: Bool = false) throws(JackError) {
    JackMessages.install()
    client = try Self.open(name, server: server)
    socket = .ofLibrary(server: server)
    self.name = JackCalls.clientName(client)
    board = .allocate(capacity: 1)
    board.initialize(to: NoticeBoard())
    cycle = .allocate(capacity: 1)
    cycle.initialize(to: JackCycle(client: client, board: board))
    // jackd2's own option for exact names reports only "failed", so compare the names here.
    if exactName, self.name != name {
      close()
      throw .nameTaken(name)
    }
    if let failure = JackCalls.setNoticeCallbacks(client, board) {
      close()
      throw .callFailed(failure.call, code: failure.code)
    }
  }

  deinit { close() }

  private static func open(_ name: String, server: String?) throws(JackError)
    -> OpaquePointer
  {
    // jackd2 reports 65 and accepts 63: it counts the final zero, and refuses a name that is one byte shorter than its
    // limit.
    let limit = JackCalls.clientNameSize() - 2
    guard name.utf8.count <= limit else { throw .nameTooLong(name, limit: limit) }
    let noStartServer: UInt32 = 0x01
    let serverFailed: UInt32 = 0x10
    let versionError: UInt32 = 0x400
    // While a jackd2 client opens, it listens at a socket named only by user and client. Two clients of one
    // name that open at the same time at two servers can take each other's socket; both servers then refuse.
    var attempts = 5
    while true {
      let (client, status) = JackCalls.clientOpen(name, server: server, options: noStartServer)
      if let client { return client }
      if status & versionError != 0 { throw .versionMismatch }
      if status & serverFailed != 0 { throw .noServer(server) }
      attempts -= 1
      guard attempts > 0 else {
        let said = JackMessages.take().filter(\.isError).map(\.text)
        throw .openFailed(status: status, reason: said.joined(separator: "; "))
      }
      System.sleep(seconds: 0.02)
    }
  }

  /// Sets the process callback; before `activate` only. `argument` must live until `close`.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setProcess(
    _ callback: JackProcessCallback, _ argument: UnsafeMutableRawPointer
  ) throws(JackError) {
    try check("jack_set_process_callback", JackCalls.setProcessCallback(client, callback, argument))
  }

  /// Starts the callbacks.
  ///
  /// jackd2 gives up when it has not added a client to its graph within twenty periods. That happens on a busy machine
  /// just after the server's start, and the server may add the client a moment later nevertheless. So the client asks
  /// up to five times.
  ///
  /// - Throws: `JackError.callFailed`; the callbacks may have started nevertheless.
  public func activate() throws(JackError) {
    board.pointee.expectAudioThread()
    var (code, attempts) = (JackCalls.activate(client), 1)
    while code != 0, attempts < 5 {
      // Without this call the library takes the client for active and does not ask the server again.
      JackCalls.deactivate(client)
      board.pointee.expectAudioThread()
      (code, attempts) = (JackCalls.activate(client), attempts + 1)
    }
    try check("jack_activate", code)
    isActive = true
  }

  /// Leaves the server and frees the memory of the callbacks. The client is closed whatever the server answers. A
  /// second call has no effect.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    JackCalls.deactivate(client)
    // A live server lets the callback finish. If the server is dead, libjack would cancel the thread inside the
    // callback, so wait here. The wait has a limit, because a cancelled thread never clears `isInside`.
    var patience = 2_000
    while cycle.pointee.isInside, patience > 0 {
      System.sleep(seconds: 0.001)
      patience -= 1
    }
    if isShutDown, !Self.isPipeWire { NotificationSocket(client: name).endReading() }
    // jackd tells all clients of each port that goes with a closing client. The closing one reads no more, so that after some twenty ports both
    // wait for each other. PipeWire 1.4 frees the connections of a lost server twice.
    if !isShutDown || Self.isPipeWire { for port in ownPorts { JackCalls.portUnregister(client, port) } }
    JackCalls.clientClose(client)
    cycle.deinitialize(count: 1)
    cycle.deallocate()
    board.deinitialize(count: 1)
    board.deallocate()
  }

  // MARK: The server

  /// The version of the JACK library in force, in its own words.
  public static var version: String { JackCalls.version() }

  /// The client of jackd's driver, which owns the ports of the sound card.
  public static let driver = "system"

  /// Whether the loaded libjack is PipeWire's, so that the server is PipeWire.
  public static var isPipeWire: Bool { JackCalls.version().contains("PipeWire") }

  /// Frames per second.
  public var sampleRate: Int { JackCalls.sampleRate(client) }
  /// Frames per period at this moment. The process callback's own count is authoritative.
  public var period: Int { JackCalls.bufferSize(client) }
  /// The server's estimate of how much of a period all clients need together, in percent.
  public var cpuLoad: Float { JackCalls.cpuLoad(client) }
  /// Whether the server runs its audio threads with real-time priority.
  public var isRealtime: Bool { JackCalls.isRealtime(client) }
  /// The `pthread_t` of this client's audio thread; 0 before `activate`.
  public var threadIdentifier: UInt { JackCalls.clientThread(client) }
  /// The system's number of the audio thread; nil before the thread has started. Any thread may call it until `close`.
  public var audioThreadNumber: Int? {
    let number = board.pointee.audioThread.load(ordering: .relaxed)
    return number > 0 ? number : nil
  }

  /// Changes the period of the whole server.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setPeriod(_ frames: Int) throws(JackError) {
    try check("jack_set_buffer_size", JackCalls.setBufferSize(client, frames))
  }

  /// Makes the server run as fast as it can (freewheel), or in real time again.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setFreewheel(_ on: Bool) throws(JackError) {
    try check("jack_set_freewheel", JackCalls.setFreewheel(client, on))
  }

  func check(_ call: String, _ code: Int32) throws(JackError) {
    guard code == 0 else { throw .callFailed(call, code: code) }
  }

  // MARK: Notices

  /// Becomes readable when `takeNotices` has notices of ports, connections, freewheel or the server's end.
  /// Xruns and changes of period or rate do not make it readable. -1 if the system gave no descriptor.
  public var wakeDescriptor: Int32 { board.pointee.wakeDescriptor }

  /// Takes the notices since the last call, oldest first; none follows a shutdown. All changes of ports become one
  /// notice, and so do all changes of connections and of latencies. Each connection also has a notice of its own.
  ///
  /// A PipeWire client holds back the notice of a shutdown while it may be wrong (`ShutdownDoubt`), so call this at
  /// short intervals.
  public func takeNotices() -> [ServerNotice] {
    guard !isShutDown else { return [] }
    board.pointee.acknowledgeWake()
    var list = NoticeList()
    while let event = board.pointee.ring.take() {
      if event.kind != .shutdown || !Self.isPipeWire {
        list.add(event.kind, value: event.value, text: event.text)
      }
      if event.kind == .connected || event.kind == .disconnected {
        list.add(event.kind, link(from: event.value, to: event.second))
      }
      guard event.kind == .shutdown else { continue }
      guard Self.isPipeWire else {
        isShutDown = true
        return list.notices
      }
      doubt =
        doubt
        ?? ShutdownDoubt(
          reason: event.text, cycles: cycle.pointee.cycles, time: JackCalls.time(),
          period: 1_000_000 * period / max(1, sampleRate))
    }
    if board.pointee.ring.takeOverflow() { list.addEverything() }
    return list.notices + settleDoubt()
  }

  /// The notice of a shutdown, if it is confirmed now.
  private func settleDoubt() -> [ServerNotice] {
    guard let doubt else { return [] }
    let (cycles, time) = (cycle.pointee.cycles, JackCalls.time())
    switch doubt.verdict(cycles: cycles, time: time, isConnected: socket.isConnected) {
    case .open: return []
    case .untrue:
      self.doubt = nil
      return []
    case .confirmed:
      isShutDown = true
      return [socket.answers ? .thrownOut(reason: doubt.reason) : .shutdown(reason: doubt.reason)]
    }
  }

  /// The connection of two ports by their numbers; nil if one of the ports is gone.
  private func link(from source: UInt32, to sink: UInt32) -> Link? {
    guard let source = JackCalls.portName(client, number: source),
      let sink = JackCalls.portName(client, number: sink)
    else { return nil }
    return Link(source: source, sink: sink)
  }
}
