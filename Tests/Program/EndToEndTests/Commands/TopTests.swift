import Foundation
import TestKit
import Testing

/// `top` at a running router.
@Suite struct TopTests {
  @Test(
    "At a terminal top draws in place, follows what is heard, costs at most 1 % of a processor, and ends at Ctrl-C"
  )
  func terminal() async throws {
    let house = try await House()
    let terminal = try PseudoTerminal(
      ["top", "--to", "127.0.0.1:\(house.router.port)"], in: house.folder, columns: 120, rows: 40)
    let first = try #require(terminal.show("headphones"), "\(terminal.rest)")
    #expect(first.contains("multiroute at ") && first.contains("load "), "\(first)")
    let settings = terminal.settings
    // The ramp of the band has full level, and the metronome's impulses are heard in the headphones.
    #expect(terminal.show("heard at ") != nil, "\(terminal.rest)")
    try house.surface.send("/session/remove", "show")
    try house.surface.sync()
    let limit = Date(timeIntervalSinceNow: 10)
    var hasGone = false
    while !hasGone, limit.timeIntervalSinceNow > 0 {
      let screen = try #require(terminal.show("\u{1B}[H"), "\(terminal.rest)")
      hasGone = screen.contains("multiroute at ") && !screen.contains("SESSION")
    }
    #expect(hasGone)
    let (start, seconds) = (try processorTime(of: terminal.child.identifier), 5.0)
    try await Task.sleep(for: .seconds(seconds))
    let used = try processorTime(of: terminal.child.identifier) - start
    // The system counts in hundredths of a second.
    #expect(used <= 0.01 * seconds + 0.01, "\(used) s of \(seconds) s")
    terminal.type("\u{3}")
    #expect(terminal.end().code == 0)
    #expect(terminal.settings == settings)
  }

  @Test("top ends when the router ends, and says so")
  func end() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try RouterProcess(preset: nil, server: server.name, in: folder, owners: [server])
    let terminal = try PseudoTerminal(["top", "--to", "127.0.0.1:\(router.port)"], in: folder)
    #expect(terminal.show("load ") != nil, "\(terminal.rest)")
    #expect(router.terminate().code == 0)
    let end = terminal.end()
    #expect(end.code == 69 && end.shown.contains("multiroute: no router listens at "), "\(end)")
  }

  /// Seconds of the processor that a process has used.
  private func processorTime(of process: Int32) throws -> Double {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields[11...12].compactMap { Double($0) }
    try #require(ticks.count == 2)
    return (ticks[0] + ticks[1]) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
