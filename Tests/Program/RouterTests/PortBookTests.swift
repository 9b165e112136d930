import MixKernel
import ServerInterface
import SessionModel
import Testing

@testable import Router

/// The router's own JACK ports at the server.
@Suite struct PortBookTests {
  private let key = PortKey.output(PortID(slugging: "usb"), 1)

  private func report(_ request: Int, _ handle: UInt? = nil, refusing error: AudioServerError? = nil)
    -> GraphReport
  {
    var report = GraphReport(request: request)
    report.ports[key.name] = handle.map { PortHandle(rawValue: $0) }
    report.refusedPorts[key.name] = error
    return report
  }

  @Test("A port enters the mix only when the server has made it")
  func made() {
    var book = PortBook()
    book.want([key], in: RouterState(), by: 3)
    #expect(book.list.map(\.name) == [key.name] && book.handles.isEmpty)
    let isEarly = book.observe(report(2, 1)).isNew
    #expect(!isEarly && book.handles.isEmpty)
    let isMade = book.observe(report(3, 2)).isNew
    #expect(isMade && book.handles[key] == PortHandle(rawValue: 2))
  }

  @Test(
    "A port that the mix needs again before it is removed is used again, because its name is not free yet")
  func takenBack() throws {
    var book = PortBook()
    book.want([key], in: RouterState(), by: 1)
    _ = book.observe(report(1, 1))
    book.retire(allBut: [], from: 7)
    #expect(book.handles[key] == nil && book.hasRetiring)
    book.want([key], in: RouterState(), by: 2)
    #expect(book.handles[key] == PortHandle(rawValue: 1) && !book.hasRetiring)
    let isCleaned = book.clean(adopted: 9)
    #expect(!isCleaned && book.list.count == 1)
  }

  @Test("A port that the mix no longer needs is removed when the audio thread no longer uses it")
  func givenBack() {
    var book = PortBook()
    book.want([key], in: RouterState(), by: 1)
    _ = book.observe(report(1, 1))
    book.retire(allBut: [], from: 7)
    let isEarly = book.clean(adopted: 6)
    #expect(book.list.count == 1)
    let isCleaned = book.clean(adopted: 7)
    #expect(!isEarly && isCleaned)
    #expect(book.list.isEmpty && !book.hasRetiring)
    // The report of an earlier request shows the old port, which is about to be removed.
    book.want([key], in: RouterState(), by: 5)
    let isNew = book.observe(report(4, 1)).isNew
    #expect(!isNew && book.handles[key] == nil)
  }

  @Test("A refused port is reported once, and asked for again when the mix changes")
  func refused() {
    var book = PortBook()
    book.want([key], in: RouterState(), by: 1)
    let first = book.observe(report(1, refusing: .refused("no room"))).refused
    let second = book.observe(report(2, refusing: .refused("no room"))).refused
    #expect(first.map(\.0) == [key.name] && second.isEmpty && book.list.isEmpty)
    book.want([key], in: RouterState(), by: 3)
    #expect(book.list.count == 1)
  }
}
