import Foundation
import MixEngine
import Synchronization
import Testing

@testable import ServerInterface

/// The graph thread, at a server whose calls a test can block.
@Suite struct GraphThreadTests {
  /// Blocks the calls of a server.
  private final class Barrier: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isShut = false
    private nonisolated(unsafe) var held = 0

    func shut() { change { isShut = true } }
    func open() { change { isShut = false } }

    func pass() {
      condition.lock()
      held += 1
      condition.broadcast()
      while isShut { condition.wait() }
      held -= 1
      condition.unlock()
    }

    /// Waits until a call is blocked.
    func awaitCall() {
      condition.lock()
      while held == 0 { condition.wait() }
      condition.unlock()
    }

    private func change(_ body: () -> Void) {
      condition.lock()
      body()
      condition.broadcast()
      condition.unlock()
    }
  }

  /// A graph thread at a server in memory.
  private final class Bench {
    let barrier = Barrier()
    let server: MemoryServer
    let graph: GraphThread
    private let bell = DispatchSemaphore(value: 0)

    /// - Parameter longRequest: seconds after which a request gives way to a newer one.
    init(longRequest: Double = 0.25) {
      let (barrier, bell) = (barrier, bell)
      server = MemoryServer(clientName: "multiroute") { _ in barrier.pass() }
      graph = GraphThread(server, longRequest: longRequest) { bell.signal() }
    }

    /// Waits for the next report.
    func report(seconds: Double = 5) -> GraphThread.Report? {
      while true {
        if let report = graph.takeReport() { return report }
        guard bell.wait(timeout: .now() + seconds) == .success else { return nil }
      }
    }

    func join() {
      graph.seek(name: "multiroute", server: nil)
      open()
      #expect(server.takeFinding() == .found(sampleRate: 48_000) && !graph.isClosed)
    }

    /// Joins the server, and expects that the report of it is the next one.
    func open() {
      let engine = MixEngine(sampleRate: 48_000)
      graph.open(HostedKernel(engine.kernel, of: engine))
      guard case .opened(let facts, _)? = report() else {
        Issue.record("not joined")
        return
      }
      #expect(facts.clientName == "multiroute")
    }

    deinit {
      barrier.open()
      graph.close()
      graph.end()
    }
  }

  private func request(_ names: String...) -> GraphRequest {
    var request = GraphRequest()
    request.ports = names.map { GraphRequest.Port(name: $0, prettyName: $0, isSource: true) }
    return request
  }

  @Test("A request makes its ports and removes all others; its report contains the resulting graph")
  func ports() {
    let bench = Bench()
    bench.join()
    bench.graph.submit(request("a", "b"))
    guard case .done(let first)? = bench.report() else { return }
    #expect(Set(first.ports.keys) == ["a", "b"])
    bench.server.refuse(ports: ["d"])
    bench.graph.submit(request("b", "c", "d"))
    guard case .done(let second)? = bench.report() else { return }
    #expect(Set(second.ports.keys) == ["b", "c"] && second.ports["b"] == first.ports["b"])
    #expect(second.refusedPorts.keys.sorted() == ["d"] && second.request == first.request + 1)
    #expect(Set(bench.server.ours.values) == ["multiroute:b", "multiroute:c"])
  }

  @Test(
    "While a call waits its callers do not, and of the requests that arrive only the newest is carried out")
  func newest() {
    let bench = Bench()
    bench.join()
    bench.barrier.shut()
    bench.graph.submit(request("first"))
    bench.barrier.awaitCall()
    let start = Date()
    for index in 0..<1_000 { bench.graph.submit(request("later_\(index)")) }
    let last = bench.graph.submit(request("last"))
    #expect(-start.timeIntervalSinceNow < 0.5)
    #expect(bench.graph.busySince != nil && bench.graph.takeReport() == nil)
    bench.barrier.open()
    var numbers: [Int] = []
    while numbers.last != last, case .done(let report)? = bench.report() { numbers.append(report.request) }
    #expect(numbers.last == last && numbers.count <= 2)
    #expect(Set(bench.server.ours.values) == ["multiroute:last"])
  }

  @Test("A request that takes long leaves the rest to a newer one")
  func superseded() {
    let bench = Bench(longRequest: 0)
    bench.join()
    bench.barrier.shut()
    bench.graph.submit(request("a", "b", "c", "d"))
    bench.barrier.awaitCall()
    let last = bench.graph.submit(request("d"))
    bench.barrier.open()
    guard case .done(let report)? = bench.report() else { return }
    #expect(report.request == last)
    #expect(Set(bench.server.ours.values) == ["multiroute:d"])
    #expect(!bench.server.ours.values.contains("multiroute:b"))
  }

  @Test("Ports that a request had begun to remove when a newer one came are made again")
  func returned() {
    let server = MemoryServer(clientName: "multiroute")
    var worker = GraphWorker(server)
    let engine = MixEngine(sampleRate: 48_000)
    worker.seek(name: "multiroute", server: nil, isThere: true)
    _ = worker.open(HostedKernel(engine.kernel, of: engine))
    func perform(_ request: GraphRequest, _ number: Int, looks: Int) -> GraphReport? {
      var left = looks
      return worker.perform(
        request, number: number,
        isSuperseded: {
          left -= 1
          return left < 0
        }, tell: { _ in }, settle: { true })
    }
    let all = request("a", "b", "c", "d")
    #expect(perform(all, 1, looks: .max) != nil)
    #expect(perform(request(), 2, looks: 2) == nil)
    #expect(perform(all, 3, looks: .max).map { Set($0.ports.keys) } == ["a", "b", "c", "d"])
    #expect(server.ours.count == 4)
  }

  @Test(
    "New ports are told before the connections are read; a request that waits for a change gives way to one that changes connections"
  )
  func settling() {
    let bench = Bench(longRequest: 60)
    bench.join()
    bench.server.change(true)
    bench.server.plug([SystemPort(name: "Band:out_1", isInput: false)])
    var first = request("a")
    first.connections = [Link(source: "Band:out_1", sink: "multiroute:a")]
    bench.graph.submit(first)
    guard case .ports(let ports)? = bench.report() else {
      Issue.record("the ports were not told")
      return
    }
    #expect(ports.map(\.name) == ["Band:out_1"])
    bench.barrier.shut()
    var second = request("a", "b")
    second.connections = first.connections + [Link(source: "Band:out_1", sink: "multiroute:b")]
    let last = bench.graph.submit(second)
    bench.barrier.awaitCall()
    bench.server.change(false)
    bench.barrier.open()
    guard case .done(let report)? = bench.report() else { return }
    #expect(report.request == last && report.graph.connections["multiroute:a"] == ["Band:out_1"])
  }

  @Test(
    "A connection that requests repeat before they see its outcome is asked for once, and again when a request says so"
  )
  func askedOnce() {
    let bench = Bench()
    bench.join()
    bench.server.plug([SystemPort(name: "Band:out_1", isInput: false)])
    let link = Link(source: "Band:out_1", sink: "multiroute:a")
    var wanted = request("a")
    wanted.connections = [link]
    for (first, count) in [(1, 1), (1, 1), (3, 2)] {
      wanted.firstRequests[link] = first
      bench.graph.submit(wanted)
      while let report = bench.report() { if case .done = report { break } }
      #expect(bench.server.connectionCounts[[link.source, link.sink]] == count)
    }
  }

  @Test("A change that does not end delays a report only for as long as a request may take")
  func endlessChange() {
    let bench = Bench(longRequest: 0.05)
    bench.join()
    bench.server.change(true)
    let number = bench.graph.submit(request("a"))
    guard case .done(let report)? = bench.report() else {
      Issue.record("no report")
      return
    }
    #expect(report.request == number)
  }

  @Test("A period is requested once, even if many requests repeat it")
  func period() {
    let bench = Bench()
    bench.join()
    var wanted = request("a")
    wanted.period = GraphRequest.Period(frames: 128, ticket: bench.graph.nextNumber)
    for _ in 0..<3 {
      bench.graph.submit(wanted)
      _ = bench.report()
    }
    #expect(bench.server.requestedPeriods == [128])
    wanted.period = GraphRequest.Period(frames: 128, ticket: bench.graph.nextNumber)
    bench.graph.submit(wanted)
    _ = bench.report()
    #expect(bench.server.requestedPeriods == [128, 128])
  }

  @Test(
    "No report follows about a server that was left, and its kernel lives until the audio thread has ended")
  func left() {
    let bench = Bench()
    bench.join()
    bench.barrier.shut()
    bench.graph.submit(request("a"))
    bench.barrier.awaitCall()
    bench.graph.seek(name: "multiroute", server: nil)
    bench.barrier.open()
    bench.open()
    #expect(bench.graph.takeReport() == nil && bench.server.ours.isEmpty)
  }

  @Test("The programs that keep a call waiting are reported once, and so is the end of the wait")
  func waits() {
    let bench = Bench()
    bench.join()
    bench.barrier.shut()
    bench.server.stop(programs: ["Sleeper"])
    bench.graph.submit(request("a"))
    bench.barrier.awaitCall()
    bench.graph.watch()
    bench.graph.watch()
    guard case .waits(let programs)? = bench.report() else {
      Issue.record("no report of the wait")
      return
    }
    #expect(programs == ["Sleeper"])
    #expect(bench.report(seconds: 0.5) == nil)
    bench.barrier.open()
    var (isDone, isOver) = (false, false)
    while !(isDone && isOver), let report = bench.report() {
      if case .done = report { isDone = true }
      if case .waitIsOver = report { isOver = true }
    }
    #expect(isDone && isOver)
  }
}
