import SessionModel
import Synchronization
import Testing

@testable import Commands

@Suite("watch follows a router")
struct WatchTests {
  @Test("It prints the present values, then each change, until it is interrupted")
  func follows() throws {
    let router = try LoopRouter()
    let isOver = Atomic(false)
    let terminal = Terminal { line in
      if line == "/output/usb/gain 0.0\n" {
        try? router.happen(.port(.output, "usb", .gain(.set(-12.5))))
      } else if line.hasPrefix("/output/usb/gain/text") && line.contains("-12.5 dB") {
        isOver.store(true, ordering: .relaxed)
      }
    }
    var shell = Shell(terminal)
    shell.interruption = Interruption { { isOver.load(ordering: .relaxed) } }
    #expect(shell.run("watch", "/output/usb/gain", "--to", router.endpoint, "--seconds", "20") == .success)
    let text = #"/output/usb/gain/text "0.0 dB""#
    #expect(terminal.lines.contains(text))
    #expect(terminal.lines.contains("/output/usb/gain -12.5"))
    #expect(terminal.lines.contains(#"/output/usb/gain/text "-12.5 dB""#))
    #expect(!terminal.output.contains("/snapshot/end") && !terminal.output.contains("/output/headphones"))
    #expect(terminal.error.isEmpty)
  }

  @Test("It prints events as they come")
  func events() throws {
    let router = try LoopRouter()
    let isOver = Atomic(false)
    let terminal = Terminal { line in
      if line.hasPrefix("/event/active") { isOver.store(true, ordering: .relaxed) }
      if line.hasPrefix("/session/idle/active 0") { try? router.happen(.activate("idle")) }
    }
    var shell = Shell(terminal)
    shell.interruption = Interruption { { isOver.load(ordering: .relaxed) } }
    #expect(shell.run("watch", "--to", router.endpoint, "--seconds", "20") == .success)
    #expect(terminal.lines.contains { $0.hasPrefix("/event/active") && $0.hasSuffix("idle 1 app") })
    #expect(!terminal.output.contains("/meter/output"))
  }

  @Test("It ends by itself after the time that was asked for")
  func time() throws {
    let shell = Shell()
    let router = try LoopRouter()
    #expect(shell.run("watch", "/ramp", "--to", router.endpoint, "--seconds", "0.05") == .success)
    #expect(shell.terminal.lines == ["/ramp 0.02"])
  }

  @Test("A pattern that is malformed ends with the router's error")
  func malformed() throws {
    let router = try LoopRouter()
    let shell = Shell()
    #expect(shell.run("watch", "/a[", "--to", router.endpoint) == .failure)
    #expect(shell.terminal.error.hasPrefix("badValue (3): "))
    #expect(shell.run("watch", "a", "--to", router.endpoint) == .usage)
  }
}
