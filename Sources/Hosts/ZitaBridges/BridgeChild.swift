import Processes
import SystemCalls

/// One run of a bridge program. Belongs to the thread that starts it; the system kills the program when that
/// thread ends.
struct BridgeChild {
  private let name: String
  private let child: Child
  private var lines: LineStream
  private var lastLine = ""
  /// The last ratio that the program printed.
  private var ratio: Double?

  /// Becomes readable when the program ends.
  var endDescriptor: Int32 { child.endDescriptor }
  /// Becomes readable when the program prints something, and when it ends.
  var outputDescriptor: Int32 { child.output }

  /// Why a program did not start, as a sentence for the operator.
  struct Failure: Error {
    var reason: String
  }

  /// Starts a program.
  ///
  /// - Parameter folders: searched before the folders of PATH.
  /// - Throws: `Failure`.
  init(_ program: BridgeProgram, folders: [String]) throws(Failure) {
    guard let path = ChildProgram.find(program.name, in: folders) else {
      throw Failure(
        reason:
          "\(program.name) was not found; install the package \(program.package), or give its folder with --bridge-path"
      )
    }
    var run = ChildProgram(path, program.arguments)
    run.name = program.name
    // A program that prints into a pipe keeps its lines for minutes, unless it is told otherwise.
    if program.printsRatio, let buffering = ChildProgram.find("stdbuf", in: []) {
      run = ChildProgram(buffering, ["-oL", path] + program.arguments)
    }
    run.variables = program.variables
    (run.output, run.error) = (.us, .output)
    (run.leavesSession, run.endsWithThread) = (true, true)
    do throws(SystemError) { child = try Child(run) } catch {
      throw Failure(reason: "\(program.name) cannot be started: \(error.reason)")
    }
    name = program.name
    lines = LineStream(child.output, limit: 4_096)
  }

  /// Asks the program to end, or kills it.
  func end(isForced: Bool) { child.send(isForced ? .kill : .terminate) }

  /// Reads the program's output, so that a full pipe never blocks it. Returns false at the end of the output.
  mutating func read() -> Bool {
    lines.receive()
    while let line = lines.takeLine() { note(line) }
    return !lines.hasEnded
  }

  private mutating func note(_ line: String) {
    if let ratio = RatioMeter.ratio(in: line) { return self.ratio = ratio }
    let text = String(line.filter { $0 >= " " }.prefix(200))
    if !text.allSatisfy(\.isWhitespace) { lastLine = text }
  }

  /// Takes the last ratio that the program has printed since the last call; nil if it has printed none.
  mutating func takeRatio() -> Double? { ratio.take() }

  /// Waits for a program that has ended. Returns how it ended, with its last line of output.
  mutating func reap() -> String {
    // Reads at most what the system buffers, in case another process writes to the same stream.
    for _ in 0..<64 { guard read() else { break } }
    if let rest = lines.takeRest() { note(rest) }
    let how =
      switch child.wait() {
      case .killed(let signal)?: " by signal \(signal.rawValue)"
      case .exited(let code)? where code != 0: " with \(code)"
      default: ""
      }
    return "\(name) ended\(how)" + (lastLine.isEmpty ? "" : ": \(lastLine)")
  }
}
