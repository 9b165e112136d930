import Foundation
public import StageKit

/// A JACK server of a test's own: dummy driver, a name nobody else has at the time, gone with the test.
///
/// A machine has room for eight servers, so at most two of ours run at a time, whatever runs the tests. The names are used again
/// and again, because the place of a server that was killed or failed to start is free only for its own name.
public final class PrivateServer {
  public let server: DummyServer
  /// The name to pass as `--server`.
  public var name: String { server.name }
  private let permit: Permit

  /// Starts a server as soon as there is room for it.
  ///
  /// - Parameter change: changes the settings before the start.
  public init(_ change: (inout DummyServer.Settings) -> Void = { _ in }) async throws {
    permit = try await Permit()
    var settings = DummyServer.Settings(name: "mrtest-\(getuid())-\(permit.place)")
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  deinit { server.stop() }

  /// Starts a stage at this server.
  public func stage() throws -> StageProcess { try StageProcess(server: name, owner: self) }
}

/// One of the places for servers, held by a lock on a file that the system gives back if we die.
private final class Permit {
  private let descriptor: Int32
  let place: Int

  /// Waits without holding a thread, so that the test that has the place can go on.
  init() async throws {
    while true {
      for place in 0..<2 {
        let path = "/tmp/multiroute-test-server-\(getuid())-\(place).lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        if flock(file, LOCK_EX | LOCK_NB) == 0 {
          (descriptor, self.place) = (file, place)
          return
        }
        close(file)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { close(descriptor) }
}
