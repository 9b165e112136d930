import Foundation
import OSC
import SessionModel
import Synchronization
import Testing

@testable import Commands

@Suite("top shows load, levels, rings, clients and health, and follows them")
struct TopTests {
  private static let pace = TopCommand.Pace(
    screen: .milliseconds(20), lines: .milliseconds(20), questions: .milliseconds(20))

  private func options(_ words: [String], _ router: LoopRouter, _ shell: Shell) throws -> TopCommand.Options {
    try TopCommand.Options(
      ArgumentReader.read(
        (words + ["--to", router.endpoint])[...], of: CommandTable.description(of: .top)), shell.context)
  }

  @Test("top --once prints one screen with the state of each session and output")
  func once() throws {
    let router = try LoopRouter()
    let shell = Shell()
    try TopCommand.perform(try options(["--once"], router, shell), at: Self.pace, shell.context)
    let text = shell.terminal.output
    #expect(text.contains("48000 Hz, period 256 (5.3 ms), "), "\(text)")
    #expect(text.contains("load ##............................ 8.0 %, longest callback 114 us"), "\(text)")
    #expect(text.contains("xruns 3"))
    let lines = shell.terminal.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      lines.contains { $0.hasPrefix("show ") && $0.hasSuffix("heard at usb; waits for headphones") },
      "\(text)")
    #expect(lines.contains { $0.hasPrefix("headphones ") && $0.hasSuffix(" away") }, "\(text)")
    // This router is healthy, and measures no stages.
    #expect(!text.contains("STAGE") && text.contains("health: ok"), "\(text)")
  }

  @Test("What a router measures of stages, load and health is shown where it is there")
  func health() throws {
    var picture = TopPicture(.standard)
    for (address, argument) in [
      ("/health/state", OSCArgument.string("the disk is nearly full; delete recordings")),
      ("/health/load/now", .float(0.75)), ("/health/load/worst", .float(0.9)),
      ("/health/load/server", .float(0.5)), ("/health/xruns", .int32(4)), ("/health/glitches", .int32(2)),
      ("/health/stage/sinks/mean", .float(0.000_125)), ("/health/stage/sinks/worst", .float(0.001)),
      ("/meter/output/usb", .float(-30)),
    ] { _ = picture.take(OSCMessage(address, argument)) }
    _ = picture.take(
      OSCMessage(
        "/output/list", .int32(0), .int32(1), .string("usb"), .string("USB"), .string("usbAudio"), .int32(1),
        .int32(1)))
    let lines = picture.lines(Terminal().console())
    #expect(lines[1].hasSuffix(" 75.0 %, worst 90.0 %, server 50.0 %"), "\(lines)")
    #expect(lines[2].hasPrefix("xruns 4, glitches 2, "), "\(lines)")
    #expect(lines[3] == "health: the disk is nearly full; delete recordings")
    #expect(lines.contains("sinks  125.0 us  1000.0 us"), "\(lines)")
    #expect(lines.contains("usb     ##########..........  -30.0  there"), "\(lines)")
  }

  @Test("top --json prints documents with the same values")
  func json() throws {
    let router = try LoopRouter()
    let shell = Shell()
    try TopCommand.perform(try options(["--once", "--json"], router, shell), at: Self.pace, shell.context)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(shell.terminal.output.utf8)) as? [String: Any])
    let sessions = try #require(document["sessions"] as? [[String: Any]])
    let ids = sessions.map { $0["id"] as? String }
    #expect(ids == ["show", "idle"])
    #expect(sessions[0]["why"] as? String == "heard at usb; waits for headphones")
    #expect((document["counters"] as? [String: Any])?["xruns"] as? Int == 3)
    #expect((document["outputs"] as? [[String: Any]])?.count == 2)
  }

  @Test("In a pipe a screen follows the other, and a session that is removed disappears from it")
  func pipe() throws {
    let router = try LoopRouter()
    let hasShown = Mutex(false), hasGone = Mutex(false)
    let screen = Mutex("")
    let terminal = Terminal { text in
      screen.withLock { screen in
        if text.hasPrefix("multiroute at ") {
          if screen.contains("idle ") {
            hasShown.withLock { $0 = true }
            try? router.happen(.removeSession("idle"))
          } else if hasShown.withLock(\.self), screen.contains("show ") {
            hasGone.withLock { $0 = true }
          }
          screen = ""
        }
        screen += text
      }
    }
    var shell = Shell(terminal)
    shell.interruption = EndRequest { { hasGone.withLock(\.self) } }
    try TopCommand.perform(try options(["--seconds", "20"], router, shell), at: Self.pace, shell.context)
    let isFollowed = hasGone.withLock(\.self)
    #expect(isFollowed)
  }

  @Test("Without a router top ends with the reason")
  func silence() throws {
    let shell = Shell()
    #expect(shell.run("top", "--to", "127.0.0.1:1", "--timeout", "0.2") == .unavailable)
    #expect(shell.terminal.error.contains("no router"), "\(shell.terminal.error)")
  }
}
