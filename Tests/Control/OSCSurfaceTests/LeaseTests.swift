import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Leases")
struct LeaseTests {
  @Test("The welcome names the lease, and feedback ends when it is over, on the router's own machine too")
  func lapse() throws {
    var desk = try FeedbackTests.followed("/session/show/gain")
    #expect(desk.send("/hello", "desk")["/welcome"]?.last == 30)
    desk.time += 28.5
    desk.send("/session/show/gain", -3)
    #expect(desk.wait(0.1, as: Desk.other)["/session/show/gain"] == [-3.0])
    desk.time += 0.5
    desk.send("/session/show/gain", -4)
    #expect(desk.wait(0.1, as: Desk.other).isEmpty)
  }

  @Test(
    "Any message renews the lease",
    arguments: [OSCMessage("/ping"), OSCMessage("/absent"), OSCMessage("/ramp")]
  )
  func renewal(_ message: OSCMessage) throws {
    var desk = try FeedbackTests.followed("/session/show/gain")
    for step in 1...4 {
      desk.time += 25
      desk.send(message, from: Desk.other)
      desk.send("/session/show/gain", .float(Float(-step)))
      #expect(desk.wait(0.1, as: Desk.other)["/session/show/gain"] == [.float(Float(-step))])
    }
  }

  @Test(
    "After its lease a client costs nothing: no change is noted for it, no meter is read, no event is sent")
  func cost() throws {
    var desk = try FeedbackTests.followed()
    desk.send("/subscribe", "/meter/*", from: Desk.other)
    desk.send("/subscribe", "/event/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.surface.wantsMeters)
    desk.time += 30
    desk.send("/session/show/gain/fade", -20, 60)
    desk.send("/session/show/mute", 1)
    desk.send("/session/show/active", 1)
    #expect(desk.wait(0.1, as: Desk.other).isEmpty)
    #expect(!desk.surface.wantsMeters && desk.surface.moving.isEmpty)
    #expect(desk.isIdle)
  }

  @Test(
    "A client that comes back gets all values within a second, and then the changes, without a new subscription"
  )
  func comeback() throws {
    var desk = try FeedbackTests.followed()
    desk.time += 40
    desk.send("/session/show/gain", -7)
    desk.send("/session/music/gain/fade", -20, 10)
    desk.send("/session/create", "late", "playback")
    #expect(desk.wait(0.5, as: Desk.other).isEmpty)
    desk.send("/ping", from: Desk.other)
    let heard = desk.wait(1, as: Desk.other)
    #expect(heard.contains { $0.address == "/snapshot/end" && $0.arguments.first == "/*" })
    #expect(heard["/session/show/gain"] == [-7.0])
    #expect(heard["/session/late/category"] == ["playback"])
    // A fade that began meanwhile is followed.
    #expect(desk.wait(0.5, as: Desk.other).filter { $0.address == "/session/music/gain" }.count > 10)
    desk.send("/session/show/gain", -8)
    #expect(desk.wait(0.1, as: Desk.other)["/session/show/gain"] == [-8.0])
  }

  @Test("The lamp of a mute group is right when its client comes back")
  func lamp() throws {
    var desk = try Desk.stage()
    let group = "/session/{show,music}/mute"
    desk.send("/subscribe", "/session")
    desk.send(group, 1)
    desk.wait(1)
    desk.time += 40
    desk.send(group, 0, from: Desk.other)
    #expect(desk.wait(0.1).isEmpty)
    desk.send("/ping")
    #expect(desk.wait(1)[group] == [0.0])
  }

  @Test("A client whose lease is over keeps its place until another needs it")
  func place() throws {
    var desk = try Desk.stage()
    for port in 1...55 { desk.send("/subscribe", "/ramp", from: Desk.local(UInt16(port))) }
    desk.time += 40
    for port in 2...55 { desk.send("/ping", from: Desk.local(UInt16(port))) }
    desk.send("/subscribe", "/ramp", from: Desk.local(56))
    #expect(desk.surface.clients.peers.contains(Desk.local(1)))
    #expect(desk.send("/subscribe", "/ramp").errorCode == nil)
    #expect(!desk.surface.clients.peers.contains(Desk.local(1)) && desk.surface.clients.peers.count == 56)
    desk.wait(0.5)
    desk.send("/ramp", 0.1, from: Desk.local(1))
    #expect(desk.wait(0.2)["/ramp"] == [.float(0.1)])
    #expect(
      desk.wait(0, as: Desk.local(1)).allSatisfy { $0.address != "/ramp" || $0.arguments != [.float(0.1)] })
  }
}
