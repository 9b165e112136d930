import Glibc
import Threads

/// Waits for a server to begin to listen at its socket, told by the file system.
///
/// Belongs to one thread at a time. Where the folder cannot be watched, waiting just takes its time.
public final class SocketWatch {
  private let socket: ServerSocket
  private let descriptor: Int32
  /// When the socket's file last changed: it is there a moment before the server listens, and nothing tells of that.
  private var changed: UInt64

  /// Milliseconds for which a server that has made its socket is looked at every few milliseconds.
  private static let soon: UInt64 = 1_000
  private static let glance: Int32 = 5

  public init(_ socket: ServerSocket) {
    self.socket = socket
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE)
    _ = inotify_add_watch(descriptor, socket.folder, events)
    changed = Self.now
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for the next moment at which it is worth to look whether the server answers; at first that is soon.
  ///
  /// - Parameters:
  ///   - milliseconds: at most so long.
  ///   - others: descriptors that end the wait when one can be read or is hung up.
  /// - Returns: whether one of `others` ended it.
  public func wait(atMost milliseconds: Int32, or others: [Int32] = []) -> Bool {
    let isSoon = Self.now - changed < Self.soon
    let end = Self.now + UInt64(isSoon ? min(Self.glance, milliseconds) : milliseconds)
    while true {
      let rest = Int32(clamping: max(0, Int64(end) - Int64(Self.now)))
      var requests = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&requests, nfds_t(requests.count), rest) > 0 else { return false }
      if requests.dropFirst().contains(where: { $0.revents != 0 }) { return true }
      // Other files of the folder come and go, too.
      guard takeChange() else { continue }
      changed = Self.now
      return false
    }
  }

  /// Waits until the server answers; false if it does not in time, or one of `others` ended the wait.
  public func waitForAnswer(seconds: Double, or others: [Int32] = []) -> Bool {
    let end = Self.now + UInt64(1_000 * seconds)
    while !socket.answers {
      let now = Self.now
      guard now < end, !wait(atMost: Int32(clamping: end - now), or: others) else { return false }
    }
    return true
  }

  /// Takes what the system told; whether it concerns our socket.
  private func takeChange() -> Bool {
    var isOurs = false
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      let header = MemoryLayout<inotify_event>.size
      while case let count = read(descriptor, buffer.baseAddress!, buffer.count), count > 0 {
        var offset = 0
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
          if name.elementsEqual(socket.name.utf8) { isOurs = true }
          offset += header + Int(event.len)
        }
      }
    }
    return isOurs
  }

  /// Milliseconds of the clock that never jumps.
  private static var now: UInt64 { UInt64(1_000 * MonotonicTime.now) }
}
