import Foundation
import OSC
import SystemCalls
import TestKit
import Testing

/// The router as a service of systemd, with stand-ins for the sockets of systemd and its journal.
@Suite struct ServiceTests {
  private static let watchdog = 2.0

  @Test(
    "systemd hears that the preset is in force, what the state is, signs of life within half their time, and the end"
  )
  func notices() async throws {
    let folder = try TemporaryFolder()
    let manager = try DatagramStandIn(path: folder.file("notify"))
    let house = try await House(environment: [
      "NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "\(Int(Self.watchdog * 1_000_000))",
    ])
    let ready = try #require(try manager.first { $0.contains("READY=1") })
    #expect(
      ready.contains("STATUS=show is in force: 1 of 1 sessions active, 3 of 3 outputs there"), "\(ready)")
    try house.surface.send("/session/create", "more", "playback")
    let status = try manager.first { $0.contains { $0.hasPrefix("STATUS=show is in force: 1 of 2") } }
    #expect(status != nil)

    try manager.drain()
    var last = ContinuousClock.now
    for _ in 0..<3 {
      #expect(try manager.first { $0 == ["WATCHDOG=1"] } != nil)
      let now = ContinuousClock.now
      #expect((now - last) / .seconds(1) < Self.watchdog / 2)
      last = now
    }

    let router = house.router.child
    router.send(signal: SIGSTOP)
    defer { router.send(signal: SIGCONT) }
    try manager.drain()
    #expect(try manager.next(within: Self.watchdog / 2) == nil)
    router.send(signal: SIGCONT)
    let resumption = ContinuousClock.now
    // The stop was a glitch, so a new sentence may come first.
    #expect(try manager.first { $0 == ["WATCHDOG=1"] } != nil)
    #expect((ContinuousClock.now - resumption) / .seconds(1) < Self.watchdog / 2)

    #expect(house.router.terminate().code == 0)
    #expect(try manager.first { $0.contains("STOPPING=1") } != nil)
    #expect(try manager.next(within: 0) == nil)
  }

  @Test("A router whose policy thread hangs gives no signs of life, while its audio goes on")
  func hungPolicy() async throws {
    let folder = try TemporaryFolder()
    let manager = try DatagramStandIn(path: folder.file("notify"))
    let house = try await House(environment: [
      "NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "\(Int(Self.watchdog * 1_000_000))",
    ])
    guard let thread = try StoppedThread("mr-policy", of: house.router.child.identifier) else { return }
    try manager.drain()
    var sign: [String]?
    let heard = try house.hear { sign = try manager.next(within: Self.watchdog / 2) }
    #expect(sign == nil)
    heard.expectUnbrokenRamp(0)
    thread.goOn()
    #expect(try manager.first { $0 == ["WATCHDOG=1"] } != nil)
    #expect(house.router.terminate().code == 0)
  }

  @Test("A router that waits for a server is not ready, and says for what it waits")
  func waits() throws {
    let folder = try TemporaryFolder()
    let manager = try DatagramStandIn(path: folder.file("notify"))
    let child = try Program.start(
      [
        "run", "--wait", "--server", "mrtest-absent", "--config", "none", "--osc", "127.0.0.1:0",
        "--no-mpris",
      ],
      in: folder, environment: ["NOTIFY_SOCKET": folder.file("notify"), "JACK_NO_START_SERVER": "1"])
    #expect(child.errors.line(containing: "waiting for one", seconds: 15) != nil)
    #expect(try manager.first { $0 == ["STATUS=looks for a JACK server"] } != nil)
    child.send(signal: SIGTERM)
    #expect(child.wait() == 0)
    var rest: [String] = []
    while let lines = try manager.next(within: 0) { rest += lines }
    #expect(rest.contains("STOPPING=1") && !rest.contains("READY=1"), "\(rest)")
  }

  @Test("A NOTIFY_SOCKET of an unknown kind is named in the log, and the router runs without it")
  func strange() async throws {
    let house = try await House(environment: ["NOTIFY_SOCKET": "vsock:2:1"])
    #expect(
      house.router.child.errors.text.contains("NOTIFY_SOCKET vsock:2:1: it is neither an absolute path"))
    #expect(house.router.terminate().code == 0)
  }

  /// A router in whose eyes a socket of the test is that of the journal, and its standard error leads to the journal.
  private struct JournalHouse {
    let server: PrivateServer
    let folder: TemporaryFolder
    let journal: DatagramStandIn
    let router: ChildProcess
    let surface: ControlSurface

    init?(_ flags: String...) async throws {
      guard PrivateDisk.isPossible else { return nil }
      server = try await PrivateServer()
      folder = try TemporaryFolder()
      let socket = folder.file("journal")
      journal = try DatagramStandIn(path: socket)
      let disk = try #require(try PrivateDisk(in: folder, kibibytes: 64))
      let script = """
        mount -t tmpfs none /run && mkdir -p /run/systemd/journal && touch /run/systemd/journal/socket \
        && mount --bind \(socket) /run/systemd/journal/socket \
        && JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@"
        """
      router = try Program.start(
        ["run", "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0", "--no-mpris"] + flags,
        in: folder, launcher: disk.launcher + ["sh", "-c", script, "sh"])
      let ready = try #require(
        try journal.first { $0.first?.hasPrefix("MESSAGE=ready jack=") == true }, "\(router.errors.text)")
      let port = try #require(
        ready.first?.split(separator: " ").first { $0.hasPrefix("osc=") }?.split(separator: ",").first?
          .split(separator: ":").last.flatMap { UInt16($0) })
      surface = try ControlSurface(port: port)
    }
  }

  @Test("If standard error leads to the journal, it receives entries with priority, event, ids and client")
  func journal() async throws {
    guard let house = try await JournalHouse("--log", "debug") else { return }
    try house.surface.send("/session/create", "more", "playback")
    let entry = try #require(try house.journal.first { $0.contains("MULTIROUTE_EVENT=/event/session") })
    #expect(entry.first?.hasPrefix("MESSAGE=session more created, by 127.0.0.1:") == true, "\(entry)")
    #expect(entry.contains("PRIORITY=7") && entry.contains("SYSLOG_IDENTIFIER=multiroute"))
    #expect(entry.contains("MULTIROUTE_SESSION=more"))
    #expect(entry.contains { $0.hasPrefix("MULTIROUTE_CLIENT=127.0.0.1:") })
    #expect(house.router.errors.text.isEmpty, "\(house.router.errors.text)")
  }

  @Test("A journal that stands still stops nothing, and does not delay the end")
  func stoppedJournal() async throws {
    guard let house = try await JournalHouse("--log", "debug") else { return }
    try house.surface.send("/session/create", "more", "playback")
    // Many times what a datagram socket keeps for a reader (net.unix.max_dgram_qlen); each is answered.
    for step in 1...2_000 { try house.surface.send("/session/more/active", .int32(Int32(step % 2))) }
    let start = ContinuousClock.now
    house.router.send(signal: SIGTERM)
    #expect(house.router.wait(seconds: 5) == 0)
    #expect((ContinuousClock.now - start) / .seconds(1) < 1.5)
  }

  @Test("With --log-format json every line is an object with time, level and sentence")
  func json() throws {
    let run = try Program.run([
      "run", "--server", "mrtest-absent", "--config", "none", "--osc", "127.0.0.1:0", "--no-mpris",
      "--backend", "jack", "--log-format", "json",
    ])
    #expect(run.code == 69)
    let lines = run.errors.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
      #expect(object["time"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
      #expect(["error", "info", "warning"].contains(object["level"]))
      #expect(object["sentence"]?.hasPrefix("multiroute:") == false)
    }
    #expect(lines.contains { $0.contains("\"level\": \"error\"") && $0.contains("JACK server") }, "\(lines)")
  }
}
