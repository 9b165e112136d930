import Foundation
import SessionModel
import TestKit
import Testing

@testable import ZitaBridges

/// The runner with real processes: scripts take the places of the bridge programs.
@Suite struct BridgeRunnerTests {
  /// The reports of a runner, in order. A test can wait for them.
  private final class Reports: @unchecked Sendable {
    // All code uses the other properties under the condition only.
    private let condition = NSCondition()
    private var conditions: [BridgeCondition] = []
    private var next = 0

    func add(_ report: BridgeCondition) {
      condition.withLock {
        conditions.append(report)
        condition.broadcast()
      }
    }

    /// Waits for the next report and returns it; nil if none comes in time.
    func take(seconds: Double = 10) -> BridgeCondition? {
      let limit = Date(timeIntervalSinceNow: seconds)
      return condition.withLock {
        while next == conditions.count { if !condition.wait(until: limit) { return nil } }
        next += 1
        return conditions[next - 1]
      }
    }
  }

  private static let key = BridgeKey(.output, "second")

  private static func program(device: String = "hw:USB") -> BridgeProgram {
    let bridge = Bridge(.output, channels: 2, to: .card(Bridge.Card(device: device)))
    return BridgeProgram(bridge, for: "second", server: "absent", rate: 48_000)
  }

  private func script(_ text: String, in folder: TemporaryFolder) throws {
    try folder.writeScript("#!/bin/sh\n" + text, to: "zita-j2a")
  }

  private func runner(_ folder: TemporaryFolder, _ reports: Reports) -> BridgeRunner {
    BridgeRunner(folders: [folder.path]) { _, condition in reports.add(condition) }
  }

  @Test("A program that ends is started again, and its last line of output is reported")
  func again() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    try script("echo one; echo \"Can't open '$4'.\" >&2; exit 1", in: folder)
    let runner = runner(folder, reports)
    defer { runner.stop() }
    runner.keep([Self.key: Self.program()])
    for wait in [0.5, 1] {
      #expect(reports.take() == .running)
      #expect(
        reports.take() == .failed("zita-j2a ended with 1: Can't open 'hw:USB'.", retry: wait))
    }
  }

  @Test("A missing program is reported, and started as soon as it exists")
  func missing() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let runner = runner(folder, reports)
    defer { runner.stop() }
    let sender = Bridge(.output, channels: 2, to: .card(Bridge.Card(device: "hw:USB")))
    var program = BridgeProgram(sender, for: "second", server: nil, rate: 48_000)
    program.name = "zita-absent"
    runner.keep([Self.key: program])
    let sentence =
      "zita-absent was not found; install the package zita-ajbridge, or give its folder with --bridge-path"
    #expect(reports.take() == .failed(sentence, retry: 0.5))
    try folder.writeScript("#!/bin/sh\nexec sleep 60", to: "zita-absent")
    #expect(reports.take() == .running)
  }

  @Test(
    "A program is started with its arguments and the server's name, from the given folder instead of PATH")
  func arguments() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    try script("echo \"$* at $JACK_DEFAULT_SERVER\"", in: folder)
    let runner = runner(folder, reports)
    defer { runner.stop() }
    runner.keep([Self.key: Self.program()])
    #expect(reports.take() == .running)
    #expect(
      reports.take()
        == .failed("zita-j2a ended: -j j2a-second -d hw:USB -r 48000 -c 2 -v at absent", retry: 0.5))
  }

  @Test(
    "An equal program is not restarted, a different one replaces it, and a program that ignores the request to end is killed"
  )
  func change() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let pids = try NumberPipe(folder.file("pids"))
    // The script ignores the request to end.
    try script("trap '' TERM; echo $$ > \(folder.file("pids")); while :; do sleep 60; done", in: folder)
    let runner = runner(folder, reports)
    defer { runner.stop() }
    runner.keep([Self.key: Self.program()])
    #expect(reports.take() == .running)
    let first = try pids.next()
    runner.keep([Self.key: Self.program()])
    runner.keep([Self.key: Self.program(device: "hw:Other")])
    #expect(reports.take() == .running)
    let second = try pids.next()
    #expect(first != second && !isAlive(first) && isAlive(second))
    runner.keep([:])
    #expect(reports.take() == .resting)
    #expect(!isAlive(second))
  }

  @Test(
    "The drift of a program that prints its ratio is known, is no reason of its end, and ends with the program"
  )
  func drift() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let go = folder.file("go")
    try script(
      "mkfifo '\(go)'; echo started; for n in 1 2 3; do echo '   0.213   1.000100'; done; read line < '\(go)'; exit 1",
      in: folder)
    let runner = runner(folder, reports)
    defer { runner.stop() }
    runner.keep([Self.key: Self.program()])
    #expect(reports.take() == .running)
    let end = Date(timeIntervalSinceNow: 10)
    while runner.drifts.isEmpty, Date() < end { usleep(5_000) }
    #expect(runner.drifts[Self.key].map { abs($0 - 1e-4) < 1e-9 } ?? false)
    try "on\n".write(toFile: go, atomically: false, encoding: .utf8)
    #expect(reports.take() == .failed("zita-j2a ended with 1: started", retry: 0.5))
    #expect(runner.drifts.isEmpty)
  }

  @Test("The end of the runner ends its programs, without a report")
  func end() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let pids = try NumberPipe(folder.file("pids"))
    try script("echo $$ > \(folder.file("pids")); exec sleep 60", in: folder)
    let runner = runner(folder, reports)
    runner.keep([Self.key: Self.program(), BridgeKey(.output, "third"): Self.program()])
    #expect(reports.take() == .running)
    #expect(reports.take() == .running)
    let children = [try pids.next(), try pids.next()]
    runner.stop()
    #expect(!children.contains(where: isAlive))
    // The runner reports no end that it has asked for.
    #expect(reports.take(seconds: 0) == nil)
  }

  private func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
}
