import Foundation
import JackServer
import TestKit
import Testing

/// A router under a session manager, at a server of its own.
final class ManagedRouter {
  typealias Message = SessionManager.Message

  let server: PrivateServer
  let manager: SessionManager
  let folder: TemporaryFolder
  private(set) var child: ChildProcess

  /// Starts the router, which announces itself.
  ///
  /// - Parameters:
  ///   - other: the router whose server and folder this one has, too.
  ///   - url: `NSM_URL`; nil for that of the manager.
  ///   - preset: the text of the preset that it starts with; nil for none.
  ///   - isBare: whether it is started by its name alone, as session managers do.
  init(
    at host: String = "127.0.0.1", after other: ManagedRouter? = nil, url: String? = nil,
    preset: String? = nil,
    isBare: Bool = false
  ) async throws {
    if let other {
      (server, folder) = (other.server, other.folder)
    } else {
      server = try await PrivateServer { $0.playbackChannels = 2 }
      folder = try TemporaryFolder()
    }
    manager = try SessionManager(host: host)
    var start: [String] = []
    if let preset { start = [try folder.write(preset, to: "start.json")] }
    child = try Program.start(
      isBare
        ? []
        : ["run"] + start + [
          "--server", server.name, "--config", "none", "--no-mpris", "--osc", "127.0.0.1:0",
        ],
      in: folder, environment: ["NSM_URL": url ?? manager.url])
  }

  // The router must leave the server before the server ends.
  deinit { child.finish() }

  /// The path of a project in the session manager's folder.
  func project(_ name: String) -> String { folder.file("sessions/\(name)/multiroute.nABCD") }

  /// A file of a project, as text; empty if there is none.
  func text(_ file: String, of name: String) -> String {
    (try? String(contentsOfFile: "\(project(name))/\(file)", encoding: .utf8)) ?? ""
  }

  /// Takes the announcement, and welcomes the router.
  func welcome() throws {
    try manager.expect(Message.announcement(executable: "multiroute", process: child.identifier))
    try manager.welcome()
  }

  /// Has the router open a project, and waits for its answer.
  func open(_ name: String, client: String = "multiroute.nABCD") throws {
    try manager.open(project(name), name, client)
    try manager.expect(Message.progress(0))
  }

  /// Waits for the line `ready`, and returns a surface.
  func ready(as client: String = "multiroute.nABCD") throws -> ControlSurface {
    let line = try #require(
      child.errors.line(containing: "multiroute: ready jack=\(client) ", seconds: 15), "\(child.errors.text)")
    let address = try #require(line.split(separator: " ").last?.split(separator: ",").first)
    return try ControlSurface(port: #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
  }

  /// Opens the first project.
  func begin(_ name: String) throws -> ControlSurface {
    try welcome()
    try open(name)
    let surface = try ready()
    try manager.expect(Message.progress(1), Message.loaded)
    return surface
  }

  /// Sends a signal, and returns the exit code and the seconds to the end.
  func end(by signal: Int32 = SIGTERM) -> (code: Int32?, seconds: Double) {
    let start = Date()
    child.send(signal: signal)
    return (child.wait(seconds: 10), -start.timeIntervalSinceNow)
  }
}
