public import SessionModel
import Synchronization
import SystemCalls
import Threads

/// Keeps the programs of bridges running. Its thread sleeps until a program ends, prints something or is due
/// again.
///
/// Any thread may call it. Programs never outlive it: its thread ends after them, and the system kills them
/// if our process ends in any other way.
public final class BridgeRunner: Sendable {
  /// Receives each change of a bridge's condition, on the runner's thread, in order.
  public typealias Report = @Sendable (BridgeKey, BridgeCondition) -> Void

  /// Seconds that a program has to end before it is killed.
  public static let patience = 0.5

  private let orders = Mutex(Orders())
  private let folders: [String]
  private let report: Report
  /// A counter; a write to it wakes the thread.
  private let waker: Int32

  /// What the programs that run have told of their ratios.
  private let ratios = Mutex<[BridgeKey: RatioMeter]>([:])

  private struct Orders {
    var wanted: [BridgeKey: BridgeProgram] = [:]
    var isStopping = false
    var thread: OwnThread?
  }

  /// Starts the thread, without any program yet.
  ///
  /// - Parameter folders: searched for the programs before the folders of PATH.
  public init(folders: [String], report: @escaping Report) {
    (self.folders, self.report) = (folders, report)
    do throws(SystemError) { waker = try System.eventfd() } catch {
      preconditionFailure("no descriptors are left: \(error)")
    }
    orders.withLock { $0.thread = OwnThread("mr-bridges") { self.run() } }
  }

  deinit { System.close(waker) }

  /// Keeps these programs running and ends all others. A program that is unchanged is not restarted.
  public func keep(_ programs: [BridgeKey: BridgeProgram]) {
    orders.withLock { $0.wanted = programs }
    wake()
  }

  /// Ends all programs and waits at most half a second for that. Nothing is reported or started afterwards.
  /// Calling it again has no effect.
  public func stop() {
    let thread = orders.withLock { orders in
      (orders.wanted, orders.isStopping) = ([:], true)
      defer { orders.thread = nil }
      return orders.thread
    }
    wake()
    thread?.join()
  }

  /// By how much each bridge resamples, as its program has told in the last 10 s: the ratio minus 1. Bridges that tell none are left out.
  public var drifts: [BridgeKey: Double] {
    ratios.withLock { $0.compactMapValues { $0.drift(at: MonotonicTime.now) } }
  }

  private func wake() { System.eventfd_write(waker) }

  // MARK: The thread

  /// The thread's record of a bridge.
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

  /// Sleeps until an event, and records the event.
  private func sleep(_ entries: inout [BridgeKey: Entry]) {
    var waits = [waker]
    var meanings: [(key: BridgeKey, isEnd: Bool)] = []
    for (key, entry) in entries {
      guard let child = entry.child else { continue }
      if entry.isTalking {
        waits.append(child.outputDescriptor)
        meanings.append((key, false))
      }
      waits.append(child.endDescriptor)
      meanings.append((key, true))
    }
    let due = entries.values.compactMap(\.supervision.due).min()
    let patience = due.map { Int32(min(max(0, ($0 - MonotonicTime.now) * 1_000), 60_000).rounded(.up)) } ?? -1
    guard let ready = try? System.poll(waits, milliseconds: patience) else { return }
    if ready[0] { System.eventfd_read(waker) }
    for (isReady, meaning) in zip(ready.dropFirst(), meanings) where isReady {
      guard var entry = entries[meaning.key], var child = entry.child else { continue }
      if meaning.isEnd {
        entry.child = nil
        ratios.withLock { $0[meaning.key] = nil }
        perform(entry.supervision.ended(child.reap(), at: MonotonicTime.now), on: &entry, meaning.key)
      } else {
        entry.isTalking = child.read()
        if let ratio = child.takeRatio() {
          ratios.withLock { $0[meaning.key, default: RatioMeter()].note(ratio, at: MonotonicTime.now) }
        }
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
