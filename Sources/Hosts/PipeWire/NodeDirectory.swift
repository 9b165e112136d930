public import AudioHost
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
    /// The run of the program that was under way when the port was first seen. A later run prints the port, if PipeWire has it.
    var run: Int
    /// When the port was first seen.
    var start: Double
  }

  private var monitor: DumpMonitor?
  private var findings = DumpMonitor.Findings()
  private var searches: [UInt64: Search] = [:]
  private let news = News()
  private let program: String
  private let limit: Double
  private let pauses: ClosedRange<Double>
  private let clock: () -> Double
  private let wake: @Sendable () -> Void
  private var remarks: [String] = []
  private var said: Set<String> = []

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
    (monitor, findings, searches) = (nil, DumpMonitor.Findings(), [:])
    news.hasCome.withLock { $0 = false }
  }

  /// Adds to each port the facts about its node, as far as they are known, and looks new ports up. Never blocks.
  public func describe(_ ports: [SystemPort]) -> [SystemPort] {
    // Every run that has not begun yet will print the ports that exist now.
    let run = monitor?.run ?? 0
    if monitor == nil { start() }
    let missing = Set(ports.map(\.serial)).subtracting(findings.entries.keys)
    searches = searches.filter { missing.contains($0.key) }
    let new = missing.filter { searches[$0] == nil }
    for serial in new { searches[serial] = Search(run: run, start: clock()) }
    if !new.isEmpty { monitor?.hurry() }
    return ports.map { port in
      var port = port
      port.origin = origin(of: port)
      return port
    }
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

  private func origin(of port: SystemPort) -> SystemPort.Origin {
    if let entry = findings.entries[port.serial] {
      return entry.isEntry(of: port) ? .node(entry.node) : .absent
    }
    if findings.failure == .missing { return .unknown }
    guard let search = searches[port.serial], findings.answered <= search.run else { return .absent }
    return isFailing || monitor == nil ? .overdue : .awaited
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
    for search in searches.values
    where findings.answered <= search.run && clock() - search.start >= limit {
      monitor.require(run: search.run + 1)
    }
    guard hasCome else { return false }
    if let failure = findings.failure { note(failure) }
    return old.answered != findings.answered || old.entries != findings.entries || wasFailing != isFailing
      || findings.failure == .missing
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
