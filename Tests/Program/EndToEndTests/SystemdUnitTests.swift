import Checkout
import Foundation
import TestKit
import Testing

/// The systemd units that `make install` installs.
@Suite struct SystemdUnitTests {
  /// The units in a folder as they are installed, with this build of the program.
  private struct Installation {
    let folder: TemporaryFolder
    private static var world: [FileAttributeKey: Any] { [.posixPermissions: 0o755] }

    init(share: Bool = false) throws {
      folder = try TemporaryFolder()
      let files = FileManager.default
      // Another user than ours runs the program.
      try files.setAttributes(Self.world, ofItemAtPath: folder.path)
      try files.createDirectory(
        atPath: folder.file("bin"), withIntermediateDirectories: true, attributes: Self.world)
      // A child of ours copies the program: the system refuses to start a file that this process may still have open for writing.
      try run("cp", [ChildProcess.product("multiroute"), folder.file("bin/multiroute")])
      try run(Checkout.file("packaging/install-units.sh"), [folder.path, folder.path, "root"])
      if share {
        let place = folder.file("share/multiroute")
        try run(Checkout.file("packaging/install-share.sh"), [place, place])
      }
    }

    private func run(_ program: String, _ arguments: [String]) throws {
      let child = try ChildProcess(program, arguments)
      #expect(child.wait() == 0, "\(child.errors.text)")
    }

    /// What `systemd-analyze verify` finds.
    func verify(_ unit: String, flags: [String] = []) throws -> (code: Int32?, text: String) {
      try FileManager.default.createDirectory(atPath: folder.file("run"), withIntermediateDirectories: true)
      let child = try ChildProcess(
        "systemd-analyze", flags + ["verify", "--man=no", unit],
        environment: [
          "SYSTEMD_UNIT_PATH": folder.file("lib/systemd/system") + ":", "XDG_RUNTIME_DIR": folder.file("run"),
        ])
      let code = child.wait(seconds: 30)
      return (code, child.errors.text)
    }

    /// The command of a unit's line `ExecStart=` for an instance.
    func start(of unit: String, instance: String) throws -> [String] {
      let line = try #require(
        folder.text(of: unit).split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      return line.dropFirst("ExecStart=".count).replacing("%i", with: instance).split(separator: " ").map(
        String.init)
    }
  }

  @Test(
    "systemd finds nothing wrong with the units",
    arguments: [
      (unit: "multiroute@usb-and-headphones.service", flags: []), ("multiroute-jackd@USB.service", []),
      ("share/systemd/user/multiroute.service", ["--user"]),
    ] as [(unit: String, flags: [String])])
  func verified(_ unit: String, _ flags: [String]) throws {
    let installation = try Installation()
    let path = flags.isEmpty ? unit : installation.folder.file(unit)
    let (code, text) = try installation.verify(path, flags: flags)
    #expect(code == 0 && text == "", "\(text)")
  }

  @Test("systemd finds a unit whose program does not exist: the check can fail")
  func wrong() throws {
    let installation = try Installation()
    try FileManager.default.removeItem(atPath: installation.folder.file("bin/multiroute"))
    #expect(try installation.verify("multiroute@show.service").code != 0)
  }

  @Test(
    "The archive's program refuses a folder whose name systemd would not read",
    arguments: ["'", "\"", "%", "$"])
  func strangeFolder(letter: String) throws {
    let folder = try TemporaryFolder()
    let program = folder.file("install.sh")
    try FileManager.default.copyItem(atPath: Checkout.file("packaging/install.sh"), toPath: program)
    let child = try ChildProcess(program, [folder.file("a\(letter)b")])
    #expect(child.wait() == 64 && child.errors.text.contains("has a letter"), "\(child.errors.text)")
  }

  @Test("The system unit's command runs as an ordinary user, finds the shipped preset, and ends with 0")
  func unprivileged() throws {
    let installation = try Installation(share: true)
    let command = try installation.start(
      of: "lib/systemd/system/multiroute@.service", instance: "usb-and-headphones")
    let folder = installation.folder
    for name in ["home", "run"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
      chmod(folder.file(name), 0o777)
    }
    let isRoot = geteuid() == 0
    let ordinary = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let words = (isRoot ? ordinary : []) + command
    let child = try ChildProcess(
      words[0], Array(words.dropFirst()),
      environment: [
        "HOME": folder.file("home"), "XDG_RUNTIME_DIR": folder.file("run"),
        "JACK_DEFAULT_SERVER": "mrtest-absent", "JACK_NO_START_SERVER": "1",
        "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "MULTIROUTE_SHARE": "",
      ], isUnderTest: true)
    #expect(child.errors.line(containing: "waiting for one", seconds: 15) != nil, "\(child.errors.text)")
    #expect(FileManager.default.fileExists(atPath: folder.file("run/multiroute/multiroute.osc")))
    child.send(signal: SIGTERM)
    #expect(child.wait() == 0)
  }
}
