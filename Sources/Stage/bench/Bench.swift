import CBenchReference
import CRealtime
import Glibc
import SystemCalls

/// The benchmarks. `docs/develop/performance.md` says what they measure.
enum Bench {
  static let help = """
    Usage: bench [matrix] [moving] [sparse] [small] [sessions] [latency] [groups] [leak] [footprint]
                 [law] [recall] [media] [voice] [effects] [surface] [web]
                 [--quick]

    Measures the audio thread against bare C clients at one JACK server, the program as a whole, and the law of sessions. Without a name everything
    is measured; --quick takes fewer and shorter rounds. Ends with 1 if a limit is missed.
    """

  /// Runs the parts that the arguments name; returns the exit code.
  static func perform(_ arguments: [String]) -> Int32 {
    let words = Array(arguments.dropFirst())
    if let work = arguments.first.flatMap(ChildClient.Work.init) {
      return BareClient.workForParent(work.function, words)
    }
    if arguments.first == CallScene.flag { return CallScene.work(words) }
    if arguments.first == LibraryCore.timeFlag { return LibraryCore.tellTime(words) }
    LibraryCore.chooseFastest(arguments)
    var (names, plan): ([String], Plan) = ([], .full)
    for argument in arguments {
      switch argument {
      case "--quick": plan = .quick
      case "--help", "help":
        tell(help)
        return 0
      case _ where parts.contains { $0.name == argument }: names.append(argument)
      default:
        complain("bench: \(argument) is not understood; see bench --help")
        return 64
      }
    }
    tell("processor      \(processor)")
    tell(
      "loops          \(mr_widest_processor() ? "for x86-64-v4" : mr_newer_processor() ? "for x86-64-v3" : "for any processor")"
    )
    tell("OpenBLAS       \(String(cString: bare_library_core())), one thread")
    tell(
      "rounds         \(plan.rounds) of \(plan.periods) periods; \(plan.trials) gains; \(plan.starts) starts")
    var table = ResultTable()
    for part in parts where names.isEmpty || names.contains(part.name) {
      do throws(BenchError) {
        try BenchServer.run(period: part.period, isPinned: part.isPinned) { (server) throws(BenchError) in
          try part.run(plan, server, &table)
        }
      } catch {
        complain("bench: \(part.name): \(error)")
        return 70
      }
    }
    tell("\n\(table.text)")
    return table.isWithinLimits ? 0 : 1
  }

  /// One benchmark, with an audio server of its own.
  private struct Part {
    var name: String
    /// Frames of the server's period.
    var period: Int
    /// Whether the server and all clients run on one processor.
    var isPinned = false
    var run: (Plan, BenchServer, inout ResultTable) throws(BenchError) -> Void
  }

  private static var parts: [Part] {
    [
      Part(name: "matrix", period: 64, isPinned: true, run: MatrixBench.run),
      Part(name: "matrix", period: 64, isPinned: true, run: ShippedBench.runDense),
      Part(name: "moving", period: 64, isPinned: true, run: MovingBench.run),
      Part(name: "sparse", period: 64, isPinned: true, run: SparseBench.run),
      Part(name: "sparse", period: 64, isPinned: true, run: ShippedBench.runSparse),
      Part(name: "small", period: 32, isPinned: true, run: SparseBench.runSmall),
      Part(name: "small", period: 16, isPinned: true, run: SparseBench.runSmall),
      Part(name: "sessions", period: 64, isPinned: true, run: SessionsBench.run),
      Part(name: "latency", period: LatencyBench.period, run: LatencyBench.run),
      Part(name: "groups", period: LatencyBench.period, run: GroupBench.run),
      Part(name: "leak", period: LeakBench.period, run: LeakBench.run),
      Part(name: "footprint", period: 256, run: FootprintBench.run),
      Part(name: "law", period: 256) { (plan, _, table) throws(BenchError) in try LawBench.run(plan, &table)
      },
      Part(name: "recall", period: RecallBench.period, isPinned: true, run: RecallBench.run),
      Part(name: "media", period: MediaBench.period, isPinned: true, run: MediaBench.run),
      Part(name: "voice", period: VoiceBench.period, run: VoiceBench.run),
      Part(name: "effects", period: EffectsBench.period, isPinned: true, run: EffectsBench.run),
      Part(name: "surface", period: SurfaceBench.period, run: SurfaceBench.run),
      Part(name: "web", period: SurfaceBench.period, run: WebBench.run),
    ]
  }

  /// The model of the first processor.
  private static var processor: String {
    let line = WholeFile.lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
    return line.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "unknown"
  }

  private static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// The extent of the measurements.
struct Plan {
  /// Number of rounds of a comparison; in half of them the clients run in the other order.
  var rounds: Int
  /// Number of periods of a round.
  var periods: UInt64
  /// Number of gains that are sent in a round.
  var trials: Int
  /// How often the program is started.
  var starts: Int

  static let full = Plan(rounds: 6, periods: 10_000, trials: 200, starts: 10)
  static let quick = Plan(rounds: 2, periods: 2_000, trials: 50, starts: 3)
}

/// Why a measurement failed, as a sentence.
struct BenchError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
