import Foundation
import SessionModel
import TestKit
import Testing

@testable import Bridges

/// Real processes: scripts stand in for the programs.
@Suite struct BridgeRunnerTests {
  /// What a runner reported, in order, to be waited for.
  private final class Reports: @unchecked Sendable {
    // Everything is touched under the condition only.
    private let condition = NSCondition()
    private var conditions: [BridgeCondition] = []
    private var next = 0

    func add(_ report: BridgeCondition) {
      condition.withLock {
        conditions.append(report)
        condition.broadcast()
      }
    }

    /// The next one that was not returned yet; nil after some seconds.
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
    return BridgeProgram(bridge, for: "second", server: "nobody", rate: 48_000)
  }

  private func script(_ text: String, in folder: TemporaryFolder) throws {
    let path = try folder.write("#!/bin/sh\n" + text, to: "zita-j2a")
    chmod(path, 0o755)
  }

  private func runner(_ folder: TemporaryFolder, _ reports: Reports) -> BridgeRunner {
    BridgeRunner(folders: [folder.path]) { _, condition in reports.add(condition) }
  }

  @Test("A program that ends is started again, and what it said last is told")
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

  @Test("A program that is not there is waited for, and started when it is")
  func missing() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let runner = runner(folder, reports)
    defer { runner.stop() }
    let sender = Bridge(.output, channels: 2, to: .card(Bridge.Card(device: "hw:USB")))
    var program = BridgeProgram(sender, for: "second", server: nil, rate: 48_000)
    program.name = "zita-nobody"
    runner.keep([Self.key: program])
    let sentence =
      "zita-nobody is not there; install the package zita-ajbridge, or say by --bridge-path where it is"
    #expect(reports.take() == .failed(sentence, retry: 0.5))
    let path = try folder.write("#!/bin/sh\nexec sleep 60", to: "zita-nobody")
    chmod(path, 0o755)
    #expect(reports.take() == .running)
  }

  @Test("It is started with its arguments and the server's name, in the place of those of PATH")
  func arguments() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    try script("echo \"$* at $JACK_DEFAULT_SERVER\"", in: folder)
    let runner = runner(folder, reports)
    defer { runner.stop() }
    runner.keep([Self.key: Self.program()])
    #expect(reports.take() == .running)
    #expect(
      reports.take()
        == .failed("zita-j2a ended: -j j2a-second -d hw:USB -r 48000 -c 2 at nobody", retry: 0.5))
  }

  @Test("The same program goes on, another one takes its place, and one that will not end is killed")
  func change() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let pids = try Numbers(folder.file("pids"))
    // It cannot be asked to end.
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

  @Test("The end of the runner is the end of its children")
  func end() throws {
    let (folder, reports) = (try TemporaryFolder(), Reports())
    let pids = try Numbers(folder.file("pids"))
    try script("echo $$ > \(folder.file("pids")); exec sleep 60", in: folder)
    let runner = runner(folder, reports)
    runner.keep([Self.key: Self.program(), BridgeKey(.output, "third"): Self.program()])
    #expect(reports.take() == .running)
    #expect(reports.take() == .running)
    let children = [try pids.next(), try pids.next()]
    runner.stop()
    #expect(!children.contains(where: isAlive))
    // What was told to the children is no report.
    #expect(reports.take(seconds: 0) == nil)
  }

  /// A pipe with a name that scripts write their process ids to.
  private final class Numbers {
    private let descriptor: Int32
    private var rest: [UInt8] = []

    init(_ path: String) throws {
      // Open in both ways, so that no script waits for us to read.
      guard mkfifo(path, 0o600) == 0, case let opened = open(path, O_RDWR | O_CLOEXEC), opened >= 0 else {
        throw CocoaError(.fileWriteUnknown)
      }
      descriptor = opened
    }

    deinit { close(descriptor) }

    /// Waits for the next number.
    func next() throws -> Int32 {
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest.removeSubrange(...end) }
          return try #require(Int32(String(decoding: rest[..<end], as: UTF8.self)))
        }
        var (wait, chunk) = (
          pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), [UInt8](repeating: 0, count: 64)
        )
        try #require(poll(&wait, 1, 10_000) == 1)
        rest += chunk[..<read(descriptor, &chunk, chunk.count)]
      }
    }
  }

  private func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
}
