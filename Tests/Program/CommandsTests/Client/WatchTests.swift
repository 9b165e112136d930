import Foundation
import SessionModel
import Synchronization
import Testing

@testable import Commands

@Suite("watch follows a router")
struct WatchTests {
  @Test("Watch prints the present values, then each change, until it is interrupted")
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
    shell.interruption = EndRequest { { isOver.load(ordering: .relaxed) } }
    #expect(shell.run("watch", "/output/usb/gain", "--to", router.endpoint, "--seconds", "20") == .success)
    let text = #"/output/usb/gain/text "0.0 dB""#
    #expect(terminal.lines.contains(text))
    #expect(terminal.lines.contains("/output/usb/gain -12.5"))
    #expect(terminal.lines.contains(#"/output/usb/gain/text "-12.5 dB""#))
    #expect(!terminal.output.contains("/snapshot/end") && !terminal.output.contains("/output/headphones"))
    #expect(terminal.error.isEmpty)
  }

  @Test("Watch prints events when they arrive")
  func events() throws {
    let router = try LoopRouter()
    let isOver = Atomic(false)
    let terminal = Terminal { line in
      if line.hasPrefix("/event/active") { isOver.store(true, ordering: .relaxed) }
      if line.hasPrefix("/session/idle/active 0") { try? router.happen(.activate("idle")) }
    }
    var shell = Shell(terminal)
    shell.interruption = EndRequest { { isOver.load(ordering: .relaxed) } }
    #expect(shell.run("watch", "--to", router.endpoint, "--seconds", "20") == .success)
    #expect(terminal.lines.contains { $0.hasPrefix("/event/active") && $0.hasSuffix("idle 1 app") })
    #expect(!terminal.output.contains("/meter/output"))
  }

  @Test("Watch renews its lease, so it hears what changes after minutes in which nothing changed")
  func lease() throws {
    let router = try LoopRouter()
    let isOver = Atomic(false)
    let terminal = Terminal { line in
      if line == "/ramp 0.5\n" { isOver.store(true, ordering: .relaxed) }
      guard line == "/ramp 0.02\n" else { return }
      Thread.detachNewThread {
        for _ in 0..<6 {
          router.pass(seconds: 20)
          guard router.awaitPacket() else { return }
        }
        try? router.happen(.router(.ramp(.set(0.5))))
      }
    }
    var shell = Shell(terminal)
    shell.interruption = EndRequest { { isOver.load(ordering: .relaxed) } }
    let arguments = try ArgumentReader.read(
      ["--to", router.endpoint], of: CommandTable.description(of: .watch))
    let context = shell.context
    try WatchCommand.perform(
      "/ramp", seconds: 20, pingingEvery: .milliseconds(5), try ClientOptions(arguments, context), context)
    #expect(terminal.lines == ["/ramp 0.02", "/ramp 0.5"])
  }

  @Test("Watch ends after the time of --seconds")
  func time() throws {
    let shell = Shell()
    let router = try LoopRouter()
    #expect(shell.run("watch", "/ramp", "--to", router.endpoint, "--seconds", "0.05") == .success)
    #expect(shell.terminal.lines == ["/ramp 0.02"])
  }

  @Test("Watch of an address that nothing has says so; one of events or meters does not")
  func nothingThere() throws {
    let router = try LoopRouter()
    for (address, isTold) in [
      ("/session/absent/gain", true), ("/output/*/gian", true), ("/event/call", false), ("/meter/*", false),
      ("/ramp", false),
    ] {
      var shell = Shell()
      let terminal = shell.terminal
      if isTold { shell.interruption = EndRequest { { !terminal.error.isEmpty } } }
      let seconds = isTold ? "20" : "0.05"
      #expect(shell.run("watch", address, "--to", router.endpoint, "--seconds", seconds) == .success)
      let line = "multiroute: nothing has the address \(address) now; changes follow if that changes\n"
      #expect(shell.terminal.error == (isTold ? line : ""), "\(address)")
    }
  }

  @Test("A malformed pattern ends watch with the router's error")
  func malformed() throws {
    let router = try LoopRouter()
    let shell = Shell()
    #expect(shell.run("watch", "/a[", "--to", router.endpoint) == .failure)
    #expect(shell.terminal.error.hasPrefix("badValue (3): "))
    #expect(shell.run("watch", "a", "--to", router.endpoint) == .usage)
  }
}
