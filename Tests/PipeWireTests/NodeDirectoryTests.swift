import Foundation
import SessionModel
import TestKit
import Testing

@testable import PipeWire

@Suite("The directory of nodes asks a program, and nobody waits for it")
struct NodeDirectoryTests {
  private static func port(_ serial: UInt64, isInput: Bool = true) -> SystemPort {
    SystemPort(name: "Twin:playback_FL", isInput: isInput, uuid: 1 << 32 | (serial + 1))
  }

  /// A program that does what a line of shell says.
  private func program(_ line: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write("#!/bin/sh\n\(line)\n", to: "dump")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  private func awaitNews(_ directory: NodeDirectory) async throws {
    let limit = ContinuousClock.now + .seconds(10)
    while !directory.takeNews() {
      try #require(ContinuousClock.now < limit)
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  @Test("Ports wait for the answer, are described by it, and are not asked about again")
  func answered() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Dump.laptop, to: "laptop.json")
    let directory = NodeDirectory(
      program: try program("echo >> \(folder.file("runs")); cat \(folder.file("laptop.json"))", in: folder))
    let ports = [Self.port(61), Self.port(62), Self.port(70)]
    #expect(directory.describe(ports).allSatisfy { $0.origin == .awaited })
    try await awaitNews(directory)
    let described = directory.describe(ports)
    #expect(described.map { $0.node?.name } == ["alsa_output.usb-Twin-00", "alsa_output.usb-Twin-00.2", nil])
    #expect(described[2].origin == .unknown)
    // A port that came later is asked about, and the others keep what is known of them meanwhile.
    let more = directory.describe(ports + [Self.port(60)])
    #expect(more.map { $0.node?.name } == ["alsa_output.usb-Twin-00", "alsa_output.usb-Twin-00.2", nil, nil])
    #expect(more[3].origin == .awaited)
    try await awaitNews(directory)
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
    // A server that is started anew gives its numbers to others.
    directory.restart()
    #expect(directory.describe([Self.port(61)])[0].origin == .awaited)
  }

  @Test(
    "A program that is missing, fails, prints nonsense or does not end is said once, and ports are what JACK says"
  )
  func silent() async throws {
    let folder = try TemporaryFolder()
    let cases = [
      (folder.file("nothing"), "is not there"), (try program("exit 1", in: folder), "does not answer"),
    ]
    for (program, reason) in cases { try await expectRemark(program, reason) }
    try await expectRemark(try program("echo '{ nonsense'", in: folder), "cannot be read")
    try await expectRemark(try program("exec sleep 1000", in: folder), "does not answer")
  }

  private func expectRemark(_ program: String, _ reason: String) async throws {
    let directory = NodeDirectory(program: program, seconds: 0.2)
    var remarks: [String] = []
    for serial: UInt64 in [61, 62] {
      guard directory.describe([Self.port(serial)])[0].origin == .awaited else { continue }
      try await awaitNews(directory)
      remarks += directory.takeRemarks()
      #expect(directory.describe([Self.port(serial)])[0].origin == .unknown)
    }
    #expect(remarks.count == 1 && remarks[0].contains(reason), "\(remarks)")
  }

  @Test("Letting go of a directory ends a program that still runs")
  func ended() async throws {
    let folder = try TemporaryFolder()
    let line =
      "echo $$ > \(folder.file("pid.new")); mv \(folder.file("pid.new")) \(folder.file("pid")); exec sleep 1000"
    var directory: NodeDirectory? = NodeDirectory(program: try program(line, in: folder), seconds: 100)
    _ = directory?.describe([Self.port(61)])
    let limit = ContinuousClock.now + .seconds(10)
    while !FileManager.default.fileExists(atPath: folder.file("pid")) {
      try #require(ContinuousClock.now < limit)
      try await Task.sleep(for: .milliseconds(2))
    }
    let words = try String(contentsOfFile: folder.file("pid"), encoding: .utf8).split(separator: "\n")
    let identifier = try #require(words.first.flatMap { Int32($0) })
    #expect(kill(identifier, 0) == 0)
    directory = nil
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }
}
