import Commands
import ControlInterface
import Metrics
import OSC
import OSCSurface
import Router
import SessionModel
import Synchronization
import SystemCalls
import Threads
import Version
import WebServer

/// Gives the page of metrics to web servers and to clients of OSC. The policy thread only reads values; another thread makes the page.
final class MetricsDesk: ControlListener, Sendable {
  /// The folders whose disks matter, by the words that stand for them.
  private let folders: [(name: String, path: String)]
  private let counts = Mutex(EventCounts())
  private let line = Mutex(Line())

  /// The clients' commands that wait for the page.
  private struct Line {
    var waiting: [Surface.Errand] = []
    var isMaking = false
    var house: House?
  }

  private struct House {
    let service: RouterService
    let front: OSCFront
  }

  /// Greatest number of commands that wait.
  private static let mostWaiting = 64
  /// Bytes of the page that one message of OSC has at most. Few large packets: a Unix socket keeps ten, whatever their sizes.
  private static let portion = 30_000

  /// Where the page is.
  static let path = "/metrics"

  init(_ folders: Folders) {
    self.folders = [("recordings", folders.recordings), ("state", folders.state)]
  }

  /// Begins to answer.
  func open(to service: RouterService, _ front: OSCFront) {
    line.withLock { $0.house = House(service: service, front: front) }
  }

  // MARK: ControlListener

  func publish(_ change: Change) { counts.withLock { $0.add(change) } }

  // MARK: HTTP

  /// Answers requests for `/metrics`.
  func serve(_ request: WebRequest, _ reply: @escaping WebServer.Reply) {
    guard request.path == Self.path else {
      return reply { WebAnswer(status: 404, "Nothing is here. The metrics are at /metrics.") }
    }
    read { [self] reading in
      reply { [self] in WebAnswer(type: MetricsPage.type, body: Array(page(of: reading).utf8)) }
    }
  }

  // MARK: OSC

  /// Takes a command of a client; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many commands wait.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    let (isAccepted, mustBegin) = line.withLock { line in
      guard line.waiting.count < Self.mostWaiting else { return (false, false) }
      line.waiting.append(errand)
      defer { line.isMaking = true }
      return (true, !line.isMaking)
    }
    guard isAccepted else {
      throw SessionError(.full, "too many clients wait for the metrics; send the command again later")
    }
    if mustBegin { answerWaiting() }
  }

  /// Has a thread of its own make the page for all commands that wait, and again for those that came meanwhile.
  private func answerWaiting() {
    read { [self] reading in
      do throws(OwnThread.Failure) {
        try OwnThread.start("mr-metrics") { [self] in
          let rows = Self.rows(of: page(of: reading))
          answer { surface, errand in surface.answer(errand, rows: rows) }
        }.detach()
      } catch {
        let reason = SessionError(.resourceNotAvailable, "the system has no thread left for the metrics")
        answer { surface, errand in surface.answer([errand], reason) }
      }
    }
  }

  private func answer(_ tell: @escaping @Sendable (SurfaceService, Surface.Errand) -> Void) {
    let (errands, house) = line.withLock { line in
      defer { line.waiting = [] }
      return (line.waiting, line.house)
    }
    guard let house else { return }
    house.service.post { [self] _ in
      for errand in errands { tell(house.front.surface, errand) }
      let hasMore = line.withLock { line in
        line.isMaking = !line.waiting.isEmpty
        return line.isMaking
      }
      if hasMore { answerWaiting() }
    }
  }

  /// The page in parts of whole lines, each as a row of an answer.
  private static func rows(of page: String) -> [[OSCArgument]] {
    var (parts, part): ([String], String) = ([], "")
    for line in page.split(separator: "\n") {
      if !part.isEmpty, part.utf8.count + line.utf8.count >= portion {
        parts.append(part)
        part = ""
      }
      part += "\(line)\n"
    }
    if !part.isEmpty { parts.append(part) }
    return parts.map { [.string($0)] }
  }

  // MARK: The page

  /// Reads the values on the policy thread, and gives them to `use` there.
  private func read(_ use: @escaping @Sendable (MetricsReading) -> Void) {
    guard let house = line.withLock(\.house) else { return }
    house.service.post { [self] router in
      var reading = MetricsReading()
      reading.router = await router.reading
      (reading.surface, reading.version) = (house.front.reading, Version.current)
      reading.events = counts.withLock(\.self)
      use(reading)
    }
  }

  /// Makes the page. The disks may be slow.
  private func page(of reading: MetricsReading) -> String {
    var reading = reading
    reading.process = .now
    for (name, path) in folders {
      if let free = System.freeBytes(for: path) { reading.freeBytes.append((name, free)) }
    }
    return MetricsPage.text(of: reading)
  }
}
