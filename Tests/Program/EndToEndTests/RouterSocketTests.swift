import Foundation
import OSC
import TestKit
import Testing

/// A running router at its Unix socket.
@Suite struct RouterSocketTests {
  /// The names of the files in the folder of sockets.
  private func sockets(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Program.runtime(in: folder) + "/multiroute").sorted()
  }

  private func router(
    _ server: PrivateServer, _ folder: TemporaryFolder, _ flags: String...
  ) throws -> RouterProcess {
    try RouterProcess(preset: nil, server: server.name, in: folder, flags: flags, owners: [server])
  }

  @Test("The router answers at its socket, which only the user can open, and removes the file when it ends")
  func answers() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try self.router(server, folder, "--name", "desk")
    #expect(router.socket == folder.file("run/multiroute/desk.osc"))
    let modes = try [router.socket, folder.file("run/multiroute")].map {
      try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    #expect(modes == [0o600, 0o700])
    // A command needs no --to if only one router runs.
    #expect(try Program.run(["send", "/ramp", "0.25"], in: folder).output == "0.25")
    #expect(try Program.run(["get", "/ramp"], in: folder).output == "0.25")
    #expect(try Program.run(["get", "/ramp", "--to", "unix:\(router.socket)"], in: folder).output == "0.25")
    #expect(
      try Program.run(["get", "/ramp", "--to", "127.0.0.1:\(router.port)"], in: folder).output == "0.25")
    let watch = try Program.start(["watch", "/ramp"], in: folder)
    #expect(watch.output.line(containing: "/ramp 0.25") != nil, "\(watch.errors.text)")
    #expect(try Program.run(["send", "/ramp", "0.5"], in: folder).code == 0)
    #expect(watch.output.line(containing: "/ramp 0.5") != nil)
    watch.send(signal: SIGINT)
    #expect(watch.wait() == 0)
    #expect(router.terminate().code == 0)
    #expect(try sockets(folder) == [])
  }

  @Test("oscsend of liblo turns a level at the socket, and its clients are admin as those of loopback are")
  func admin() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try self.router(server, folder)
    let send = try ChildProcess("oscsend", ["osc.unix://\(router.socket)", "/ramp", "f", "0.125"])
    #expect(send.wait() == 0)
    let client = try OSCClient(.unix(path: router.socket))
    try client.send(OSCMessage("/hello", .string("test")))
    let welcome = try #require(try client.receive(timeout: .seconds(5))?.messages.first)
    #expect(welcome.address == "/welcome" && welcome.arguments.contains(.string("admin")), "\(welcome)")
    // Only an admin may lock the router, and then only an admin may change it.
    for (address, value) in [("/system/lock", "1"), ("/ramp", "0.5"), ("/system/lock", "0")] {
      let result = try Program.run(["send", address, value], in: folder)
      #expect(result.code == 0, "\(result.errors)")
    }
    let loopback = try OSCClient(port: router.port)
    try loopback.send(OSCMessage("/hello", .string("test")))
    let second = try #require(try loopback.receive(timeout: .seconds(5))?.messages.first)
    #expect(second.address == "/welcome" && second.arguments.contains(.string("admin")), "\(second)")
  }

  @Test("Two routers have two sockets, and a command without --to prints that it uses the usual port")
  func two() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let first = try self.router(server, folder, "--name", "left")
    let second = try self.router(server, folder, "--name", "right")
    #expect(try sockets(folder) == ["left.osc", "right.osc"])
    for (router, ramp) in [(first, "0.25"), (second, "0.5")] {
      let result = try Program.run(["send", "/ramp", ramp, "--to", "unix:\(router.socket)"], in: folder)
      #expect(result.output == ramp)
    }
    #expect(try Program.run(["get", "/ramp", "--to", "unix:\(first.socket)"], in: folder).output == "0.25")
    let unclear = try Program.run(["get", "/ramp", "--timeout", "0.2"], in: folder)
    #expect(unclear.code == 69)
    #expect(
      unclear.errors.contains("2 routers run here; this command uses 127.0.0.1:9440"), "\(unclear.errors)")
    for router in [first, second] { #expect(unclear.errors.contains("--to unix:\(router.socket)")) }
  }

  @Test(
    "The next router replaces the socket of a killed router, and is refused the socket of a running one")
  func killed() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let first = try self.router(server, folder)
    first.child.send(signal: SIGKILL)
    _ = first.child.wait(seconds: 5)
    #expect(try sockets(folder) == ["multiroute.osc"])
    let second = try self.router(server, folder)
    #expect(try Program.run(["get", "/ramp"], in: folder).code == 0)
    let third = try Program.run(
      ["run", "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0"], in: folder)
    #expect(third.code == 73)
    #expect(
      third.errors.contains("\(second.socket) is in use by multiroute (process \(second.child.identifier))"),
      "\(third.errors)")
    #expect(third.errors.contains("--name"))
    #expect(try Program.run(["get", "/ramp"], in: folder).code == 0)
  }

  @Test("With only --osc unix:PATH no UDP port is open, but the socket of the router's name is")
  func onlyUnix() async throws {
    let folder = try TemporaryFolder()
    let other = folder.file("other.osc")
    let server = try await PrivateServer()
    let router = try self.router(server, folder, "--osc", "unix:\(other)")
    #expect(router.port == 0)
    for path in [other, router.socket] {
      #expect(try Program.run(["get", "/ramp", "--to", "unix:\(path)"], in: folder).code == 0)
    }
    let table = try String(contentsOfFile: "/proc/\(router.child.identifier)/net/udp", encoding: .utf8)
    let fds = "/proc/\(router.child.identifier)/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: fds).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(fds)/\($0)")
    }
    for line in table.split(separator: "\n").dropFirst() {
      let inode = line.split(separator: " ")[9]
      #expect(!open.contains("socket:[\(inode)]"))
    }
    #expect(router.terminate().code == 0)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test("Without a folder for Unix sockets the router opens none, and prints a line about it")
  func noFolder() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let child = try Program.start(
      ["run", "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0"], in: folder,
      environment: ["XDG_RUNTIME_DIR": folder.file("none")])
    let ready = try #require(child.errors.line(containing: "multiroute: ready ", seconds: 15))
    #expect(child.errors.text.contains("multiroute: no Unix socket was opened: "), "\(child.errors.text)")
    #expect(!ready.contains("unix:"))
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
  }
}
