import ControlInterface
import Synchronization
import SystemCalls
import Threads

/// A router that announces itself on the network.
public struct FoundRouter: Hashable, Sendable {
  /// Its name in the network, which no other router there has.
  public let name: String
  /// Its `--name`.
  public let ownName: String
  /// Whether it runs on this machine.
  public let isLocal: Bool
  /// What it offers, with the addresses at which this machine reaches it: by kind, IPv4 first, link-local addresses last.
  public let services: [NetworkService]

  /// The addresses of its pages for browsers.
  public var pages: [String] {
    services.filter { $0.kind == .page }.map { "http://\($0.host.description(port: $0.port))/" }
  }

  /// Why nothing can be found.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A clause for the operator.
    public let description: String
  }

  /// Looks for routers, until the daemon knows no more or the time is over. Waits that long, whatever the daemon does.
  ///
  /// - Parameter name: ends the search as soon as the router of this name is found.
  /// - Returns: the routers in the order of their names.
  /// - Throws: `Failure` without the library or a daemon that answers.
  public static func search(
    within seconds: Double, for name: String? = nil
  ) throws(Failure) -> [FoundRouter] {
    let loop: AvahiLoop
    do throws(DynamicLibrary.Missing) { loop = try AvahiLoop() } catch {
      throw Failure(description: "\(error)")
    }
    let outcome = Outcome()
    let isComplete = OwnThread.run("mr-find", within: seconds + Self.grace) {
      let worker = SearchWorker(loop, for: name)
      let refusal = worker.run(within: seconds)
      outcome.value.withLock {
        $0 = refusal.map { .failure(Failure(description: $0)) } ?? .success(worker.routers)
      }
    }
    guard isComplete, let result = outcome.value.withLock(\.self) else {
      throw Failure(description: "the avahi daemon does not answer")
    }
    return try result.get()
  }

  /// Seconds for the end of a search.
  private static let grace = 1.0

  private final class Outcome: Sendable {
    let value = Mutex<Result<[FoundRouter], Failure>?>(nil)
  }
}
