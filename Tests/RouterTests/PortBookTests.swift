import SessionModel
import Testing

@testable import Router

/// The ports of ours at the server.
@Suite struct PortBookTests {
  private let key = PortKey.output(PortID(slugging: "usb"), 1)

  @Test("A port that is wanted again before it is gone is taken back, because its name is not free yet")
  func takenBack() throws {
    let backend = MemoryBackend()
    var book = PortBook()
    _ = book.provide([key], at: backend, in: RouterState())
    let handle = try #require(book.handles[key])
    book.retire(allBut: [], from: 7)
    #expect(book.handles[key] == nil && book.hasRetiring)
    _ = book.provide([key], at: backend, in: RouterState())
    #expect(book.handles[key] == handle && !book.hasRetiring)
    let isCleaned = book.clean(at: backend, adopted: 9)
    #expect(!isCleaned && backend.ours.count == 1)
  }

  @Test("A port that nobody wants is given back when the audio thread no longer uses it")
  func givenBack() {
    let backend = MemoryBackend()
    var book = PortBook()
    _ = book.provide([key], at: backend, in: RouterState())
    book.retire(allBut: [], from: 7)
    let isEarly = book.clean(at: backend, adopted: 6)
    let isCleaned = book.clean(at: backend, adopted: 7)
    #expect(!isEarly && isCleaned)
    #expect(backend.ours.isEmpty && !book.hasRetiring)
  }
}
