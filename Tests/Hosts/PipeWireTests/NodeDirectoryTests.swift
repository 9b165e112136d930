import AudioHost
import Foundation
import TestKit
import Testing

@testable import PipeWire

@Suite("The directory of nodes asks a program without waiting for the answer")
struct NodeDirectoryTests {
  private static func port(_ serial: UInt64, isInput: Bool = true) -> SystemPort {
    SystemPort(name: "Twin:playback_FL", isInput: isInput, uuid: 1 << 32 | (serial + 1))
  }

  /// A program that runs a line of shell script.
  private func program(_ line: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write("#!/bin/sh\n\(line)\n", to: "dump")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  /// A directory whose answers a test can wait for.
  private struct Watched {
    let directory: NodeDirectory
    private let bell = DispatchSemaphore(value: 0)

    init(_ program: String, seconds: Double = 10) {
      directory = NodeDirectory(program: program, seconds: seconds) { [bell] in bell.signal() }
    }

    /// Waits for the next answer.
    func awaitNews() throws {
      while !directory.takeNews() { try #require(bell.wait(timeout: .now() + 20) == .success) }
    }
  }

  @Test("The answer describes the ports that wait for it, and no later run looks for them")
  func answered() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Dump.laptop, to: "laptop.json")
    let watched = Watched(
      try program("echo >> \(folder.file("runs")); cat \(folder.file("laptop.json"))", in: folder))
    let directory = watched.directory
    let ports = [Self.port(61), Self.port(62), Self.port(70)]
    #expect(directory.describe(ports).allSatisfy { $0.origin == .awaited })
    try watched.awaitNews()
    let described = directory.describe(ports)
    #expect(described.map { $0.node?.name } == ["alsa_output.usb-Twin-00", "alsa_output.usb-Twin-00.2", nil])
    #expect(described[2].origin == .unknown)
    // The directory asks about a later port, and meanwhile keeps its facts about the others.
    let more = directory.describe(ports + [Self.port(60)])
    #expect(more.map { $0.node?.name } == ["alsa_output.usb-Twin-00", "alsa_output.usb-Twin-00.2", nil, nil])
    #expect(more[3].origin == .awaited)
    try watched.awaitNews()
    #expect(directory.describe(ports + [Self.port(60)])[3].node?.routeType == "headphones")
    #expect(try String(contentsOfFile: folder.file("runs"), encoding: .utf8) == "\n\n")
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
    #expect(directory.describe([Self.port(61)])[0].origin == .awaited)
  }

  @Test("A dump that was cut short is asked for again before anything is reported")
  func cutShort() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Dump.laptop, to: "laptop.json")
    let (whole, seen) = (folder.file("laptop.json"), folder.file("seen"))
    let watched = Watched(
      try program(
        "if [ -e \(seen) ]; then cat \(whole); else touch \(seen); head -c 500 \(whole); fi", in: folder))
    #expect(watched.directory.describe([Self.port(61)])[0].origin == .awaited)
    try watched.awaitNews()
    #expect(watched.directory.describe([Self.port(61)])[0].node?.name == "alsa_output.usb-Twin-00")
    #expect(watched.directory.takeRemarks().isEmpty)
  }

  @Test("After failures that were told, the program is asked again, and its answer counts")
  func recovered() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Dump.laptop, to: "laptop.json")
    let (whole, runs) = (folder.file("laptop.json"), folder.file("runs"))
    let watched = Watched(
      try program(
        "echo >> \(runs); if [ $(wc -l < \(runs)) -gt 4 ]; then cat \(whole); else head -c 500 \(whole); fi",
        in: folder))
    let directory = watched.directory
    #expect(directory.describe([Self.port(61)])[0].origin == .awaited)
    try watched.awaitNews()
    #expect(directory.describe([Self.port(61)])[0].origin == .undescribed)
    #expect(directory.takeRemarks().count == 1)
    try watched.awaitNews()
    #expect(directory.describe([Self.port(61)])[0].node?.name == "alsa_output.usb-Twin-00")
    #expect(directory.takeRemarks().isEmpty)
  }

  @Test(
    "A program that is missing, fails, prints nonsense or does not end is reported once, and ports are as JACK shows them"
  )
  func silent() throws {
    let folder = try TemporaryFolder()
    let cases = [
      (folder.file("nothing"), "was not found"), (try program("exit 1", in: folder), "does not answer"),
    ]
    for (program, reason) in cases { try expectRemark(program, reason) }
    try expectRemark(try program("echo '{ nonsense'", in: folder), "cannot be read")
    try expectRemark(try program("exec sleep 1000", in: folder), "does not answer")
  }

  private func expectRemark(_ program: String, _ reason: String) throws {
    let watched = Watched(program, seconds: 0.2)
    let directory = watched.directory
    var remarks: [String] = []
    for serial: UInt64 in [61, 62] {
      guard directory.describe([Self.port(serial)])[0].origin == .awaited else { continue }
      try watched.awaitNews()
      remarks += directory.takeRemarks()
      let origin = directory.describe([Self.port(serial)])[0].origin
      #expect(origin == (reason.contains("not found") ? .unknown : .undescribed))
    }
    #expect(remarks.count == 1 && remarks[0].contains(reason), "\(remarks)")
  }

  @Test("Releasing a directory ends a program that still runs")
  func ended() throws {
    let folder = try TemporaryFolder()
    let numbers = try NumberPipe(folder.file("pid"))
    let line = "echo $$ > \(folder.file("pid")); exec sleep 1000"
    var directory: NodeDirectory? = NodeDirectory(program: try program(line, in: folder), seconds: 100)
    _ = directory?.describe([Self.port(61)])
    let identifier = try numbers.next()
    #expect(kill(identifier, 0) == 0)
    directory = nil
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }
}
