import Foundation
public import StageKit

/// A JACK server of a test's own: dummy driver, a name nobody else has at the time, gone with the test.
///
/// One runs at a time in each place of a machine, whatever runs the tests. The name is used again and again, because a machine
/// has room for eight servers, and that of one that was killed or failed to start is free only for its own name.
public final class PrivateServer {
  /// Where a test's server runs beside one in the other place.
  ///
  /// Clients of the same name that open at two servers at the same time disturb each other: jackd2 knows a client that opens by
  /// its name alone. So no name of one place, the router's and the stage's included, is used in the other.
  public enum Place: String, Sendable {
    /// What most tests run in.
    case house
    /// For the rigs of the scenarios, which take minutes; and for PipeWire, whose clients jackd's do not meet.
    case rig
  }

  public let server: DummyServer
  /// The name to pass as `--server`.
  public var name: String { server.name }
  private let permit: Permit
  private let place: Place

  /// Frames, unless a test wants others: 21 ms, so that a machine that stands still for 15 loses nobody a sample.
  public static let period = 1_024

  /// Starts a server as soon as there is room for it.
  ///
  /// - Parameter change: changes the settings before the start.
  public init(
    in place: Place = .house, _ change: (inout DummyServer.Settings) -> Void = { _ in }
  ) async throws {
    self.place = place
    permit = try await Permit(place)
    var settings = DummyServer.Settings(name: "mrtest-\(getuid())" + (place == .house ? "" : "-\(place)"))
    settings.period = Self.period
    change(&settings)
    server = DummyServer(settings)
    try server.start()
  }

  /// Starts a second server beside one that has its place already.
  private init(beside other: PrivateServer, _ change: (inout DummyServer.Settings) -> Void) throws {
    (permit, place) = (other.permit, other.place)
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
  public func stage() throws -> StageProcess {
    try StageProcess(server: name, clientName: place == .house ? nil : "stage-of-\(place)", owner: self)
  }
}

/// The place for a server, held by a lock on a file that the system gives back if we die.
final class Permit {
  private let descriptor: Int32

  /// Waits on a thread of its own and holds none of the tests', so that the test that has the place can go on.
  init(_ place: PrivateServer.Place) async throws {
    let path = "/tmp/multiroute-test-server-\(getuid())-\(place).lock"
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
