import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Commands to groups")
struct GroupCommandTests {
  @Test("A group is made with its members, listed, and removed")
  func life() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/group/create", "band", "session:show", "output:usb").isEmpty)
    #expect(desk.send("/group/create", "empty").isEmpty)
    #expect(
      desk.send("/group/list") == [
        OSCMessage("/group/list", 0, 2, "band", "band", 2, 0),
        OSCMessage("/group/list", 1, 2, "empty", "empty", 0, 0),
      ])
    #expect(desk.get("/group/band/members") == ["session:show", "output:usb"])
    #expect(desk.send("/group/band/members", "session:*").isEmpty)
    #expect(desk.get("/group/band/members") == ["session:*"])
    #expect(desk.send("/group/band/fader", 0.5).isEmpty)
    #expect(desk.get("/group/band/gain") == [-10.0])
    #expect(desk.send("/group/remove", "band").isEmpty)
    #expect(desk.send("/group/remove", "band").errorCode == .notFound)
  }

  @Test("The lamp of a mute group is lit while it mutes members")
  func lamp() throws {
    var desk = try Desk.stage()
    desk.send("/group/create", "band", "session:show")
    desk.send("/group/create", "empty")
    for id in ["band", "empty"] { desk.send("/group/\(id)/mute", 1) }
    #expect(desk.get("/group/band/on") == [1] && desk.get("/group/empty/on") == [0])
    #expect(desk.get("/session/show/mute") == [0])
    desk.send("/group/band/mute", 0)
    #expect(desk.get("/group/band/on") == [0])
  }

  @Test("Bad members are refused with what would be right; absent ones are told with the nearest name")
  func members() throws {
    var desk = try Desk.stage()
    let answer = desk.send("/group/create", "band", "group:other")
    #expect(answer.errorCode == .badValue && "\(answer.errors)".contains("a group has no groups"))
    #expect(desk.state.groups.isEmpty)
    #expect(desk.send("/group/create", "list").errorCode == .badValue)
    desk.send("/group/create", "band", "output:usbb")
    #expect(Desk.told(desk.events).contains { $0.contains("output:usbb") && $0.contains("output:usb") })
  }

  @Test("A group's meter is that of its loudest member")
  func meter() throws {
    var desk = try Desk.stage()
    desk.send("/group/create", "band", "output:*")
    var levels = MeterLevels()
    levels.outputs["usb"] = [0.5, 0.1]
    levels.outputs["headphones"] = [0.1, 1]
    var board = MeterBoard()
    board.followGroups(of: desk.state)
    board.take(levels)
    let peaks = board.peaks["/meter/group/band"] ?? []
    #expect(peaks.count == 2 && abs(peaks[0] + 6.02) < 0.01 && peaks[1] == 0)
  }

  @Test("What would happen if a group muted is told without muting")
  func whatIf() throws {
    var desk = try Desk.stage()
    desk.send("/group/create", "band", "session:show")
    let answer = desk.send("/what/if", "/group/band/mute", 1)
    #expect("\(answer)".contains("group"), "\(answer)")
    #expect(desk.state.groups["band"]?.isMuted == false)
  }
}
