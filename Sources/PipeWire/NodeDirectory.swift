public import SessionModel
import Synchronization

/// Tells which of PipeWire's nodes each JACK port belongs to.
///
/// PipeWire's JACK library tells neither what a device is nor which of two identical cards a port belongs to; `pw-dump` does. It is
/// run whenever a port appears that it was not asked about, by a thread that nobody waits for, and the program needs none of
/// PipeWire's libraries. Without `pw-dump` ports are just those that JACK shows.
///
/// Belongs to one thread or actor at a time.
public final class NodeDirectory {
  /// Shared with the thread of a run.
  private final class Results: Sendable {
    let outcome = Mutex<DumpRun.Outcome?>(nil)
  }

  private var known: [UInt64: NodeDump.Entry] = [:]
  /// Serial numbers that the last answers did not have.
  private var strangers: Set<UInt64> = []
  /// What the present run is about.
  private var asked: Set<UInt64> = []
  private var run: DumpRun?
  private let results = Results()
  private let program: String
  private let seconds: Double
  private var isMissing = false
  private var remarks: [String] = []
  private var said: Set<String> = []

  /// - Parameters:
  ///   - program: what prints the dump, looked up in PATH.
  ///   - seconds: after which a run that has not ended is ended.
  public init(program: String = "pw-dump", seconds: Double = 2) {
    (self.program, self.seconds) = (program, seconds)
  }

  deinit { finish() }

  /// Forgets all ports, for another attachment: a server that is started anew numbers its ports anew.
  public func restart() {
    finish()
    (known, strangers) = ([:], [])
    results.outcome.withLock { $0 = nil }
  }

  private func finish() {
    run?.finish()
    run = nil
  }

  /// The ports, each with what is known of its node by now; asks about those that nobody asked about before. Never blocks.
  public func describe(_ ports: [SystemPort]) -> [SystemPort] {
    guard !isMissing else { return ports }
    let serials = Set(ports.map(\.serial))
    // Numbers of ports that are gone do not come back.
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
        port.origin = .awaited
      }
      return port
    }
  }

  /// Takes an answer that has come; whether ports have to be described anew.
  public func takeNews() -> Bool {
    guard let outcome = results.outcome.withLock({ $0.take() }) else { return false }
    finish()
    switch outcome {
    case .answered(let bytes):
      guard let dump = NodeDump(bytes) else { return giveUp("what \(program) prints cannot be read") }
      for serial in asked { known[serial] = dump.ports[serial] }
      strangers.formUnion(asked.subtracting(known.keys))
    case .missing:
      isMissing = true
      return giveUp("\(program) is not there")
    case .failed:
      return giveUp("\(program) does not answer")
    }
    return true
  }

  /// Sentences that a person should read, each once.
  public func takeRemarks() -> [String] {
    defer { remarks = [] }
    return remarks
  }

  private func ask(about serials: Set<UInt64>) {
    asked = serials
    run = DumpRun(program: program, seconds: seconds) { [results] outcome in
      results.outcome.withLock { $0 = outcome }
    }
  }

  /// The ports that were asked about are those that JACK shows.
  private func giveUp(_ why: String) -> Bool {
    strangers.formUnion(asked)
    if said.insert(why).inserted {
      remarks.append(
        "\(why), so what devices are is guessed from their names, and identical cards are not told apart")
    }
    return true
  }
}
