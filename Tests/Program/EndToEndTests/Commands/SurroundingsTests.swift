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

  @Test(
    "So it does in a home without locks, as on NFS without its lock service, and restores its state there")
  func withoutLocks() async throws {
    let folder = try TemporaryFolder()
    let source = try folder.write(
      "#include <errno.h>\nint flock(int file, int how) { (void)file, (void)how; errno = ENOLCK; return -1; }\n",
      to: "unlocked.c")
    let library = folder.file("unlocked.so")
    let compiler = try ChildProcess("cc", ["-shared", "-fPIC", "-o", library, source])
    try #require(compiler.wait(seconds: 60) == 0, "\(compiler.errors.text)")
    let launcher = ["env", "LD_PRELOAD=\(library)"]
    try await live(launcher)

    // Only a preset has a state that is kept.
    let preset = try folder.write("{ \"multiroute\": 1 }", to: "show.json")
    let server = try await PrivateServer()
    var ramps: [String] = []
    for ramp in [["0.25"], []] {
      let child = try Program.start(
        [
          "run", preset, "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0", "--state",
          folder.path,
        ],
        in: folder, launcher: launcher)
      let ready = try #require(
        child.errors.line(containing: "multiroute: ready ", seconds: 15), "\(child.errors.text)")
      let port = try #require(ready.firstMatch(of: /osc=127.0.0.1:([0-9]+)/)?.1)
      ramps.append(
        try Program.run(["send", "/ramp"] + ramp + ["--to", "127.0.0.1:\(port)"], launcher: launcher).output)
      child.send(signal: SIGUSR1)
      #expect(child.wait(seconds: 10) != nil, "\(child.errors.text)")
    }
    #expect(ramps == ["0.25", "0.25"])
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
