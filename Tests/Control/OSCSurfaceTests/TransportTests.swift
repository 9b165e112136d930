import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Transports of players and recorders over OSC")
struct TransportTests {
  @Test("Orders are events of the law: they answer only errors, and take no patterns")
  func orders() throws {
    var desk = try Example.desk()
    #expect(desk.send("/player/walkin/pause").isEmpty)
    #expect(desk.get("/player/walkin/state") == ["paused"])
    #expect(desk.send("/player/walkin/play", 0).isEmpty)
    #expect(desk.get("/player/walkin/playing") == [0])
    #expect(desk.send("/player/walkin/play", 1).isEmpty)
    #expect(desk.send("/player/walkin/queue/next").isEmpty)
    #expect(desk.get("/player/walkin/title") == ["two"])
    #expect(desk.send("/player/*/stop").errorCode == .noWildcard)
    #expect(desk.send("/player/walkin/queue/clear").isEmpty)
    #expect(desk.send("/player/walkin/play").errorCode == .notFound)
    #expect(desk.send("/recorder/tape/record").isEmpty)
    #expect(desk.get("/recorder/tape/recording") == [1])
  }

  @Test("Moves in a queue take numbers, and say which one is missing or wrong")
  func moves() throws {
    var desk = try Example.desk()
    #expect(desk.send("/player/walkin/queue/move", 0, 2.0).isEmpty)
    #expect(desk.get("/player/walkin/queue/index") == [2])
    #expect(desk.send("/player/walkin/queue/move", 0).errorCode == .badValue)
    #expect(desk.send("/player/walkin/queue/remove", "first").errorCode == .badValue)
    #expect(desk.send("/player/walkin/queue/remove", 9).errorCode == .outOfRange)
    #expect(desk.send("/player/walkin/queue/remove", "0").isEmpty)
    #expect(desk.get("/player/walkin/queue/length") == [2])
  }

  @Test("A place can be set, and moved by some seconds")
  func places() throws {
    var desk = try Example.desk()
    #expect(desk.send("/player/walkin/position", 30.0).isEmpty)
    #expect(desk.send("/player/walkin/position/inc", -10.0).isEmpty)
    #expect(desk.get("/player/walkin/position") == [20.0])
    #expect(
      desk.send("/player/walkin/position/inc", -50.0) == [OSCMessage("/player/walkin/position", 0.0)])
  }

  @Test("Orders of one bundle take effect together, and one refusal undoes all")
  func bundle() throws {
    var desk = try Example.desk()
    try desk.happen(.player("empty", .create("voice", "main", seed: 1)))
    let before = desk.state
    let answers = desk.bundle(OSCMessage("/player/walkin/pause"), OSCMessage("/player/empty/play"))
    #expect(answers.errorCode == .notFound && desk.state == before)
  }

  @Test("Power of each channel goes to subscribers of it only")
  func power() throws {
    var desk = try Example.desk()
    #expect(desk.get("/player/walkin/peak") == [-160.0, -160.0])
    desk.send("/subscribe", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(!desk.surface.wantsMeters)
    desk.send("/subscribe", "/player/walkin/average", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.surface.wantsMeters)
    var levels = MeterLevels()
    levels.players["walkin"] = MeterLevels.Power(peaks: [-3, -6], averages: [-20, -21])
    desk.surface.measure(levels)
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/player/walkin/average"] == [-20.0, -21.0])
    #expect(heard["/player/walkin/peak"] == nil)
    #expect(desk.get("/player/walkin/peak") == [-3.0, -6.0])
  }
}
