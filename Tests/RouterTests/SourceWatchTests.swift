import SessionModel
import Testing

@testable import Router

@Suite struct SourceWatchTests {
  private let session = Session(id: "show")

  @Test("A session is connected at once, and has vanished a second after its last source")
  func vanishes() {
    var watch = SourceWatch()
    #expect(watch.note(session, isConnected: false, at: 0) == nil)
    #expect(watch.note(session, isConnected: true, at: 1) == true)
    #expect(watch.note(session, isConnected: true, at: 2) == nil)
    #expect(watch.note(session, isConnected: false, at: 3) == nil)
    #expect(watch.isWaiting)
    #expect(watch.note(session, isConnected: false, at: 3.9) == nil)
    #expect(watch.note(session, isConnected: false, at: 4) == false)
    #expect(!watch.isWaiting)
  }

  @Test("A short gap is no vanishing")
  func gap() {
    var watch = SourceWatch()
    _ = watch.note(session, isConnected: true, at: 0)
    #expect(watch.note(session, isConnected: false, at: 1) == nil)
    #expect(watch.note(session, isConnected: true, at: 1.9) == nil)
    #expect(watch.note(session, isConnected: false, at: 2.5) == nil)
    #expect(watch.note(session, isConnected: false, at: 3.4) == nil)
  }
}
