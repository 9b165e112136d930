public import MixKernel
public import SessionModel

/// The rim between the router and an audio server; JACK's is in `JackBackend`, an in-memory one renders files.
///
/// All calls come from the policy thread and may block. Sources are ports of ours that sound comes in by, sinks those it goes out by.
public protocol AudioBackend: AnyObject {
  /// The name the server gave us.
  var clientName: String { get }
  /// Frames per second.
  var sampleRate: Int { get }
  /// Frames per period.
  var period: Int { get }

  /// Tells the server from all others, also from one of its name before or after it; nil where that is not known.
  var serverIdentity: String? { get }

  /// Begins to look for a server, and does so until one is found or `close`; returns at once.
  /// - Parameters:
  ///   - name: wanted client name; after a server that died it is the one that it gave us.
  ///   - server: the server's name, nil for the default one.
  func seek(name: String, server: String?)

  /// What the search has come to since the last call; nil if nothing new.
  func takeFinding() -> Finding?

  /// Starts the audio thread at the server that was found.
  /// - Parameter kernel: makes the kernel for the server's rate; it must live until `close` returns.
  /// - Throws: `BackendError` when the server refuses, or is gone; the search is over. The audio thread may run: close it.
  func open(kernel: (_ sampleRate: Int) -> UnsafeMutablePointer<KernelState>) throws(BackendError)

  /// Ends the search, or leaves the server; the kernel runs no more when this returns.
  func close()

  /// What happened since the last call, in order.
  func takeNotices() -> [ServerNotice]

  /// Makes a port of ours.
  /// - Throws: `BackendError` when the server has no more.
  func register(_ name: String, prettyName: String, isSource: Bool) throws(BackendError) -> PortHandle

  func unregister(_ port: PortHandle)

  /// Everybody else's ports.
  func systemPorts() -> [SystemPort]

  /// Full names of what a port, ours or another's, is connected to; waits for the next period while a change is under way.
  func connections(of port: String) -> [String]

  /// Asks for a cable between two ports, by full name; one that exists already is fine.
  ///
  /// It is there from the server's next period on, if the server means it: `connections(of:)` tells.
  /// - Returns: whether the server accepts it.
  func connect(_ source: String, to sink: String) -> Bool

  func disconnect(_ source: String, from sink: String)

  /// Tells the server how long each way through us takes.
  func publish(_ paths: [LatencyPath])

  /// Changes the period of the server, for everybody.
  /// - Throws: `BackendError` when the server refuses.
  func requestPeriod(_ frames: Int) throws(BackendError)

  /// Most frames from another's port to the loudspeaker, as the server reports it.
  func playbackLatency(of port: String) -> Int

  /// Most frames from the microphone to another's port, as the server reports it.
  func captureLatency(of port: String) -> Int
}

/// What the search for an audio server has come to.
public enum Finding: Equatable, Sendable {
  /// There is one; the next call is `open`.
  case found
  /// The last try failed; the search goes on.
  case missing(BackendError)
}

/// Why an audio server did not do what was asked.
public enum BackendError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No server answers; the text says what to do.
  case noServer(String)
  case refused(String)

  public var description: String {
    switch self {
    case .noServer(let text), .refused(let text): text
    }
  }
}
