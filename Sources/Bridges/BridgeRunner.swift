import Glibc
public import SessionModel
import Synchronization
import Threads

/// Keeps the programs of bridges running, on a thread that sleeps until one of them ends, prints something, or is due again.
///
/// Any thread may call it. Children never outlive it: the thread that starts them ends when they have, and the system kills them if
/// our process ends in any other way.
public final class BridgeRunner: Sendable {
  /// Hears what became of a bridge, on the runner's thread, in order.
  public typealias Report = @Sendable (BridgeKey, BridgeCondition) -> Void

  private let orders = Mutex(Orders())
  private let folders: [String]
  private let report: Report
  /// A pair of sockets: one end wakes the thread that sleeps at the other.
  private let (waker, sleeper): (Int32, Int32)

  private struct Orders {
    var wanted: [BridgeKey: BridgeProgram] = [:]
    var isStopping = false
    var thread: OwnThread?
  }

  /// Starts the thread; nothing runs yet.
  ///
  /// - Parameter folders: searched for the programs before those of PATH.
  public init(folders: [String], report: @escaping Report) {
    (self.folders, self.report) = (folders, report)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let result = socketpair(AF_UNIX, kind, 0, &ends)
    precondition(result == 0, "no sockets could be made: error \(errno)")
    (waker, sleeper) = (ends[0], ends[1])
    orders.withLock { $0.thread = OwnThread("mr-bridges") { self.run() } }
  }

  deinit {
    close(waker)
    close(sleeper)
  }

  /// Keeps these running and ends all others; one that is the same as before goes on as it is.
  public func keep(_ programs: [BridgeKey: BridgeProgram]) {
    orders.withLock { $0.wanted = programs }
    wake()
  }

  /// Ends all and waits for that, at most half a second; nothing is reported or started after it. Repeatable.
  public func stop() {
    let thread = orders.withLock { orders in
      (orders.wanted, orders.isStopping) = ([:], true)
      defer { orders.thread = nil }
      return orders.thread
    }
    wake()
    thread?.join()
  }

  private func wake() {
    var mark: UInt8 = 1
    // A socket that is full wakes as well.
    _ = write(waker, &mark, 1)
  }

  // MARK: The thread

  /// What the thread keeps of a bridge.
  private struct Entry {
    var supervision = BridgeSupervision()
    var child: BridgeChild?
    /// Whether the child may print more.
    var isTalking = false
  }

  private func run() {
    var entries: [BridgeKey: Entry] = [:]
    while true {
      let (wanted, isStopping) = orders.withLock { ($0.wanted, $0.isStopping) }
      for key in Set(entries.keys).union(wanted.keys) {
        var entry = entries[key] ?? Entry()
        perform(entry.supervision.want(wanted[key], at: MonotonicTime.now), on: &entry, key)
        perform(entry.supervision.elapsed(at: MonotonicTime.now), on: &entry, key)
        entries[key] = entry.supervision.isOver ? nil : entry
      }
      if isStopping, entries.isEmpty { return }
      sleep(&entries)
    }
  }

  /// Sleeps until something happens, and notes what.
  private func sleep(_ entries: inout [BridgeKey: Entry]) {
    var waits = [pollfd(fd: sleeper, events: Int16(POLLIN), revents: 0)]
    var meanings: [(key: BridgeKey, isEnd: Bool)] = []
    for (key, entry) in entries {
      guard let child = entry.child else { continue }
      if entry.isTalking {
        waits.append(pollfd(fd: child.outputDescriptor, events: Int16(POLLIN), revents: 0))
        meanings.append((key, false))
      }
      waits.append(pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0))
      meanings.append((key, true))
    }
    let due = entries.values.compactMap(\.supervision.due).min()
    let patience = due.map { Int32(min(max(0, ($0 - MonotonicTime.now) * 1_000), 60_000).rounded(.up)) } ?? -1
    guard poll(&waits, nfds_t(waits.count), patience) > 0 else { return }
    if waits[0].revents != 0 {
      var marks = [UInt8](repeating: 0, count: 64)
      while Glibc.read(sleeper, &marks, marks.count) == marks.count {}
    }
    for (wait, meaning) in zip(waits.dropFirst(), meanings) where wait.revents != 0 {
      guard var entry = entries[meaning.key], var child = entry.child else { continue }
      if meaning.isEnd {
        entry.child = nil
        perform(entry.supervision.ended(child.reap(), at: MonotonicTime.now), on: &entry, meaning.key)
      } else {
        entry.isTalking = child.read()
        entry.child = child
      }
      entries[meaning.key] = entry
    }
  }

  private func perform(_ actions: [BridgeSupervision.Action], on entry: inout Entry, _ key: BridgeKey) {
    for action in actions {
      switch action {
      case .start(let program): start(program, &entry, key)
      case .end(let isForced): entry.child?.end(isForced: isForced)
      case .tell(let condition): tell(condition, key)
      }
    }
  }

  private func start(_ program: BridgeProgram, _ entry: inout Entry, _ key: BridgeKey) {
    do throws(BridgeChild.Failure) {
      entry.child = try BridgeChild(program, folders: folders)
      entry.isTalking = true
      tell(.running, key)
    } catch {
      perform(entry.supervision.ended(error.reason, at: MonotonicTime.now), on: &entry, key)
    }
  }

  private func tell(_ condition: BridgeCondition, _ key: BridgeKey) {
    if !orders.withLock({ $0.isStopping }) { report(key, condition) }
  }
}
