import Foundation
import JackClient

/// A message bus of the session for one test.
public final class PrivateBus {
  /// The bus did not answer.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// Its address, as D-Bus writes it. The same after a restart.
  public let address: String
  private let socket: ServerSocket
  private let environment: [String: String]
  private let folder: TemporaryFolder?
  private var daemon: Daemon?

  /// Starts a bus with a folder of its own. Returns when it answers.
  public convenience init() throws {
    let folder = try TemporaryFolder()
    try self.init(folder: folder.path, environment: [:], owned: folder)
  }

  /// Starts a bus whose socket is the file `bus` of a folder. Returns when it answers.
  convenience init(folder: String, environment: [String: String]) throws {
    try self.init(folder: folder, environment: environment, owned: nil)
  }

  private init(folder: String, environment: [String: String], owned: TemporaryFolder?) throws {
    (self.environment, self.folder) = (environment, owned)
    address = "unix:path=\(folder)/bus"
    socket = ServerSocket(folder: folder, name: "bus")
    try start()
  }

  deinit { stop() }

  /// Starts the bus again. Returns when it answers.
  public func start() throws {
    daemon = try Daemon(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)"],
      environment: environment)
    guard SocketWatch(socket).waitForAnswer(seconds: 10) else {
      throw Failure(description: "waited in vain for the message bus: \(daemon?.said ?? "")")
    }
  }

  /// Ends the bus, for all its clients.
  public func stop() {
    daemon?.end()
    daemon = nil
  }

  /// Stops the bus while `body` runs: it reads and writes nothing.
  public func standStill(while body: () throws -> Void) rethrows {
    guard let daemon else { return }
    Glibc.kill(daemon.identifier, SIGSTOP)
    defer { Glibc.kill(daemon.identifier, SIGCONT) }
    try body()
  }
}
