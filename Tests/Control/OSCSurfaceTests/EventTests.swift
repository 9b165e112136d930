import OSC
import OSCSurface
import SessionModel
import Testing

@Suite("Events")
struct EventTests {
  private static func serials(_ messages: [OSCMessage]) -> [Int32] {
    messages.filter { $0.address.hasPrefix("/event/") }.compactMap { message in
      if case .int32(let serial)? = message.arguments.first { serial } else { nil }
    }
  }

  @Test("Serial numbers have no gap, and the events of a command reach its sender before the response")
  func order() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/event/*")
    desk.wait(0.1)
    let first = desk.events.count
    var heard: [OSCMessage] = []
    heard += desk.send("/request", 1, "/session/create", "late", "playback")
    #expect(heard.map(\.address) == ["/event/session", "/response"])
    heard += desk.send("/session/late/active", 1)
    heard += desk.send("/session/late/gain", 99)
    heard += desk.send("/session/late/category", "multiRoute")
    heard += desk.send("/request", 2, "/session/remove", "late")
    #expect(Self.serials(heard) == Array(Int32(first + 1)...Int32(desk.events.count)))
    #expect(
      heard.suffix(3).map(\.address) == ["/event/active", "/event/session", "/response"])
    #expect(Self.serials(desk.events) == Array(1...Int32(desk.events.count)))
  }

  @Test("Each event has the arguments of its row in docs/develop/law/osc.md")
  func forms() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/active", 1)
    desk.send("/session/show/category", "playback")
    try desk.unplug(.output, "radio")
    try desk.happen(.server(ServerState()))
    desk.send("/session/show/gain", 11)
    func last(_ address: String) -> OSCMessage? { desk.events.last { $0.address == address } }
    #expect(last("/event/active")?.typeTags == "isis")
    #expect(last("/event/active")?.arguments.dropFirst() == ["show", 0, "system"])
    #expect(last("/event/category")?.typeTags == "issss")
    #expect(last("/event/route")?.typeTags == "isisss")
    #expect(
      last("/event/route")?.arguments.dropFirst()
        == ["show", 2, "oldDeviceUnavailable", "in:none out:radio", "in:none out:mono"])
    #expect(last("/event/port")?.arguments.dropFirst() == ["out", "radio", 0])
    #expect(last("/event/media")?.arguments.dropFirst() == ["lost"])
    #expect(last("/event/error")?.typeTags == "iiisss")
    #expect(last("/event/error")?.arguments[2...4] == [4, "/session/show/gain", "outOfRange"])
    #expect(last("/event/session")?.typeTags == "iss")
  }

  @Test("A client can get the last 1,000 events again")
  func since() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/event/since", .int32(Int32(desk.events.count))).isEmpty)
    #expect(desk.send("/event/since", 0) == desk.events)
    #expect(desk.send("/event/since", 2) == Array(desk.events.dropFirst(2)))
    for step in 0..<2_500 { desk.send("/session/show/active", .int32(Int32(1 - step % 2))) }
    let last = Int32(desk.events.count)
    #expect(desk.send("/event/since", .int32(last - 1_000)) == Array(desk.events.suffix(1_000)))
    for lost in [
      OSCArgument.int32(last - 1_001), 0, .int32(last + 1), .int32(.max), .int32(.min), .double(1e300),
    ] {
      #expect(
        desk.send("/event/since", lost) == [OSCMessage("/event/lost", .int32(last - 999), .int32(last))])
    }
    #expect(desk.send("/event/since", "x").errorCode == .badValue)
    #expect(desk.send("/event/since").errorCode == .badValue)
  }

  @Test("A client can read the last events as the lines that the events file has")
  func lines() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/active", 1)
    let last = Int32(desk.events.count)
    let answer = desk.send("/event/lines", .int32(last - 1))
    #expect(answer.count == 1 && answer[0].arguments.prefix(3) == [0, 1, .int32(last)], "\(answer)")
    guard case .string(let line)? = answer.first?.arguments.last else { return #expect(Bool(false)) }
    #expect(line.contains(#""event": "/event/active", "serial": \#(last), "session": "show""#), "\(line)")
    #expect(desk.send("/event/lines", .int32(last)) == [OSCMessage("/event/lines", 0, 0)])
    #expect(desk.send("/event/lines", .int32(last + 9)) == [OSCMessage("/event/lost", 1, .int32(last))])
    for step in 0..<200 { desk.send("/session/show/active", .int32(Int32(1 - step % 2))) }
    #expect(desk.send("/event/lines", 0).count == 50)
  }

  @Test("At most 100 errors a second reach a client, then one with the number of the suppressed ones")
  func errorLimit() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/event/error", from: Desk.other)
    desk.wait(0.1, as: Desk.other)
    var errors: [OSCMessage] = []
    for _ in 1...150 { errors += desk.send("/nonsense").errors }
    #expect(errors.count == 100)
    #expect(desk.wait(0.9).isEmpty)
    #expect(!desk.isIdle)
    let late = desk.wait(0.2)
    #expect(late.errorCode == .rateLimited)
    #expect(late[0].arguments.last == "50 more errors were not sent")
    #expect(desk.wait(2).isEmpty)
    #expect(desk.wait(0.1, as: Desk.other).count == 100)
    #expect(desk.send("/nonsense").errorCode == .unknownAddress)
    // Another client has its own hundred.
    for _ in 1...150 { desk.send("/nonsense") }
    #expect(desk.send("/nonsense", from: Desk.other).errorCode == .unknownAddress)
    desk.time += 2
    #expect(desk.send("/nonsense").errors.map { $0.arguments[1] } == [14, 1])
  }
}
