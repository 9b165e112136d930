import Chance
import OSC
import SessionModel
import Testing

@Suite("Any message")
struct AnyMessageTests {
  static let arguments: [[OSCArgument]] = [
    [], [0], [1], [-1], [.int32(.max)], [.int32(.min)], [.int64(.max)], [.int64(.min)], [0.5], [.float(.nan)],
    [.float(.infinity)], [.float(1e30)], [.float(-1e30)], [.double(1e300)], [.double(-1e300)],
    [.boolean(true)],
    [.boolean(false)], [.null], [.impulse], [.character(0)], [.timetag(.immediately)], [.blob([])],
    [.midi(0)],
    [.colour(0)], [""], ["none"], ["usb"], ["usb:1-2,headphones=-6"], ["/session/show/gain"], ["/*/*"], ["*"],
    ["\u{0}"], ["1:1"], [.string(String(repeating: "x", count: 5_000))], [1, 2, 3],
    [.float(1e30), .float(1e30)],
    ["a", "b", "c"], [.int32(.max), "/session/show/gain", .float(.nan)], ["x", "y", .int32(-5)],
    ["/ramp", .float(1e30), .int32(70_000)], [.double(-1e300), "/event/since", .double(1e300)],
  ]

  /// Of the arguments each address gets so many less, and the next address others; `make soak` sends all to all.
  private static let share = Soak.count(4, of: 1)

  @Test(
    "No message stops the router; one that is refused changes nothing; every set is answered by at most one error"
  )
  func everything() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/stream/main/route", "usb,headphones")
    var addresses = [
      "/", "", "//", "/x", "/session", "/session/absent/gain", "/session/*/gain", "/*", "/*/*", "/{",
      "/output/usb/[0-9]",
    ]
    func walk(_ address: String) {
      let lists = desk.send("/system/list", .string(address.isEmpty ? "/" : address))
      for case .string(let name) in lists.flatMap({ $0.arguments.dropFirst() }) where lists.errors.isEmpty {
        addresses.append("\(address)/\(name)")
        walk("\(address)/\(name)")
      }
    }
    walk("")
    #expect(addresses.count > 500)
    let start = desk.state
    var refused = 0
    for (place, address) in addresses.enumerated() {
      // A mode stands for its many siblings.
      if address.contains("/mode/") || address.hasPrefix("/session/music/") { continue }
      for (index, arguments) in Self.arguments.enumerated()
      where (place + index).isMultiple(of: Self.share) {
        desk.time += 1.1
        desk.state = start
        let answers = desk.send(OSCMessage(address, arguments))
        #expect(answers.errors.count <= 1, "\(address) \(arguments)")
        guard !answers.errors.isEmpty else { continue }
        refused += 1
        #expect(desk.state == start, "\(address) \(arguments)")
      }
    }
    #expect(refused > 5_000 / Self.share)
    desk.state = start
    desk.wait(0.5)
    // The sender has asked for its answers elsewhere meanwhile.
    #expect(desk.send("/session/show/gain", from: Desk.other) == [OSCMessage("/session/show/gain", 0.0)])
  }
}
