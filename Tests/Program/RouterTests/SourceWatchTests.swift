import SessionModel
import Testing

@testable import Router

@Suite struct SourceWatchTests {
  /// A watch with a session that notes the watch's results.
  private struct Watched {
    var watch = SourceWatch()
    var session = Session(id: "show")

    mutating func note(_ isConnected: Bool, at time: Double) -> Bool? {
      let change = watch.note(session, isConnected: isConnected, at: time)
      if let change { session.isConnected = change }
      return change
    }
  }

  @Test("A session is connected at once, and has vanished a second after its last source")
  func vanishes() {
    var watched = Watched()
    #expect(watched.note(false, at: 0) == nil)
    #expect(watched.note(true, at: 1) == true)
    #expect(watched.note(true, at: 2) == nil)
    #expect(watched.note(false, at: 3) == nil)
    #expect(watched.watch.due != nil)
    #expect(watched.note(false, at: 3.9) == nil)
    #expect(watched.note(false, at: 4) == false)
    #expect(watched.watch.due == nil)
  }

  @Test("A session does not vanish in a short gap")
  func gap() {
    var watched = Watched()
    _ = watched.note(true, at: 0)
    #expect(watched.note(false, at: 1) == nil)
    #expect(watched.note(true, at: 1.9) == nil)
    #expect(watched.note(false, at: 2.5) == nil)
    #expect(watched.note(false, at: 3.4) == nil)
  }

  @Test(
    "A session that is removed and created again connects anew, and no wait remains for a removed session")
  func madeAgain() {
    var watched = Watched()
    _ = watched.note(true, at: 0)
    watched.session = Session(id: "show")
    #expect(watched.note(true, at: 1) == true)
    _ = watched.note(false, at: 2)
    watched.watch.keep { _ in false }
    #expect(watched.watch.due == nil)
  }
}
