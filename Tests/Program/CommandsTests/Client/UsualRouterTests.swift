import Commands
import Foundation
import OSC
import SessionModel
import Testing

@Suite("Without --to a client command finds the router of this machine")
struct UsualRouterTests {
  private let folder: TemporaryFolder
  private var shell = Shell()

  init() throws {
    folder = try TemporaryFolder()
    shell.environment = Environment(["HOME": "/nowhere", "XDG_RUNTIME_DIR": folder.path("run")])
    _ = try folder.folder("run/multiroute")
  }

  private func path(_ name: String) -> String { folder.path("run/multiroute/\(name)") }

  /// Leaves a socket file without a listener, as a killed router does.
  private func leaveSocket(_ name: String) throws {
    let socket = try UnixSocket(path: path("crashed"))
    try FileManager.default.moveItem(atPath: socket.path, toPath: path(name))
  }

  private func router(_ name: String) throws -> LoopRouter { try LoopRouter(at: .unix(path: path(name))) }

  @Test(
    "Commands find the only router that listens at a Unix socket, beside sockets of crashed routers and other files"
  )
  func one() throws {
    let router = try self.router("desk.osc")
    try leaveSocket("old.osc")
    _ = try folder.file("run/multiroute/notes.txt", "")
    #expect(shell.run("get", "/output/usb/gain") == .success, "\(shell.terminal.error)")
    #expect(shell.terminal.output == "0.0\n")
    #expect(shell.run("send", "/output/usb/gain", "-6") == .success)
    #expect(router.state { $0.outputs["usb"]?.gain.target } == -6)
    #expect(shell.run("status") == .success)
    #expect(shell.terminal.output.contains("multiroute at unix:"))
    #expect(shell.terminal.error.isEmpty)
  }

  @Test("If two routers listen, a line names both, and the command uses the usual port")
  func two() throws {
    let (first, second) = (try router("a.osc"), try router("b.osc"))
    #expect(shell.run("get", "/ramp", "--timeout", "0.01") == .unavailable)
    let lines = shell.terminal.error.split(separator: "\n")
    #expect(
      lines.first
        == "multiroute: 2 routers run here; this command uses 127.0.0.1:9440. To use another: --to \(first.endpoint) or --to \(second.endpoint)"
    )
    #expect(lines.dropFirst().first == "multiroute: no router listens at 127.0.0.1:9440.")
    #expect(shell.run("get", "/ramp", "--to", second.endpoint) == .success)
  }

  @Test("Without any socket the command uses the usual port, and prints nothing about sockets")
  func none() {
    #expect(shell.run("get", "/ramp", "--timeout", "0.01") == .unavailable)
    #expect(shell.terminal.error.hasPrefix("multiroute: no router listens at 127.0.0.1:9440."))
  }

  @Test("A named socket that is missing, dead or has too long a path ends with 69 and that reason")
  func named() throws {
    #expect(shell.run("get", "/ramp", "--to", "unix:\(path("none.osc"))") == .unavailable)
    #expect(
      shell.terminal.error.hasPrefix("multiroute: There is no socket \(path("none.osc")).\nStart one with"))
    try leaveSocket("old.osc")
    let dead = Shell()
    #expect(dead.run("get", "/ramp", "--to", "unix:\(path("old.osc"))") == .unavailable)
    #expect(dead.terminal.error.hasPrefix("multiroute: no router listens at unix:\(path("old.osc"))."))
    let long = Shell()
    #expect(long.run("get", "/ramp", "--to", "unix:/\(String(repeating: "a", count: 107))") == .unavailable)
    #expect(long.terminal.error.contains("is too long for a socket"))
  }

  @Test("The user's folder precedes the machine's, is created with mode 0700, and may be missing")
  func folders() throws {
    let runtime = try folder.folder("runtime")
    let machine = try folder.folder("machine")
    let folders = SocketFolders(own: "\(runtime)/multiroute", machine: machine)
    #expect(folders.path(forRouter: "front/desk") == "\(runtime)/multiroute/front_desk.osc")
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(runtime)/multiroute")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(SocketFolders(own: nil, machine: machine).path(forRouter: "a") == "\(machine)/a.osc")
    #expect(
      SocketFolders(own: "\(runtime)/no/such", machine: machine).path(forRouter: "a") == "\(machine)/a.osc")
    #expect(SocketFolders(own: nil, machine: "\(machine)/none").path(forRouter: "a") == nil)
    #expect(!FileManager.default.fileExists(atPath: "\(machine)/none"))
  }
}
