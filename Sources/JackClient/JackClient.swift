import Glibc

/// A client of one JACK server: thin over libjack, with its callbacks turned into notices and its errors into words.
///
/// Belongs to one thread or actor at a time. A process can see only one jackd2 server, and an old client must be closed
/// before another is opened after the server died.
public final class JackClient {
  let client: OpaquePointer
  let board: UnsafeMutablePointer<NoticeBoard>
  /// The name the server gave, which has a suffix if the wanted one was taken.
  public let name: String
  /// What the process callback keeps about itself; valid until `close`.
  public let cycle: UnsafeMutablePointer<JackCycle>
  private(set) var isClosed = false
  /// Whether the server told us of its end, by `takeNotices`.
  public private(set) var isShutDown = false

  /// Opens a client and registers all notice callbacks; never starts a server.
  ///
  /// - Parameters:
  ///   - name: wanted name; read back `name` for the one given.
  ///   - server: the server's name, nil for the default one.
  ///   - exactName: fail rather than take a suffix.
  /// - Throws: `JackError.noServer`, `nameTooLong`, `nameTaken`, `versionMismatch`, `openFailed`, `callFailed`.
  public init(name: String, server: String? = nil, exactName: Bool = false) throws(JackError) {
    JackMessages.install()
    client = try Self.open(name, server: server)
    self.name = JackCalls.clientName(client)
    cycle = .allocate(capacity: 1)
    cycle.initialize(to: JackCycle(client: client))
    board = .allocate(capacity: 1)
    board.initialize(to: NoticeBoard())
    // jackd2 answers its option for exact names with nothing but "failed", so the name is compared here.
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
    // jackd2 says 65 and takes 63: it counts the final zero, and refuses a name one short of it.
    let limit = JackCalls.clientNameSize() - 2
    guard name.utf8.count <= limit else { throw .nameTooLong(name, limit: limit) }
    let noStartServer: UInt32 = 0x01
    let serverFailed: UInt32 = 0x10
    let versionError: UInt32 = 0x400
    // For a moment an opening client of jackd2 listens at a socket that is named by user and client only: two that are opened at
    // the same time at two servers can take each other's place, and both servers then refuse.
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
      usleep(20_000)
    }
  }

  /// Sets the audio callback; before `activate` only. `argument` must live until `close`.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setProcess(
    _ callback: JackProcessCallback, _ argument: UnsafeMutableRawPointer
  ) throws(JackError) {
    try check("jack_set_process_callback", JackCalls.setProcessCallback(client, callback, argument))
  }

  /// Starts the callbacks.
  ///
  /// jackd2 gives up when it has not taken a client into its graph within twenty periods, which happens when it has just started
  /// on a busy machine; it may take it in all the same, a moment later. It is asked up to five times.
  ///
  /// - Throws: `JackError.callFailed`; the callbacks may have started.
  public func activate() throws(JackError) {
    var (code, attempts) = (JackCalls.activate(client), 1)
    while code != 0, attempts < 5 {
      // Otherwise the library takes it for active, and does not ask again.
      JackCalls.deactivate(client)
      (code, attempts) = (JackCalls.activate(client), attempts + 1)
    }
    try check("jack_activate", code)
  }

  /// Leaves the server and frees what the callbacks used; whatever the server answers, the client is closed. Repeatable.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    JackCalls.deactivate(client)
    // A live server lets the callback finish; a dead one does not wait, and libjack would cancel the thread inside it.
    // Bounded, since a thread that was cancelled leaves the mark set for ever.
    var patience = 2_000
    while cycle.pointee.isInside, patience > 0 {
      usleep(1_000)
      patience -= 1
    }
    JackCalls.clientClose(client)
    cycle.deinitialize(count: 1)
    cycle.deallocate()
    board.deinitialize(count: 1)
    board.deallocate()
  }

  // MARK: The server

  /// Whether this process runs with PipeWire's libjack, so that the server is PipeWire.
  public static var isPipeWire: Bool { JackCalls.version().contains("PipeWire") }

  /// Frames per second.
  public var sampleRate: Int { JackCalls.sampleRate(client) }
  /// Frames per period at this moment; the process callback's own count is the truth.
  public var period: Int { JackCalls.bufferSize(client) }
  /// The server's estimate of the share of a period all clients need, in percent.
  public var cpuLoad: Float { JackCalls.cpuLoad(client) }
  /// Whether the server runs its audio threads with real-time priority.
  public var isRealtime: Bool { JackCalls.isRealtime(client) }
  /// The `pthread_t` of this client's audio thread; 0 before `activate`.
  public var threadIdentifier: UInt { JackCalls.clientThread(client) }

  /// Changes the period of the whole server.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setPeriod(_ frames: Int) throws(JackError) {
    try check("jack_set_buffer_size", JackCalls.setBufferSize(client, frames))
  }

  /// Makes the server run as fast as it can, or in real time again.
  ///
  /// - Throws: `JackError.callFailed`.
  public func setFreewheel(_ on: Bool) throws(JackError) {
    try check("jack_set_freewheel", JackCalls.setFreewheel(client, on))
  }

  func check(_ call: String, _ code: Int32) throws(JackError) {
    guard code == 0 else { throw .callFailed(call, code: code) }
  }

  // MARK: Notices

  /// Becomes readable when ports, connections, freewheel or the server's end are waiting in `takeNotices`; xruns and changes
  /// of period or rate do not wake. -1 if the system gave no descriptor.
  public var wakeDescriptor: Int32 { board.pointee.wakeDescriptor }

  /// Takes what the server told since the last call, oldest first; nothing follows a shutdown.
  public func takeNotices() -> [JackNotice] {
    guard !isShutDown else { return [] }
    board.pointee.acknowledgeWake()
    var notices: [JackNotice] = []
    while let event = board.pointee.ring.take() {
      guard let notice = JackNotice(event.kind, value: event.value, text: event.text) else { continue }
      notices.append(notice)
      if case .shutdown = notice {
        isShutDown = true
        return notices
      }
    }
    if board.pointee.ring.takeOverflow() { notices.append(.overflow) }
    return notices
  }
}
