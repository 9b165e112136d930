import Synchronization
import SystemCalls
import Threads

/// The place where one client's callbacks leave notices; libjack passes it to them as their argument.
struct NoticeBoard: ~Copyable {
  var ring = NoticeRing(capacity: 1024)
  let latencies = LatencyExchange()
  let pause = NoticePause()
  var changes = GraphChanges()
  /// Whether the server freewheels, for the audio thread.
  let freewheels = Atomic<Bool>(false)
  /// A counter that becomes readable when a notice waits; -1 if the system gave none.
  let wakeDescriptor: Int32
  /// The number of the audio thread in the system; 0 while there is none.
  let audioThread = Atomic<Int>(0)
  /// How many threads of libjack have started.
  private let threads = Atomic<Int>(0)
  private let wakePending = Atomic<Bool>(false)

  init() { wakeDescriptor = (try? System.eventfd()) ?? -1 }

  deinit { System.close(wakeDescriptor) }

  /// Names the libjack thread that calls this function; otherwise it would inherit the name of its parent
  /// thread.
  ///
  /// jackd2 starts its threads in this order: the message thread with the first callback that is set, the
  /// audio thread on activation, then the notification thread. PipeWire has only the audio thread.
  func nameStartedThread() {
    let name =
      switch threads.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue {
      case 0: "mr-messages"
      case 1: "mr-audio"
      default: "mr-notices"
      }
    OwnThread.name(name)
    if name == "mr-audio" { audioThread.store(OwnThread.number ?? 0, ordering: .relaxed) }
  }

  /// Makes the next thread that starts count as the audio thread.
  func expectAudioThread() { threads.store(1, ordering: .releasing) }

  /// Queues a notice without waking the reader. Safe on the audio thread.
  @_noLocks func post(_ kind: NoticeRing.Kind, _ value: UInt32 = 0) {
    ring.post(kind: kind, value: value)
  }

  /// Queues a notice and wakes the reader with a system call that cannot block. Not for the audio thread.
  func postAndWake(
    _ kind: NoticeRing.Kind, _ value: UInt32 = 0, _ second: UInt32 = 0, text: UnsafePointer<CChar>? = nil
  ) {
    ring.post(kind: kind, value: value, second, text: text)
    guard !wakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    System.eventfd_write(wakeDescriptor)
  }

  /// Makes the descriptor unreadable again. The reader calls it before it empties the ring.
  func acknowledgeWake() {
    System.eventfd_read(wakeDescriptor)
    // An exchange, not a store: it makes visible the notices of writers that found the flag already set.
    _ = wakePending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
