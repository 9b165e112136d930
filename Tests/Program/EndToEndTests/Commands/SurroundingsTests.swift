import Foundation
import TestKit
import Testing

/// A machine as people really have it: a user without a home, a home that cannot be written, a name with blanks, no language.
@Suite struct SurroundingsTests {
  private static let noFolders = [
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "LANG", "LC_ALL",
  ].flatMap { ["-u", $0] }

  private static let surroundings = [
    // No HOME, and no folder of the user.
    ["env", "-u", "HOME"] + noFolders,
    // A HOME that cannot be written.
    ["env"] + noFolders + ["HOME=/proc"],
    // A HOME that is a file.
    ["env"] + noFolders + ["HOME=/etc/passwd"],
    // The language C.
    ["env", "LANG=C", "LC_ALL=C"],
    // A terminal that is unknown, of one column.
    ["env", "TERM=none", "COLUMNS=1", "LINES=1"],
  ]

  @Test("The router starts, plays, obeys and stops in odd surroundings", arguments: surroundings)
  func starts(_ launcher: [String]) async throws { try await live(launcher) }

  @Test("So it does on a machine whose name has blanks", .enabled(if: PrivateMachine.isPossible))
  func blanks() async throws {
    let script = "echo 'front of house' > /proc/sys/kernel/hostname && exec \"$@\""
    try await live(["unshare", "--uts", "sh", "-c", script, "sh"])
  }

  private func live(_ launcher: [String]) async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let child = try Program.start(
      ["run", "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0"],
      in: folder, launcher: launcher)
    let ready = try #require(
      child.errors.line(containing: "multiroute: ready ", seconds: 15), "\(child.errors.text)")
    let port = try #require(ready.firstMatch(of: /osc=127.0.0.1:([0-9]+)/)?.1)
    let to = ["--to", "127.0.0.1:\(port)"]
    #expect(try Program.run(["send", "/ramp", "0.25"] + to, launcher: launcher).output == "0.25")
    let status = try Program.run(["status"] + to, launcher: launcher)
    #expect(status.code == 0 && status.output.contains("xruns"), "\(status)")
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 10) == 0, "\(child.errors.text)")
    #expect(!child.errors.text.contains("Fatal"), "\(child.errors.text)")
    for command in [["presets"], ["help"], ["doctor", "--json"]] {
      let result = try Program.run(command, launcher: launcher)
      #expect([0, 1].contains(result.code) && !result.output.isEmpty, "\(command): \(result)")
    }
  }
}
