import Synchronization
import Threads

/// Makes all calls to an audio server that may wait, one after another, on a thread of its own (`mr-graph`).
///
/// Callers leave orders and do not wait. A request describes the complete wanted graph, so only the newest waiting
/// request is kept. Its report follows when the request is done. Reports about a server end with `seek` or `close`. Any
/// thread may leave orders; one thread takes the reports.
public final class GraphThread: Sendable {
  /// The result of an order.
  public enum Report: Sendable {
    /// The router joined the server; the snapshot is the server's graph at that moment.
    case opened(ServerFacts, GraphSnapshot)
    /// The server refused us or is gone; call `seek` again.
    case refused(AudioServerError)
    /// The ports of other clients have changed. The report of the request follows, with their connections.
    case ports([SystemPort])
    case done(GraphReport)
    /// A call has waited for at least a second, possibly for these stopped programs. The report comes again when the
    /// list grows.
    case waits(programs: [String])
    /// The call that waited has returned.
    case waitIsOver
  }

  /// Waiting orders, and reports that were not yet taken.
  private struct Desk {
    var seek: (name: String, server: String?, isThere: Bool)?
    var kernel: HostedKernel?
    var request: (number: Int, request: GraphRequest)?
    /// When the first request started whose report is still due. The report of a newer request counts, too.
    var owedSince: Double?
    var mustClose = false
    var isEnding = false
    /// Changes when a server is left; results of an older generation are dropped.
    var generation = 0
    var lastNumber = 0
    var reports: [Report] = []
    /// The start of the present order, and its number among all orders.
    var busySince: Double?
    var order = 0
    /// The number of the order that the watch observes.
    var watched: Int?
    var isOpen = false

    /// Adds a report, unless it is about a server that was left meanwhile. Returns whether the report was added.
    mutating func add(_ report: Report, of generation: Int) -> Bool {
      guard generation == self.generation else { return false }
      reports.append(report)
      return true
    }

    /// Whether an order waits that changes connections, or leaves the server.
    func hasUrgentOrder(after present: GraphRequest) -> Bool {
      if seek != nil || kernel != nil || mustClose { return true }
      guard let next = request?.request else { return false }
      return !Set(next.stuck).isSubset(of: present.stuck)
        || !Set(next.disconnections).isSubset(of: present.disconnections)
        || !Set(next.connections).isSubset(of: present.connections)
    }

    var hasOrder: Bool { seek != nil || kernel != nil || request != nil || mustClose }
  }

  public let server: any AudioServer
  private let desk = Mutex(Desk())
  private let bell: Semaphore?
  private let worker: Mutex<GraphWorker>
  private let longRequest: Double
  private let wake: @Sendable () -> Void

  /// Seconds after which the watch looks for the programs that a call waits for.
  public static let patience = 1.0
  /// Seconds without a period after which a server counts as gone.
  public static let endOfPeriods = 3.0
  /// The same limit while a program is stopped: jackd runs no period while it changes the period's length, and waits two seconds for each client of
  /// that program. If the router left meanwhile, jackd would tell the stopped program of each port that goes, until the program's socket is full, and
  /// then hang for good.
  public static let endBesideStopped = 30.0
  /// The same limit before the first period. It is longer, because a starting server asks all its clients.
  static let endOfStart = 10.0

  /// - Parameters:
  ///   - longRequest: seconds after which a request leaves the rest of its calls to a newer request that waits.
  ///   - isInline: whether orders run at once on the caller's thread; only for servers that never wait.
  ///   - wake: called on the graph thread when a report waits in `takeReport`.
  public init(
    _ server: any AudioServer, longRequest: Double = 0.25, isInline: Bool = false,
    wake: @escaping @Sendable () -> Void = {}
  ) {
    (self.server, self.longRequest, self.wake) = (server, longRequest, wake)
    worker = Mutex(GraphWorker(server))
    bell = isInline ? nil : Semaphore()
    guard let bell else { return }
    OwnThread("mr-graph") { [self] in
      repeat {
        bell.wait()
        carryOut()
      } while !desk.withLock { $0.isEnding }
    }.detach()
  }

  // MARK: Orders

  /// Leaves the present server and looks for another, or joins the present server anew if it is known to live on.
  public func seek(name: String, server: String?, isThere: Bool = false) {
    leave { desk in desk.seek = (name, server, isThere) }
  }

  /// Joins the server that was found.
  public func open(_ kernel: HostedKernel) { order { $0.kernel = kernel } }

  /// Requests a graph. A waiting request that was not yet started is dropped.
  /// - Returns: the request's number, one more than that of the request before.
  @discardableResult
  public func submit(_ request: GraphRequest) -> Int {
    var number = 0
    order { desk in
      desk.lastNumber += 1
      number = desk.lastNumber
      desk.request = (number, request)
    }
    return number
  }

  /// Number of the next request.
  public var nextNumber: Int { desk.withLock { $0.lastNumber + 1 } }

  /// Leaves the server, after the waiting request.
  public func close() {
    order { $0.mustClose = true }
  }

  /// Ends the thread after the present order. Do not use the graph thread after this call.
  public func end() { order { $0.isEnding = true } }

  /// Whether the server has been left, or was never joined.
  public var isClosed: Bool { desk.withLock { !$0.isOpen && !$0.hasOrder && $0.busySince == nil } }

  /// The time at which the present order began (`MonotonicTime`); nil while there is none.
  public var busySince: Double? { desk.withLock { $0.busySince } }

  /// Takes the oldest report.
  public func takeReport() -> Report? {
    desk.withLock { $0.reports.isEmpty ? nil : $0.reports.removeFirst() }
  }

  private func order(_ change: (inout Desk) -> Void) {
    desk.withLock { change(&$0) }
    if let bell { bell.signal() } else { carryOut() }
  }

  private func leave(_ change: (inout Desk) -> Void) {
    order { desk in
      desk.generation += 1
      (desk.kernel, desk.request, desk.reports, desk.owedSince) = (nil, nil, [], nil)
      change(&desk)
    }
  }

  // MARK: The thread

  private enum Job {
    case seek(name: String, server: String?, isThere: Bool)
    case open(HostedKernel)
    case request(Int, GraphRequest)
    case close
  }

  /// Carries out the waiting orders: first those that leave a server, then those that join one, then the
  /// request.
  private func carryOut() {
    while let (job, generation) = takeJob() {
      let report = worker.withLock { worker -> Report? in
        switch job {
        case .seek(let name, let server, let isThere):
          worker.seek(name: name, server: server, isThere: isThere)
          return nil
        case .open(let kernel): return worker.open(kernel)
        case .request(let number, let request):
          return worker.perform(
            request, number: number, isSuperseded: isSuperseded, tell: { tell(.ports($0), generation) },
            settle: { awaitSettledGraph(before: request) }
          ).map { .done($0) }
        case .close:
          worker.close()
          return nil
        }
      }
      finish(job, report, generation)
    }
  }

  private func takeJob() -> (Job, generation: Int)? {
    desk.withLock { desk in
      let job: Job
      if let seek = desk.seek.take() {
        job = .seek(name: seek.name, server: seek.server, isThere: seek.isThere)
      } else if let kernel = desk.kernel.take() {
        job = .open(kernel)
      } else if let (number, request) = desk.request.take() {
        job = .request(number, request)
        desk.owedSince = desk.owedSince ?? MonotonicTime.now
      } else if desk.mustClose {
        desk.mustClose = false
        job = .close
      } else {
        return nil
      }
      desk.busySince = MonotonicTime.now
      desk.order += 1
      return (job, desk.generation)
    }
  }

  private func finish(_ job: Job, _ report: Report?, _ generation: Int) {
    let hasReport = desk.withLock { desk in
      desk.busySince = nil
      switch (job, report) {
      case (.open, .opened): desk.isOpen = true
      case (.seek, _), (.close, _), (.open, _): desk.isOpen = false
      case (.request, _): break
      }
      guard let report else { return false }
      desk.owedSince = nil
      return desk.add(report, of: generation)
    }
    if hasReport { wake() }
  }

  private func tell(_ report: Report, _ generation: Int) {
    if desk.withLock({ $0.add(report, of: generation) }) { wake() }
  }

  /// Whether to leave out the rest of the present request. Either the request has taken longer than `longRequest`, and
  /// a newer order waits that replaces it. Or the server has set connections aside, and a new connection could make it
  /// wait for its own driver.
  private func isSuperseded() -> Bool {
    if server.isFreewheeling, server.setsConnectionsAside { return true }
    return desk.withLock { desk in
      guard desk.request != nil || desk.seek != nil, let since = desk.busySince else { return false }
      return MonotonicTime.now - since > longRequest
    }
  }

  /// Waits until no change of connections is under way, because the server's own wait could not be interrupted.
  ///
  /// Returns false if a newer order waits that changes connections: a connection may sound where it must not. A newer
  /// order that only looks at the graph does not end the wait, so that the router looks once a period while many ports
  /// appear.
  private func awaitSettledGraph(before present: GraphRequest) -> Bool {
    guard let bell else { return true }
    while server.isChanging {
      let (mustYield, since) = desk.withLock { ($0.hasUrgentOrder(after: present), $0.owedSince) }
      guard let since, MonotonicTime.now - since < longRequest else { return true }
      if mustYield { return false }
      _ = bell.wait(seconds: Self.checkInterval)
    }
    return true
  }

  /// Seconds between two checks whether a change is still under way. No notice tells the end of a change.
  private static let checkInterval = 0.001

  // MARK: The watch

  /// Observes the present order from a thread of its own, and reports the programs that keep the order waiting.
  ///
  /// A server that runs no periods counts as gone: the watch makes the calls to it fail. A server that runs periods
  /// waits for another program. A second call during the same order has no effect.
  public func watch() {
    let order = desk.withLock { desk -> Int? in
      guard desk.busySince != nil, desk.watched != desk.order else { return nil }
      desk.watched = desk.order
      return desk.order
    }
    guard let order else { return }
    OwnThread("mr-hang") { [self] in observe(order) }.detach()
  }

  private func observe(_ order: Int) {
    var told: Set<String>?
    var hasAbandoned = false
    while let since = desk.withLock({ $0.order == order ? $0.busySince : nil }) {
      let names = server.stoppedPrograms()
      if told?.isSuperset(of: names) != true {
        told = Set(names)
        tell(.waits(programs: names))
      }
      let waited = MonotonicTime.now - since
      let silence = server.secondsWithoutPeriod
      let limit =
        silence == nil ? Self.endOfStart : names.isEmpty ? Self.endOfPeriods : Self.endBesideStopped
      if !hasAbandoned, !server.isFreewheeling, min(silence ?? waited, waited) > limit {
        hasAbandoned = true
        server.abandonCalls()
      }
      MonotonicTime.pause(seconds: 0.2)
    }
    tell(.waitIsOver)
  }

  private func tell(_ report: Report) {
    desk.withLock { $0.reports.append(report) }
    wake()
  }
}
