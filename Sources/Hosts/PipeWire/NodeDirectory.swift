public import AudioHost
import Synchronization

/// Finds the PipeWire node of each JACK port.
///
/// PipeWire's JACK library shows neither the kind of a device nor which of two identical cards a port belongs
/// to. `pw-dump` prints both, so our program needs none of PipeWire's libraries. `pw-dump` runs whenever
/// a port appears that no earlier run was asked about, on a thread that no other thread waits for. If it fails, it
/// runs again after growing waits. Without `pw-dump`, a port has only what JACK shows of it.
///
/// Belongs to one thread or actor at a time.
public final class NodeDirectory {
  /// Shared between the directory and the thread of a run.
  private final class Results: Sendable {
    let outcome = Mutex<DumpRun.Outcome?>(nil)
  }

  private var known: [UInt64: NodeDump.Entry] = [:]
  /// Serial numbers that were missing from the last answers.
  private var strangers: Set<UInt64> = []
  /// The serial numbers that the present run looks for.
  private var asked: Set<UInt64> = []
  private var run: DumpRun?
  private let results = Results()
  private let program: String
  private let seconds: Double
  private let wake: @Sendable () -> Void
  private var isMissing = false
  /// How often in a row the program gave no answer that could be read. A program that ends while `pw-dump` runs
  /// may cut its output short.
  private var failures = 0
  /// After so many failures ports no longer wait for the answer, and the operator is told.
  private static let patience = 3
  /// Seconds to wait before the program runs again: after the first failure, and at most.
  private static let (shortest, longest) = (0.1, 5.0)
  private var remarks: [String] = []
  private var said: Set<String> = []

  /// - Parameters:
  ///   - program: the program that prints the dump: a path, or a name in PATH.
  ///   - seconds: the time limit of a run of the program.
  ///   - wake: called on another thread when an answer has arrived, so that `takeNews` may return true.
  public init(
    program: String = "pw-dump", seconds: Double = 2, wake: @escaping @Sendable () -> Void = {}
  ) {
    (self.program, self.seconds, self.wake) = (program, seconds, wake)
  }

  deinit { finish() }

  /// Forgets all ports, for the next server: a restarted server numbers its ports anew.
  public func restart() {
    finish()
    (known, strangers, failures) = ([:], [], 0)
    results.outcome.withLock { $0 = nil }
  }

  private func finish() {
    run?.finish()
    run = nil
  }

  /// Adds to each port the facts about its node, as far as they are known, and looks new ports up. Never blocks.
  public func describe(_ ports: [SystemPort]) -> [SystemPort] {
    guard !isMissing else { return ports }
    let serials = Set(ports.map(\.serial))
    // A server never reuses the serial numbers of ports that are gone.
    known = known.filter { serials.contains($0.key) }
    strangers.formIntersection(serials)
    if run == nil {
      let open = serials.subtracting(known.keys).subtracting(strangers)
      if !open.isEmpty { ask(about: open) }
    }
    return ports.map { port in
      var port = port
      if let entry = known[port.serial], entry.isEntry(of: port) {
        port.origin = .node(entry.node)
      } else if known[port.serial] == nil, !strangers.contains(port.serial) {
        port.origin = failures < Self.patience ? .awaited : .undescribed
      }
      return port
    }
  }

  /// Takes an answer that has arrived. Returns whether ports must be described again.
  public func takeNews() -> Bool {
    guard let outcome = results.outcome.withLock({ $0.take() }) else { return false }
    finish()
    switch outcome {
    case .answered(let bytes):
      guard let dump = NodeDump(bytes) else { return askAgain("the output of \(program) cannot be read") }
      failures = 0
      for serial in asked { known[serial] = dump.ports[serial] }
      strangers.formUnion(asked.subtracting(known.keys))
    case .missing:
      isMissing = true
      remark("\(program) was not found")
    case .failed:
      return askAgain("\(program) does not answer")
    }
    return true
  }

  /// Takes the new sentences for the operator. Each sentence comes once.
  public func takeRemarks() -> [String] {
    defer { remarks = [] }
    return remarks
  }

  private func ask(about serials: Set<UInt64>) {
    asked = serials
    let pause = failures == 0 ? 0 : min(Self.shortest * Double(1 << min(failures - 1, 10)), Self.longest)
    run = DumpRun(program: program, after: pause, seconds: seconds) { [results, wake] outcome in
      results.outcome.withLock { $0 = outcome }
      wake()
    }
  }

  /// Asks once more after a failure. Returns whether ports must be described again, because they no longer wait for the answer.
  private func askAgain(_ why: String) -> Bool {
    failures += 1
    ask(about: asked)
    guard failures == Self.patience else { return false }
    remark(why)
    return true
  }

  private func remark(_ why: String) {
    guard said.insert(why).inserted else { return }
    remarks.append(
      "\(why), so the kind of each device is guessed from its name, and identical cards are not told apart")
  }
}
