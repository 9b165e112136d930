import Foundation
import JackServer
import TestKit
import Testing

/// `multiroute doctor` on this machine.
@Suite struct DoctorProcessTests {
  private func examine(_ words: [String], in folder: TemporaryFolder) throws -> (
    code: Int32?, facts: [String], findings: [(what: String, isAudible: Bool)]
  ) {
    let run = try Program.run(["doctor", "--json"] + words, in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let report = try #require(object, "\(run.errors)")
    let facts = try #require(report["facts"] as? [[String: String]])
    let findings = try #require(report["findings"] as? [[String: Any]])
    return (
      run.code, facts.compactMap { $0["fact"] },
      findings.map { ($0["what"] as? String ?? "", $0["audible"] as? Bool ?? false) }
    )
  }

  @Test(
    "Beside a server and a router it names library, rate, period and what no preset matches, and leaves nothing behind"
  )
  func house() async throws {
    let house = try await House()
    try house.stage.do("source Stranger 1 ramp")
    let report = try examine(
      [
        "--server", house.server.name, "--config", "none", "--presets", house.folder.path, "--media",
        house.folder.file("media"), "--to", "unix:\(house.router.socket)",
      ], in: house.folder)
    #expect(report.code == (report.findings.contains(where: \.isAudible) ? 1 : 0))
    #expect(report.facts.contains { $0.hasPrefix("JACK library ") && $0.contains("libjack.so") }, "\(report)")
    #expect(
      report.facts.contains { $0.contains("48000 Hz with \(PrivateServer.period) frames") }, "\(report)")
    #expect(report.facts.contains { $0.contains("MB/s") } && report.facts.contains("1 preset of your own"))
    #expect(
      report.facts.contains {
        $0.hasPrefix("a router answers at unix:") && $0.hasSuffix("its preset is show")
      })
    #expect(report.findings.contains { $0.what == "no preset of yours matches Stranger:out_1" }, "\(report)")
    #expect(!report.findings.contains { $0.what.contains("Band:out") || $0.what.contains("no JACK server") })
    #expect(!FileManager.default.fileExists(atPath: house.folder.file("media")))
    // The router does not notice.
    #expect(try house.surface.number("/session/show/active") == 1)
  }

  @Test("Without a server and a router it says so, and ends with 1")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let report = try examine(["--server", "mrtest-absent", "--config", "none"], in: folder)
    #expect(report.code == 1)
    #expect(
      report.findings.contains { $0.isAudible && $0.what.hasPrefix("no JACK server lets a program join") })
    #expect(report.facts.contains("no router runs"))
  }

  @Test("A server that stands still is a finding, and does not hold the doctor")
  func hungServer() async throws {
    let server = try await PrivateServer()
    let process = try #require(server.server.processIdentifier)
    // The server is asked to end when it is released, and must run then.
    let report = try withExtendedLifetime(server) {
      kill(process, SIGSTOP)
      defer { kill(process, SIGCONT) }
      return try examine(["--server", server.name, "--config", "none"], in: TemporaryFolder())
    }
    #expect(report.code == 1)
    #expect(
      report.findings.contains { $0.isAudible && $0.what.contains("the server does not answer") }, "\(report)"
    )
  }
}
