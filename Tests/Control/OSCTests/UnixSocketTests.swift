import Foundation
import OSC
import TemporaryFolders
import Testing

@Suite("Unix sockets")
struct UnixSocketTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("Only the user may write to a socket, and its end removes the file")
  func mode() throws {
    let path = folder.file("a.osc")
    var socket: UnixSocket? = try UnixSocket(path: path)
    #expect(try permissions(path) == 0o600)
    #expect(UnixSocket.isAlive(path))
    #expect(socket?.path == path)
    socket = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!UnixSocket.isAlive(path))
  }

  @Test("The socket of a crashed program is replaced")
  func abandoned() throws {
    let path = folder.file("a.osc")
    try folder.leaveSocket("a.osc")
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(!UnixSocket.isAlive(path))
    let socket = try UnixSocket(path: path)
    #expect(UnixSocket.isAlive(path))
    _ = socket
  }

  @Test("A socket at which a program listens is refused with its name, and stays")
  func live() throws {
    let first = try UnixSocket(path: folder.file("a.osc"))
    let error = #expect(throws: SocketError.self) { try UnixSocket(path: first.path) }
    guard case .pathInUse(first.path, let holder?) = error else {
      Issue.record("unexpected: \(String(describing: error))")
      return
    }
    #expect(holder.processID == getpid())
    #expect(holder.userID == getuid())
    #expect(error?.number == EADDRINUSE)
    #expect(UnixSocket.isAlive(first.path))
  }

  @Test("A file that is not a socket is refused, and stays")
  func noSocket() throws {
    let path = folder.file("notes")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: SocketError.noSocket(path)) { try UnixSocket(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
  }

  @Test("A socket does not remove the file that another program has put in its place")
  func replaced() throws {
    let path = folder.file("a.osc")
    var first: UnixSocket? = try UnixSocket(path: path)
    try FileManager.default.removeItem(atPath: path)
    let second = try UnixSocket(path: path)
    #expect(first != nil)
    first = nil
    #expect(UnixSocket.isAlive(second.path))
  }

  @Test("A path of 107 bytes is accepted; the error of a longer one names the limit")
  func length() throws {
    let longest = folder.file(String(repeating: "a", count: 107 - folder.file("").utf8.count))
    #expect(longest.utf8.count == 107)
    let socket = try UnixSocket(path: longest)
    #expect(UnixSocket.isAlive(socket.path))
    for use in [{ _ = try UnixSocket(path: $0) }, { _ = try OSCClient(.unix(path: $0)) }]
      as [(String) throws -> Void]
    {
      let error = #expect(throws: SocketError.self) { try use(longest + "a") }
      #expect(error?.number == ENAMETOOLONG)
      #expect(error?.description == "\(longest)a is too long for a socket; a path may have 107 bytes.")
    }
  }

  @Test("The error names a folder that does not exist")
  func noFolder() {
    let path = folder.file("none/a.osc")
    let error = #expect(throws: SocketError.self) { try UnixSocket(path: path) }
    #expect(error?.description == "The folder of \(path) does not exist.")
  }

  @Test("A client fails at once if there is no socket, or if no program listens")
  func noListener() throws {
    let path = folder.file("a.osc")
    let missing = #expect(throws: SocketError.self) { try OSCClient(.unix(path: path)) }
    #expect(missing?.isMissing == true && missing?.isRefused == false)
    #expect(missing?.description == "There is no socket \(path).")
    try folder.leaveSocket("a.osc")
    let refused = #expect(throws: SocketError.self) { try OSCClient(.unix(path: path)) }
    #expect(refused?.isRefused == true && refused?.isMissing == false)
    #expect(refused?.description == "No program listens at \(path).")
  }

  @Test("A client fails after the end of the program at the other end")
  func gone() throws {
    var socket: UnixSocket? = try UnixSocket(path: folder.file("a.osc"))
    let client = try OSCClient(.unix(path: try #require(socket).path))
    try client.send(OSCMessage("/a"))
    socket?.endReceiving()
    var error = #expect(throws: SocketError.self) { try client.send(OSCMessage("/a")) }
    #expect(error?.isRefused == true)
    socket = nil
    error = #expect(throws: SocketError.self) { try client.send(OSCMessage("/a")) }
    #expect(error?.isRefused == true)
  }
}

extension TemporaryFolder {
  /// Leaves a socket as a killed program does: the file stays, and no program listens.
  func leaveSocket(_ name: String) throws {
    let socket = try UnixSocket(path: file("crashed"))
    // The socket does not find its file when it ends, so the file stays.
    try FileManager.default.moveItem(atPath: socket.path, toPath: file(name))
  }
}
