import Foundation
public import JackServer
import Testing

/// A JACK server for one test, with the dummy driver and a name of its own. It ends with the test.
///
/// Each place of a machine has one such server at a time, even across several test runs. The names are used
/// again, because a machine has room for eight servers, and the room of a server that was killed or failed to
/// start is free only for its own name.
public final class PrivateServer {
  /// A place for a test's server. Two places can be used at the same time.
  ///
  /// Clients of one name that open at two servers at the same time disturb each other: jackd2 identifies an
  /// opening client by its name alone. So the two places share no client names, including those of the router
  /// and the stage.
  public enum Place: String, Sendable {
    /// The place for most tests.
    case house
    /// The place for the rigs of the scenarios, which take minutes, and for PipeWire, whose clients cannot
    /// meet those of jackd.
    case rig
  }

  public let server: DummyServer
  /// The value for `--server`.
  public var name: String { server.name }
  private let permit: Permit
  private let place: Place

  /// The default period in frames: 21 ms. So a server without processor time for 15 ms skips no period.
  public static let period = 1_024

  /// Starts a server as soon as its place is free.
  ///
  /// - Parameter change: changes the settings before the start.
  public init(
    in place: Place = .house, _ change: (inout DummyServer.Settings) -> Void = { _ in }
  ) async throws {
    self.place = place
    permit = try await Permit(place)
    var settings = DummyServer.Settings(name: "mrtest-\(getuid())" + (place == .house ? "" : "-\(place)"))
    settings.period = Self.period
    if !RealTimePriority.isGranted { settings.scheduling = .ordinary }
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  /// Starts a second server next to one that already holds its place.
  private init(beside other: PrivateServer, _ change: (inout DummyServer.Settings) -> Void) throws {
    (permit, place) = (other.permit, other.place)
    var settings = DummyServer.Settings(name: other.name + "-far")
    settings.period = Self.period
    settings.scheduling = other.server.settings.scheduling
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  deinit { server.stop() }

  /// Starts a second server in the same place, for tests of two machines; one at a time.
  ///
  /// Clients of the same name must not open at both servers at the same time.
  public func neighbour(_ change: (inout DummyServer.Settings) -> Void = { _ in }) throws -> PrivateServer {
    try PrivateServer(beside: self, change)
  }

  /// Starts a stage at this server.
  public func stage() throws -> StageProcess {
    try StageProcess(server: name, clientName: place == .house ? nil : "stage-of-\(place)", owner: self)
  }
}

/// A lock on a file, which reserves the place for a server. The system releases the lock if the test process
/// dies.
final class Permit {
  private let descriptor: Int32
  private let start: ContinuousClock.Instant
  private let test = TestNotes.currentTest

  /// Waits on a thread of its own, not on a thread of the tests. So the test that holds the place can
  /// continue.
  init(_ place: PrivateServer.Place) async throws {
    let path = "/dev/shm/multiroute-test-server-\(getuid())-\(place).lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    let file = descriptor
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        continuation.resume()
      }
    }
    start = .now
  }

  deinit {
    close(descriptor)
    TestNotes.held(.now - start, by: test)
  }
}
