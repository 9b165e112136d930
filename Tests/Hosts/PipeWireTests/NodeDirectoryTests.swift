import Foundation
import ServerInterface
import Synchronization
import TestKit
import Testing

@testable import PipeWire

@Suite("The directory of nodes follows a program without waiting for it")
struct NodeDirectoryTests {
  private static func port(_ serial: UInt64, client: String = "Twin", isInput: Bool = true) -> SystemPort {
    SystemPort(name: "\(client):playback_FL", isInput: isInput, uuid: 1 << 32 | (serial + 1))
  }

  private let folder: TemporaryFolder
  /// The file of a whole dump.
  private let dump: String

  init() throws {
    folder = try TemporaryFolder()
    dump = try folder.write(Dump.laptop, to: "laptop.json")
  }

  /// A program that runs lines of shell script, after it has noted the run. The last line must replace the shell if it does not end.
  private func program(_ lines: String) throws -> String {
    let path = try folder.write("#!/bin/sh\necho \"$@\" >> \(folder.file("runs"))\n\(lines)\n", to: "dump")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  /// The arguments of each run of the program so far.
  private var runs: [Substring] {
    get throws { try String(contentsOfFile: folder.file("runs"), encoding: .utf8).split(separator: "\n") }
  }

  /// A directory whose news a test can wait for, and whose clock it sets.
  private final class Watched {
    let directory: NodeDirectory
    private let bell = DispatchSemaphore(value: 0)
    private let time: Time

    private final class Time: Sendable {
      let seconds = Mutex(0.0)
    }

    init(_ program: String, limit: Double = 20, pauses: ClosedRange<Double> = 0.01...0.1) {
      let time = Time()
      self.time = time
      directory = NodeDirectory(
        program: program, limit: limit, pauses: pauses, wake: { [bell] in bell.signal() },
        clock: { time.seconds.withLock(\.self) })
    }

    /// The state of the look-up of a port.
    func origin(of serial: UInt64) -> SystemPort.Origin {
      directory.describe([NodeDirectoryTests.port(serial)])[0].origin
    }

    /// Waits until ports must be described again.
    func awaitNews() throws {
      while !directory.takeNews() { try #require(bell.wait(timeout: .now() + 20) == .success) }
    }

    /// Lets the time pass that the program has for a new port.
    func passLimit() {
      time.seconds.withLock { $0 += 20 }
      #expect(!directory.takeNews())
    }
  }

  @Test("What the program prints describes the ports, also those that appear later")
  func answered() throws {
    let watched = Watched(try program("cat \(dump); exec sleep 1000"))
    let directory = watched.directory
    let ports = [Self.port(61), Self.port(62), Self.port(70, client: "Late")]
    #expect(directory.describe(ports).allSatisfy { $0.origin == .awaited })
    try watched.awaitNews()
    let described = directory.describe(ports + [Self.port(60)])
    #expect(
      described.map { $0.node?.name } == [
        "alsa_output.usb-Twin-00", "alsa_output.usb-Twin-00.2", nil, "alsa_output.pci",
      ])
    // The program may have read the port before it had its properties.
    #expect(described[2].origin == .awaited)
    #expect(described[3].node?.routeType == "headphones")
    #expect(try runs == ["--monitor"])
    #expect(directory.takeRemarks().isEmpty)
    // A library that makes UUIDs from something else would mean other ports.
    var stranger = Self.port(61)
    for (name, node) in [
      ("Twin:in_1", nil), ("Twin:playback_FL-62", nil), ("Twin:playback_FL-61", "alsa_output.usb-Twin-00"),
      ("system:playback_1", "alsa_output.usb-Twin-00"),
    ] {
      stranger.name = name
      #expect(directory.describe([stranger])[0].node?.name == node)
    }
    // A restarted server gives the numbers to other ports.
    directory.restart()
    #expect(watched.origin(of: 61) == .awaited)
  }

  /// A directory whose program has printed the dump, and then prints what is written to the file.
  private func talkative() throws -> (Watched, FileHandle) {
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let watched = Watched(try program("exec 3<>\(pipe); cat \(dump); exec cat <&3"))
    #expect(watched.origin(of: 65) == .awaited)
    try watched.awaitNews()
    return (watched, try #require(FileHandle(forUpdatingAtPath: pipe)))
  }

  @Test("Later arrays add, change and remove objects, in pieces of any length")
  func changes() throws {
    let (watched, talk) = try talkative()
    let volume =
      #""params": { "Props": [ { "volume": 1.0, "mute": true, "channelVolumes": [ 0.001, 0.027 ] } ] }"#
    let array = """
      [ \(Dump.port(65, of: 50, "playback_FL")),
        { "id": 50, "type": "PipeWire:Interface:Node", "info": { "props": { "node.name": "odd \\"]\\\\" }, \(volume) } } ]
      """
    let bytes = Data((array + "\n[]\n").utf8)
    try talk.write(contentsOf: bytes.prefix(300))
    try talk.write(contentsOf: bytes.dropFirst(300))
    try watched.awaitNews()
    let node = watched.directory.describe([Self.port(65)])[0].node
    #expect(node?.name == #"odd "]\"#)
    #expect(node?.volume == SystemNode.Volume(percent: 30, isMuted: true))
    try talk.write(contentsOf: Data("[ { \"id\": 1065, \"info\": null } ]\n".utf8))
    try watched.awaitNews()
    #expect(watched.origin(of: 65) == .awaited)
    #expect(try runs.count == 1)
  }

  @Test("The new ports of a client get their nodes together, and those that had them keep them")
  func together() throws {
    let (watched, talk) = try talkative()
    let ports = [Self.port(61), Self.port(65), Self.port(66), Self.port(60, client: "Desk")]
    func known() -> [Bool] { watched.directory.describe(ports).map { $0.node != nil } }
    #expect(watched.origin(of: 61) != .awaited)
    #expect(known() == [true, false, false, true])
    try talk.write(contentsOf: Data("[\(Dump.port(65, of: 50, "playback_FL"))]\n".utf8))
    try watched.awaitNews()
    #expect(known() == [true, false, false, true])
    try talk.write(contentsOf: Data("[\(Dump.port(66, of: 50, "playback_FL"))]\n".utf8))
    try watched.awaitNews()
    #expect(known() == [true, true, true, true])
  }

  @Test("If the program does not print a new port in time, it is started anew, until a run prints the port")
  func late() throws {
    let complete = try folder.write(
      "[\(Dump.port(71, of: 50, "playback_FL"))]", to: "late.json")
    let watched = Watched(
      try program(
        "cat \(dump); [ $(wc -l < \(folder.file("runs"))) -le 2 ] || cat \(complete); exec sleep 1000"))
    #expect(watched.origin(of: 61) == .awaited)
    try watched.awaitNews()
    let ports = [Self.port(61), Self.port(71)]
    func look() -> [SystemPort] { watched.directory.describe(ports) }
    #expect(look().map(\.origin)[1] == .awaited)
    #expect(!watched.directory.takeNews())
    watched.passLimit()
    try watched.awaitNews()
    #expect(look()[0].node != nil && look()[1].origin == .overdue)
    #expect(try runs.count == 2)
    watched.passLimit()
    #expect(try runs.count == 2)
    watched.passLimit()
    while look()[1].node == nil {
      #expect(look()[1].origin == .overdue)
      try watched.awaitNews()
    }
    #expect(try runs.count == 3)
  }

  @Test("A server that numbers its ports otherwise has none of them in the directory")
  func otherNumbers() throws {
    let watched = Watched(try program("cat \(dump); exec sleep 1000"))
    #expect(watched.origin(of: 900) == .awaited)
    try watched.awaitNews()
    #expect(watched.origin(of: 900) == .absent)
  }

  @Test("A program that ends is started again, at once if a new port appears")
  func ending() throws {
    let watched = Watched(try program("cat \(dump)"), pauses: 1_000...1_000)
    for serial: UInt64 in 71...73 {
      _ = watched.directory.describe([Self.port(61), Self.port(serial)])
      try watched.awaitNews()
      #expect(watched.origin(of: 61) != .awaited)
    }
    #expect(watched.directory.takeRemarks().isEmpty)
  }

  @Test("A program that ends is started again by itself after a pause")
  func ended() throws {
    let watched = Watched(try program("cat \(dump)"))
    for _ in 1...3 {
      #expect(watched.origin(of: 61) != .absent)
      try watched.awaitNews()
    }
    #expect(try runs.count >= 3)
  }

  /// Ways in which a run fails, as shell script. `$dump` is the file of a whole dump.
  private static let failures = ["head -c 500 $dump", "echo", "echo '{ nonsense'", "echo '[ } ]'", "exit 1"]

  /// A program whose runs fail in some way as long as a condition of the shell holds. Then it prints a dump.
  private func program(_ failure: String, while condition: String) throws -> String {
    try program(
      """
      dump=\(dump)
      if \(condition); then \(failure); else cat $dump; exec sleep 1000; fi
      """)
  }

  @Test("A run that fails is repeated before anything is reported, and the ports wait", arguments: failures)
  func repeated(failure: String) throws {
    let watched = Watched(
      try program(failure, while: "[ $(wc -l < \(folder.file("runs"))) -le 2 ]"))
    #expect(watched.origin(of: 61) == .awaited)
    try watched.awaitNews()
    #expect(try runs.count == 3)
    #expect(watched.directory.describe([Self.port(61)])[0].node?.name == "alsa_output.usb-Twin-00")
    #expect(watched.directory.takeRemarks().isEmpty)
  }

  @Test(
    "A program that goes on failing is reported once, and its ports get their nodes when it answers",
    arguments: failures)
  func reported(failure: String) throws {
    let watched = Watched(try program(failure, while: "[ ! -e \(folder.file("recovered")) ]"))
    let directory = watched.directory
    #expect(watched.origin(of: 61) == .awaited)
    try watched.awaitNews()
    #expect(watched.origin(of: 61) == .overdue)
    let remarks = directory.takeRemarks()
    let reason = failure == "echo" || failure == "exit 1" ? "does not answer" : "cannot be read"
    #expect(remarks.count == 1 && remarks[0].contains(reason), "\(remarks)")
    _ = try folder.write("", to: "recovered")
    try watched.awaitNews()
    #expect(directory.describe([Self.port(61)])[0].node?.name == "alsa_output.usb-Twin-00")
    #expect(directory.takeRemarks().isEmpty)
  }

  @Test("A program that prints nothing and does not end counts as failed")
  func endless() throws {
    let watched = Watched(try program("exec sleep 1000"), limit: 0.1)
    #expect(watched.origin(of: 61) == .awaited)
    try watched.awaitNews()
    #expect(watched.directory.takeRemarks().contains { $0.contains("does not answer") })
    #expect(watched.origin(of: 61) == .overdue)
  }

  @Test("Without the program, ports are as JACK shows them, and this is reported once")
  func missing() throws {
    let watched = Watched(folder.file("nothing"))
    #expect(watched.origin(of: 61) == .awaited)
    try watched.awaitNews()
    let remarks = watched.directory.takeRemarks()
    #expect(remarks.count == 1 && remarks[0].contains("was not found"), "\(remarks)")
    for serial: UInt64 in [61, 62] { #expect(watched.origin(of: serial) == .unknown) }
  }

  @Test("Releasing a directory ends the program")
  func released() throws {
    let numbers = try NumberPipe(folder.file("pid"))
    let line = "echo $$ > \(folder.file("pid")); exec sleep 1000"
    var directory: NodeDirectory? = NodeDirectory(program: try program(line), limit: 100)
    _ = directory?.describe([Self.port(61)])
    let identifier = try numbers.next()
    #expect(kill(identifier, 0) == 0)
    directory = nil
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }
}
