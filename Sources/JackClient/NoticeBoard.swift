import Glibc
import Synchronization

/// Where the callbacks of one client leave what they heard: the argument that libjack hands to them.
struct NoticeBoard: ~Copyable {
  var ring = NoticeRing(capacity: 1024)
  let latencies = LatencyExchange()
  /// The end of a pair of sockets that becomes readable when something waits; -1 if the system gave none.
  let wakeDescriptor: Int32
  private let wakeEnd: Int32
  private let wakePending = Atomic<Bool>(false)

  init() {
    var ends: [Int32] = [-1, -1]
    // A writer must not block, whatever happens to the reader.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    _ = socketpair(AF_UNIX, kind, 0, &ends)
    (wakeDescriptor, wakeEnd) = (ends[0], ends[1])
  }

  deinit {
    if wakeDescriptor >= 0 { close(wakeDescriptor) }
    if wakeEnd >= 0 { close(wakeEnd) }
  }

  /// Queues a notice without waking the reader: what the audio thread may do.
  @_noLocks func post(_ kind: NoticeRing.Kind, _ value: UInt32 = 0) {
    ring.post(kind: kind, value: value)
  }

  /// Queues a notice and wakes the reader by a system call that cannot block; not for the audio thread.
  func postAndWake(_ kind: NoticeRing.Kind, _ value: UInt32 = 0, text: UnsafePointer<CChar>? = nil) {
    ring.post(kind: kind, value: value, text: text)
    guard !wakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var mark: UInt8 = 1
    _ = write(wakeEnd, &mark, 1)
  }

  /// Makes the descriptor unreadable again; the reader calls it before it empties the ring.
  func acknowledgeWake() {
    var marks: UInt64 = 0
    _ = read(wakeDescriptor, &marks, MemoryLayout<UInt64>.size)
    // An exchange, not a store: what was queued by whoever found the flag set is then visible.
    _ = wakePending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
