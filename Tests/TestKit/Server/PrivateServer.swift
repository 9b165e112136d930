import Foundation
public import StageKit

/// A JACK server of a test's own: dummy driver, a name nobody else has at the time, gone with the test.
///
/// One runs at a time on a machine, whatever runs the tests: clients of the same name that open at two servers at the same time
/// disturb each other. The name is used again and again, because a machine has room for eight servers, and the place of one
/// that was killed or failed to start is free only for its own name.
public final class PrivateServer {
  public let server: DummyServer
  /// The name to pass as `--server`.
  public var name: String { server.name }
  private let permit: Permit

  /// Frames, unless a test wants others: 21 ms, so that a machine that stands still for 15 loses nobody a sample.
  public static let period = 1_024

  /// Starts a server as soon as there is room for it.
  ///
  /// - Parameter change: changes the settings before the start.
  public init(_ change: (inout DummyServer.Settings) -> Void = { _ in }) async throws {
    permit = try await Permit()
    var settings = DummyServer.Settings(name: "mrtest-\(getuid())")
    settings.period = Self.period
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  /// Starts a second server beside one that has its place already.
  private init(beside other: PrivateServer, _ change: (inout DummyServer.Settings) -> Void) throws {
    permit = other.permit
    var settings = DummyServer.Settings(name: other.name + "-far")
    settings.period = Self.period
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  deinit { server.stop() }

  /// Starts a second server in the same place, for tests of two machines; one at a time.
  ///
  /// No two clients of the same name may open at both at the same moment.
  public func neighbour(_ change: (inout DummyServer.Settings) -> Void = { _ in }) throws -> PrivateServer {
    try PrivateServer(beside: self, change)
  }

  /// Starts a stage at this server.
  public func stage() throws -> StageProcess { try StageProcess(server: name, owner: self) }
}

/// The place for a server, held by a lock on a file that the system gives back if we die.
final class Permit {
  private let descriptor: Int32

  /// Waits on a thread of its own and holds none of the tests', so that the test that has the place can go on.
  init() async throws {
    let path = "/tmp/multiroute-test-server-\(getuid()).lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    let file = descriptor
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        continuation.resume()
      }
    }
  }

  deinit { close(descriptor) }
}
