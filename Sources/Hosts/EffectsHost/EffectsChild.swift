import EffectBlocks
import Effects
import Processes
import SystemCalls

/// One run of the effects program. Belongs to the thread that starts it; the system kills the program when that thread ends.
struct EffectsChild {
  private let child: Child
  private var lines: LineStream
  private var errors: LineStream
  private(set) var isReady = false
  /// What the program has not taken yet.
  private var outbox: [UInt8] = []
  private(set) var lastLine = ""

  var process: Int32 { child.identifier }
  var endDescriptor: Int32 { child.endDescriptor }
  /// Become readable when the program says something.
  var descriptors: [Int32] {
    (lines.hasEnded ? [] : [child.output]) + (errors.hasEnded ? [] : [child.error])
  }

  /// Starts the program.
  ///
  /// - Throws: `SystemError` if the system cannot start it.
  init(_ settings: EffectsHost.Settings, memory: Int32) throws(SystemError) {
    var program = ChildProgram(
      settings.program, ["run", "\(settings.rate)", "\(settings.frames)", "\(settings.priority)"])
    if let path = settings.pluginPath { program.variables = ["LV2_PATH=\(path)"] }
    // The memory comes as standard input; the socket of standard output leads both ways.
    (program.input, program.output, program.error) = (.descriptor(memory), .us, .us)
    (program.leavesSession, program.endsWithThread) = (true, true)
    child = try Child(program)
    lines = LineStream(child.output, limit: 16 << 20)
    errors = LineStream(child.error, limit: 4_096)
  }

  /// Sends an order after those before it. Never waits: a program that loads for long reads nothing meanwhile.
  mutating func send(_ order: EffectOrder) {
    outbox += order.line
    flush()
  }

  /// Sends what was left.
  mutating func flush() {
    while !outbox.isEmpty {
      // A program that has ended is noticed by its end.
      guard let count = try? System.send(child.output, outbox[...], waits: false) else { return }
      outbox.removeFirst(count)
    }
  }

  /// Reads what the program has written.
  mutating func read() -> (answers: [EffectAnswer], said: [String]) {
    lines.receive()
    errors.receive()
    var answers: [EffectAnswer] = []
    while let line = lines.takeLine() {
      guard let answer = EffectAnswer(line: line) else { continue }
      if answer == .ready { isReady = true }
      answers.append(answer)
    }
    var said: [String] = []
    while let line = errors.takeLine() {
      lastLine = String(line.filter { $0 >= " " }.prefix(200))
      said.append(lastLine)
    }
    return (answers, said)
  }

  /// What a thread of the program does, by the system's number; nil if there is no such thread.
  func activity(of thread: Int) -> ThreadActivity? {
    WholeFile.lines("/proc/\(process)/task/\(thread)/stat").first.flatMap { ThreadActivity($0) }
  }

  /// Whether somebody has stopped the program (SIGSTOP).
  var isStopped: Bool { activity(of: Int(process))?.isStopped == true }

  func kill() { child.send(.kill) }

  /// Waits for a program that has ended, or kills it.
  func reap() -> ProcessEnd {
    child.wait(milliseconds: 0) ?? child.kill()
  }
}
