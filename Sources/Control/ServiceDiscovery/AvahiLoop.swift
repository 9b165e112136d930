import CAvahi
import Synchronization
import SystemCalls
import Threads

/// The loop of a client of avahi: the library is loaded with the first one, and its functions are called on the loop's thread alone. Another
/// thread may end it.
final class AvahiLoop: Sendable {
  let avahi: mr_avahi
  private let state = Mutex(State())
  private let bell = Semaphore()

  private struct State {
    /// The library's loop, as a number; nil while there is none.
    var poll: Int?
    var isEnding = false
  }

  private static let library = DynamicLibrary.functions(
    mr_avahi(), mr_avahi_names(), of: .discovery)

  /// - Throws: `DynamicLibrary.Missing` if the library is not installed.
  init() throws(DynamicLibrary.Missing) { avahi = try Self.library.get() }

  /// Makes `serve` return, now or at once when it is called. Any thread.
  func end() {
    state.withLock { state in
      state.isEnding = true
      if let poll = state.poll { avahi.avahi_simple_poll_wakeup(OpaquePointer(bitPattern: poll)) }
    }
    bell.signal()
  }

  var isEnding: Bool { state.withLock(\.isEnding) }

  /// Waits; true at once when the loop ends.
  func isEnding(within seconds: Double) -> Bool { bell.wait(seconds: seconds) || isEnding }

  /// Serves a client.
  ///
  /// The first call of the daemon may wait for half a minute if the daemon stands still.
  /// - Parameters:
  ///   - waits: whether to wait for a daemon that does not run yet.
  ///   - callback: gets the states of the client, with `owner`.
  ///   - isOver: asked after each step.
  ///   - deadline: a time of `MonotonicTime`; nil for none.
  /// - Returns: why there is no client; nil if there was one.
  func serve(
    waits: Bool, _ callback: AvahiClientCallback, _ owner: UnsafeMutableRawPointer,
    until deadline: Double? = nil, isOver: () -> Bool
  ) -> String? {
    guard let poll = avahi.avahi_simple_poll_new() else { return "there is no memory" }
    state.withLock { $0.poll = Int(bitPattern: poll) }
    defer {
      state.withLock { $0.poll = nil }
      avahi.avahi_simple_poll_free(poll)
    }
    var error: Int32 = 0
    let flags = AvahiClientFlags(rawValue: waits ? AVAHI_CLIENT_NO_FAIL.rawValue : 0)
    guard
      let client = avahi.avahi_client_new(avahi.avahi_simple_poll_get(poll), flags, callback, owner, &error)
    else { return reason(error) }
    defer { avahi.avahi_client_free(client) }
    while !isEnding, !isOver() {
      let rest = deadline.map { ($0 - MonotonicTime.now) * 1_000 }
      if let rest, rest <= 0 { break }
      guard avahi.avahi_simple_poll_iterate(poll, rest.map { Int32($0) + 1 } ?? -1) == 0 else { break }
    }
    return nil
  }

  /// The library's words for an error.
  func reason(_ error: Int32) -> String {
    avahi.avahi_strerror(error).map { String(cString: $0) } ?? "error \(error)"
  }
}
