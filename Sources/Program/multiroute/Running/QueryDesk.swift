import ControlInterface
import OSCSurface
import Synchronization
import Threads
import WebServer

/// Answers OSCQuery's questions over HTTP. The policy thread only copies its state. The thread `mr-oscquery` writes whole trees, so that neither
/// commands nor WebSockets wait for a tree.
final class QueryDesk: Sendable {
  private let surface: SurfaceService
  private let host: QueryHost
  private let line = Mutex(Line())

  /// The trees that are to be written.
  private struct Line {
    var waiting: [@Sendable () -> Void] = []
    var isWriting = false
  }

  init(_ surface: SurfaceService, _ host: QueryHost) { (self.surface, self.host) = (surface, host) }

  /// Takes a request on the thread of the web server; never waits. The server has a limit of requests.
  func serve(_ request: WebRequest, _ reply: @escaping WebServer.Reply) {
    let question = QueryQuestion(path: request.path, query: request.query)
    surface.view(for: question, of: request.host) { [self] view in
      guard let view else { return reply { WebAnswer(.denied) } }
      guard question.mayBeLong else { return reply { [host] in WebAnswer(view.answer(question, host)) } }
      write { [host] in
        let answer = WebAnswer(view.answer(question, host))
        reply { answer }
      }
    }
  }

  private func write(_ work: @escaping @Sendable () -> Void) {
    let mustBegin = line.withLock { line in
      line.waiting.append(work)
      defer { line.isWriting = true }
      return !line.isWriting
    }
    guard mustBegin else { return }
    do throws(OwnThread.Failure) {
      try OwnThread.start("mr-oscquery") { [self] in while let work = next() { work() } }.detach()
    } catch {
      // The web server ends the requests that get no answer.
      line.withLock { $0 = Line() }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    line.withLock { line in
      guard !line.waiting.isEmpty else {
        line.isWriting = false
        return nil
      }
      return line.waiting.removeFirst()
    }
  }
}

extension WebAnswer {
  init(_ answer: QueryAnswer) {
    if answer.status == 200 {
      self.init(type: "application/json", body: Array(answer.text.utf8))
    } else if answer.text.isEmpty {
      self.init(status: answer.status, type: "text/plain", body: [])
    } else {
      self.init(status: answer.status, answer.text)
    }
  }
}
