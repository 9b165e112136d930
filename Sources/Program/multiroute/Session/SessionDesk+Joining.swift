import Commands
import NSM
import OSC
import Synchronization
import SystemCalls
import Threads

extension SessionDesk {
  /// Seconds that a session manager has for its answer to the announcement.
  private static let patience = 5.0
  /// Seconds between two looks for a signal.
  private static let step = 0.02

  /// Joins the session manager that `NSM_URL` names.
  ///
  /// - Returns: nil, and says why, if the router must run without one; also nil after a signal to end.
  static func join(_ context: Context, _ watch: StartWatch) -> SessionDesk? {
    let console = context.console
    guard let url = context.environment["NSM_URL"], !url.isEmpty else { return nil }
    func without(_ reason: String) -> SessionDesk? {
      console.tell("multiroute: \(reason); the router starts without a session manager")
      return nil
    }
    guard let address = NSMAddress(url) else {
      return without("NSM_URL is '\(url)', and must be like osc.udp://HOST:PORT/")
    }
    let end = MonotonicTime.now + patience
    let news = SessionNews()
    let attempt = Attempt()
    // The look-up of a host name may take longer.
    guard OwnThread.run("mr-nsm-find", within: patience, { attempt.perform(address, news) }),
      let result = attempt.take()
    else { return without("the host \(address.host) of NSM_URL was not found within \(Int(patience)) s") }
    let link: NSMLink
    do throws(SocketError) {
      link = try result.get()
      try link.open()
    } catch { return without("NSM_URL is '\(url)': \(error)") }
    while !watch.isInterrupted {
      guard MonotonicTime.now < end else {
        link.close()
        return without("no session manager answers at \(url) within \(Int(patience)) s")
      }
      switch news.next(within: step) {
      case nil: continue
      case .refused(let code, let reason):
        link.close()
        return without("the session manager at \(url) refused the router: \(reason) (\(code))")
      case .accepted(let name):
        console.tell(
          "multiroute: waiting for \(name.isEmpty ? "the session manager" : name) to open a session")
        return SessionDesk(link, news, console)
      case .order: continue
      }
    }
    link.close()
    return nil
  }

  /// Makes the link on a thread that may be left behind.
  private final class Attempt: Sendable {
    private let result = Mutex<Result<NSMLink, SocketError>?>(nil)

    func perform(_ address: NSMAddress, _ news: SessionNews) {
      let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? "multiroute"
      let conversation = NSMConversation(
        application: "multiroute", executable: String(name), process: System.getpid())
      let outcome = Result { () throws(SocketError) in
        try NSMLink(address, conversation) { news.add($0) }
      }
      result.withLock { $0 = outcome }
    }

    func take() -> Result<NSMLink, SocketError>? { result.withLock { $0 } }
  }

  /// Waits, without end, for the order to open a project. Projects that cannot be opened are refused.
  ///
  /// - Returns: nil after a signal to end.
  func awaitProject(_ watch: StartWatch) -> SessionBeginning? {
    while !watch.isInterrupted {
      guard case .order(.open(let project)) = news.next(within: Self.step) else { continue }
      do throws(NSMFailure) { return try SessionBeginning(project, console) } catch {
        refuse(.open(project), error)
      }
    }
    return nil
  }
}
