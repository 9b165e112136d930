public import ServerInterface
import Synchronization
import SystemCalls
public import Threads

/// Finds the PipeWire node of each JACK port, with its volume.
///
/// PipeWire's JACK library shows neither the kind of a device nor which of two identical cards a port belongs
/// to, nor the volumes that the desktop's mixer has set. `pw-dump` prints all of them, so our program needs none of PipeWire's libraries.
/// It runs as long as we are at a server (`DumpMonitor`), on a thread that no other thread waits for. If it fails, it is started again,
/// and new ports wait for it. Without `pw-dump`, a port has only what JACK shows of it.
///
/// Belongs to one thread or actor at a time.
public final class NodeDirectory {
  /// Shared between the directory and the thread of the monitor.
  private final class News: Sendable {
    let hasCome = Mutex(false)
  }

  /// The look-up of a port that the program has not printed yet.
  private struct Search {
    /// The run of the program that was under way when the port was first seen, or when the search last began anew.
    var run: Int
    /// When the port was first seen, or when the search last began anew.
    var start: Double
    /// Seconds in which the program must print the port before it is started anew.
    var limit: Double
    /// Whether a whole run has not printed the port.
    var isOverdue = false
  }

  private var monitor: DumpMonitor?
  private var findings = DumpMonitor.Findings()
  private var searches: [UInt64: Search] = [:]
  /// The ports whose nodes `describe` has returned.
  private var described: Set<UInt64> = []
  /// Whether a port has been found under the number that JACK shows. Older libraries make the number from something else.
  private var doNumbersFit = false
  private let news = News()
  private let program: String
  private let limit: Double
  private let pauses: ClosedRange<Double>
  private let clock: () -> Double
  private let wake: @Sendable () -> Void
  private var remarks: [String] = []
  private var said: Set<String> = []

  /// The most seconds between two runs for a port that no run prints.
  private static let longestSearch = 60.0

  /// After so many failures in a row the operator is told, and nothing waits for the answer at the start.
  private static let patience = 3

  /// - Parameters:
  ///   - program: the program that prints the nodes: a path, or a name in PATH.
  ///   - limit: seconds in which the program must print all objects, and a new port.
  ///   - pauses: seconds until the program is started again after it has ended: the shortest and the longest pause.
  ///   - wake: called on another thread when `takeNews` has something to take.
  ///   - clock: the time in seconds.
  public init(
    program: String = "pw-dump", limit: Double = 2, pauses: ClosedRange<Double> = 0.1...5,
    wake: @escaping @Sendable () -> Void = {}, clock: @escaping () -> Double = { MonotonicTime.now }
  ) {
    (self.program, self.limit, self.pauses) = (program, limit, pauses)
    (self.wake, self.clock) = (wake, clock)
  }

  deinit { monitor?.finish() }

  /// Forgets all ports, for the next server: a restarted server numbers its ports anew.
  public func restart() {
    monitor?.finish()
    (monitor, findings, searches, doNumbersFit) = (nil, DumpMonitor.Findings(), [:], false)
    described = []
    news.hasCome.withLock { $0 = false }
  }

  /// Adds to each port the facts about its node, as far as they are known, and looks new ports up. Never blocks.
  ///
  /// The new ports of a client get their nodes together: half a client would look like a program of its own.
  public func describe(_ ports: [SystemPort]) -> [SystemPort] {
    // Every run that has not begun yet will print the ports that exist now.
    let run = monitor?.run ?? 0
    if monitor == nil { start() }
    let missing = Set(ports.lazy.filter { self.entry(of: $0) == nil }.map(\.serial))
    doNumbersFit = doNumbersFit || missing.count < ports.count
    searches = searches.filter { missing.contains($0.key) }
    let new = missing.filter { searches[$0] == nil }
    for serial in new { searches[serial] = Search(run: run, start: clock(), limit: limit) }
    if !new.isEmpty { monitor?.hurry() }
    let origins = ports.map(origin)
    let waiting = Set(zip(ports, origins).lazy.filter { $1 == .awaited }.map(\.0.client))
    let result = zip(ports, origins).map { port, origin in
      var port = port
      let mustWait = waiting.contains(port.client) && !described.contains(port.serial)
      port.origin = mustWait ? .awaited : origin
      return port
    }
    described = Set(result.lazy.filter { $0.node != nil }.map(\.serial))
    return result
  }

  /// Starts the monitor. If that fails, the next call of `describe` or `takeNews` tries again.
  private func start() {
    do throws(SystemError) {
      monitor = try DumpMonitor(program: program, limit: limit, pauses: pauses) { [news, wake] in
        news.hasCome.withLock { $0 = true }
        wake()
      }
    } catch {
      remark("\(program) cannot be started (\(error)), \(Self.consequence)")
    }
  }

  /// What the program has printed about a port.
  private func entry(of port: SystemPort) -> NodeDump.Entry? {
    findings.entries[port.serial].flatMap { $0.isEntry(of: port) ? $0 : nil }
  }

  /// The state of the look-up of a port. Only an entry says what a port is: a program that has printed all objects may have read them before
  /// the port had its properties.
  private func origin(of port: SystemPort) -> SystemPort.Origin {
    if let entry = entry(of: port) { return .node(entry.node) }
    if findings.failure == .missing { return .unknown }
    if !doNumbersFit, findings.entries.values.contains(where: { $0.hasName(of: port) }) { return .absent }
    let isOverdue = searches[port.serial]?.isOverdue ?? false
    return isOverdue || isFailing || monitor == nil ? .overdue : .awaited
  }

  private var isFailing: Bool { findings.failures >= Self.patience }

  /// Takes what the program has told, and starts it anew if it does not tell of a new port. Call this several times a second.
  ///
  /// Returns whether ports must be described again.
  public func takeNews() -> Bool {
    guard let monitor else {
      if !searches.isEmpty { start() }
      return false
    }
    let hasCome = news.hasCome.withLock { hasCome in
      defer { hasCome = false }
      return hasCome
    }
    let (old, wasFailing) = (findings, isFailing)
    if hasCome { findings = monitor.findings }
    let wasOverdue = searches.values.count(where: \.isOverdue)
    askAgain(monitor)
    let isOverdue = searches.values.count(where: \.isOverdue) != wasOverdue
    guard hasCome || isOverdue else { return false }
    if hasCome, let failure = findings.failure { note(failure) }
    return old.answered != findings.answered || old.entries != findings.entries || wasFailing != isFailing
      || isOverdue || findings.failure == .missing
  }

  /// Starts the program anew for ports that it does not print in time. A port that a whole run has not printed gets more time before the next run.
  private func askAgain(_ monitor: DumpMonitor) {
    for (serial, search) in searches where clock() - search.start >= search.limit {
      guard findings.answered > search.run else {
        monitor.require(run: search.run + 1)
        continue
      }
      searches[serial] = Search(
        run: monitor.run, start: clock(), limit: min(2 * search.limit, Self.longestSearch), isOverdue: true)
    }
  }

  /// Takes the new sentences for the operator. Each sentence comes once.
  public func takeRemarks() -> [String] {
    defer { remarks = [] }
    return remarks
  }

  /// What follows for the operator if there is no answer yet.
  private static let consequence =
    "so devices that the preset does not name, and ports that it names by their nodes, are not used yet; the router asks again"

  private func note(_ failure: DumpMonitor.Failure) {
    switch failure {
    case .missing:
      remark(
        "\(program) was not found, so the kind of each device is guessed from its name, and identical cards are not told apart"
      )
    case .silent where isFailing && !searches.isEmpty:
      remark("\(program) does not answer, \(Self.consequence)")
    case .unreadable where isFailing && !searches.isEmpty:
      remark("the output of \(program) cannot be read, \(Self.consequence)")
    case .silent, .unreadable: break
    }
  }

  private func remark(_ sentence: String) {
    if said.insert(sentence).inserted { remarks.append(sentence) }
  }
}
