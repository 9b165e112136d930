import SystemCalls
import Threads

/// Waits until a server listens at its socket, by watching the file system.
///
/// Belongs to one thread at a time. If the folder cannot be watched, each wait simply takes its full time.
public final class SocketWatch {
  private let socket: ServerSocket
  private let descriptor: Int32
  /// When the socket's file last changed. The file exists a moment before the server listens, and no event
  /// marks that.
  private var changed: UInt64

  /// After a change of the socket's file the server is tried every few milliseconds, for so many
  /// milliseconds.
  private static let soon: UInt64 = 1_000
  private static let glance: Int32 = 5

  public init(_ socket: ServerSocket) {
    self.socket = socket
    descriptor = (try? System.inotify_init1()) ?? -1
    _ = try? System.inotify_add_watch(
      descriptor, socket.folder, [.created, .movedIn, .attributes, .deleted])
    changed = Self.now
  }

  deinit { System.close(descriptor) }

  /// Waits for the next moment worth a try at the server; the first moments come at short intervals.
  ///
  /// - Parameters:
  ///   - milliseconds: the longest wait.
  ///   - others: descriptors that end the wait when they become readable or hang up.
  /// - Returns: whether one of `others` ended it.
  public func wait(atMost milliseconds: Int32, or others: [Int32] = []) -> Bool {
    let isSoon = Self.now - changed < Self.soon
    let end = Self.now + UInt64(isSoon ? min(Self.glance, milliseconds) : milliseconds)
    while true {
      let rest = Int32(clamping: max(0, Int64(end) - Int64(Self.now)))
      guard let ready = try? System.poll([descriptor] + others, milliseconds: rest), ready.contains(true)
      else { return false }
      if ready.dropFirst().contains(true) { return true }
      // Other files in the folder change, too.
      guard takeChange() else { continue }
      changed = Self.now
      return false
    }
  }

  /// Waits until the server answers; false if the time is over or one of `others` ended the wait.
  public func waitForAnswer(seconds: Double, or others: [Int32] = []) -> Bool {
    let end = Self.now + UInt64(1_000 * seconds)
    while !socket.answers {
      let now = Self.now
      guard now < end, !wait(atMost: Int32(clamping: end - now), or: others) else { return false }
    }
    return true
  }

  /// Reads the file system's events. Returns whether one of them concerns the socket's file.
  private func takeChange() -> Bool { System.inotify_read(descriptor).contains { $0.name == socket.name } }

  /// Milliseconds of the clock that never jumps.
  private static var now: UInt64 { UInt64(1_000 * MonotonicTime.now) }
}
