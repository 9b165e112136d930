import CRealtime
import Glibc

/// A thread of our own, for work that waits where a thread of the shared pool must not.
///
/// Any thread may start one. It must be joined or detached, once.
public struct OwnThread: Sendable {
  /// The system has no thread left.
  public struct Failure: Error {
    /// The system's error number.
    public var code: Int32
  }

  private let identifier: pthread_t

  /// Starts it, or ends the process where the system has no thread left.
  ///
  /// - Parameter name: as seen in `top -H`, at most 15 bytes.
  public init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(Failure) { self = try Self.start(name, body) } catch {
      fatalError("no thread could be made: error \(error.code)")
    }
  }

  /// Starts it.
  ///
  /// - Parameter name: as seen in `top -H`, at most 15 bytes.
  /// - Throws: `Failure`.
  public static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(Failure) -> Self {
    let work = Unmanaged.passRetained(Work(body))
    var identifier = pthread_t()
    let code = pthread_create(&identifier, nil, perform, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw Failure(code: code)
    }
    // Named from here, so that it has its name when it is there.
    mr_thread_name(identifier, name)
    return Self(identifier: identifier)
  }

  private init(identifier: pthread_t) { self.identifier = identifier }

  /// Whether the caller runs on it.
  public var isCurrent: Bool { pthread_equal(pthread_self(), identifier) != 0 }

  /// Waits for its end; never on the thread itself.
  public func join() { pthread_join(identifier, nil) }

  /// Lets it end by itself, with nobody waiting.
  public func detach() { pthread_detach(identifier) }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func perform(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
  return nil
}
