import OSC
import SessionModel
import Synchronization
import Testing

@testable import OSCSurface

@Suite("Solos and talkbacks over OSC")
struct MonitoringTests {
  /// The headphones as a monitor output, and the talkback `talk` from the microphone to the interface. The other client follows all of it.
  private static func desk(_ pattern: String = "/*") throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/output/headphones/monitor/on", 1)
    desk.send("/session/create", "talk", "multiRoute")
    desk.send("/session/talk/stream/main/from", "input:mic")
    #expect(desk.send("/session/talk/talkback/to", "usb").errors.isEmpty)
    try desk.happen(.connected("talk", true))
    desk.send("/subscribe", .string(pattern), from: Desk.other)
    desk.wait(1, as: Desk.other)
    return desk
  }

  @Test("Every solo lights its lamp and that of /solo/on, and /solo/clear puts all of them out")
  func lamps() throws {
    var desk = try Self.desk()
    let addresses = [
      "/session/show/solo", "/session/music/stream/main/solo", "/input/mic/solo", "/output/usb/solo",
    ]
    for (index, address) in addresses.enumerated() {
      #expect(desk.send(address, 1).errors.isEmpty)
      let heard = desk.wait(0.2, as: Desk.other)
      #expect(heard[address] == [1], "\(address)")
      #expect(heard["/solo/on"] == (index == 0 ? [1] : nil))
      #expect(heard["/output/headphones/monitor/why"] != nil)
    }
    desk.send("/solo/clear")
    let heard = desk.wait(0.2, as: Desk.other)
    for address in addresses + ["/solo/on"] { #expect(heard[address] == [0], "\(address)") }
  }

  @Test("A solo that nobody could hear is refused with the reason")
  func refused() throws {
    var desk = try Self.desk()
    try desk.unplug(.output, "headphones")
    let answer = desk.send("/session/show/solo", 1)
    #expect(answer.errorCode == .resourceNotAvailable)
    #expect("\(answer)".contains("headphones is away"))
  }

  @Test("A talkback lights its lamp and that of each output that hears it, by an address of its own")
  func talkback() throws {
    var desk = try Self.desk()
    #expect(desk.send("/talkback/show/on", 1).errorCode != nil)
    #expect(desk.send("/talkback/talk/on", 1).errors.isEmpty)
    var heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/talkback/talk/on"] == [1] && heard["/output/usb/talkback"] == [1])
    #expect(heard["/output/headphones/talkback"] == nil)
    desk.time += 1
    desk.send("/talkback/talk/on", 0)
    heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/talkback/talk/on"] == [0] && heard["/output/usb/talkback"] == [0])
  }

  @Test("A client that leaves closes its talkback; another one's stays open", arguments: [true, false])
  func leaves(isOwn: Bool) throws {
    var desk = try Self.desk()
    desk.send("/hello", "tablet")
    desk.send("/talkback/talk/on", 1)
    desk.send("/session/show/solo", 1)
    desk.send("/bye", from: isOwn ? Desk.me : Desk.other)
    #expect(desk.surface.holders.isDue == isOwn)
    _ = desk.surface.endHeld(&desk.state, at: desk.time)
    #expect(desk.state.monitoring.isOpen("talk") != isOwn)
    // Solos stay, because no monitor output has `lease`.
    #expect(desk.state.isSoloed(.session("show")))
  }

  @Test("A client that leaves takes the solos of sends along; another one's stay", arguments: [true, false])
  func mix(isOwn: Bool) throws {
    var desk = try Self.desk()
    let solo = "/session/show/stream/main/to/headphones/solo"
    #expect(desk.send(solo, 1).errorCode == .badParam)
    desk.send("/session/show/stream/main/to/headphones/on", 1)
    desk.send("/hello", "phone")
    #expect(desk.send(solo, 1).errors.isEmpty)
    #expect(desk.wait(0.2, as: Desk.other)[solo] == [1])
    desk.send("/bye", from: isOwn ? Desk.me : Desk.other)
    _ = desk.surface.endHeld(&desk.state, at: desk.time)
    #expect(desk.state.monitoring.sends.isEmpty == isOwn)
  }

  @Test(
    "A lease that ends closes the talkback, and ends solos if a monitor output says so", arguments: [0, 1])
  func lapses(takesSolos: Int32) throws {
    var desk = try Self.desk()
    desk.send("/output/headphones/monitor/lease", .int32(takesSolos))
    desk.send("/hello", "tablet")
    desk.send("/talkback/talk/on", 1)
    desk.send("/session/show/solo", 1)
    desk.send("/session/music/solo", 1, from: Desk.other)
    desk.time += 29
    desk.send("/ping", from: Desk.other)
    desk.wait(0.1, as: Desk.other)
    #expect(!desk.surface.holders.isDue)
    desk.time += 2
    desk.wait(0.1, as: Desk.other)
    #expect(desk.surface.holders.isDue)
    _ = desk.surface.endHeld(&desk.state, at: desk.time)
    #expect(!desk.state.monitoring.isOpen("talk"))
    #expect(desk.state.isSoloed(.session("show")) == (takesSolos == 0))
    #expect(desk.state.isSoloed(.session("music")))
  }

  @Test("The silence of 30 s of a client that never greeted closes its talkback, and ends its solo of a send")
  func silence() throws {
    var desk = try Self.desk()
    desk.send("/session/show/stream/main/to/headphones/on", 1)
    desk.send("/talkback/talk/on", 1)
    desk.send("/session/show/stream/main/to/headphones/solo", 1)
    // Nothing else is due.
    desk.send("/bye", from: Desk.other)
    for _ in 1...2 {
      desk.time += 29
      desk.wait(0.1)
      #expect(!desk.surface.holders.isDue)
      desk.send("/ping")
    }
    let due = try #require(desk.surface.nextDue(at: desk.time))
    #expect(due == desk.time + 30)
    desk.time = due
    desk.wait(0.1)
    _ = desk.surface.endHeld(&desk.state, at: desk.time)
    #expect(!desk.state.monitoring.isOpen("talk") && desk.state.monitoring.sends.isEmpty)
  }

  @Test(
    "With its connection ends what a client held that never greeted, also if its packet is carried out only then",
    arguments: [false, true])
  func connectionEnds(isFirst: Bool) throws {
    var desk = try Self.desk()
    desk.send("/session/show/stream/main/to/headphones/on", 1)
    let (rig, peer) = (ServiceRig(desk), Desk.web())
    func end() {
      rig.gone.withLock { _ = $0.insert(peer) }
      rig.service.entrance.leave()
    }
    if isFirst { end() }
    rig.receive("/talkback/talk/on", 1, from: peer)
    rig.receive("/session/show/stream/main/to/headphones/solo", 1, from: peer)
    rig.receive("/session/show/fader/touch", 1, from: peer)
    if !isFirst {
      #expect(rig.state.monitoring.isOpen("talk") && rig.service.surface.fingers.count == 1)
      end()
    }
    rig.wait(0.1)
    #expect(!rig.state.monitoring.isOpen("talk") && rig.state.monitoring.sends.isEmpty)
    #expect(rig.service.surface.fingers.isEmpty)
  }
}
