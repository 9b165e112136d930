import CBenchReference
import Glibc
import Processes
import SystemCalls

/// A JACK client in a child process, which is told to end when the last reference to it goes.
final class ChildClient {
  private let child: Child
  private var lines: LineStream
  /// The port of HTTP that the router has told; 0 before it is ready, and without one.
  private(set) var webPort: UInt16 = 0
  /// When the process was started, in microseconds of the server's clock.
  let began: Double

  /// Starts `multiroute run`, without waiting until it is ready.
  /// - Throws: `BenchError` if the program does not exist.
  /// - Parameter library: the folder of the presets; nil for those that are shipped.
  /// - Parameter media: the folder of the sound files; nil for the user's own.
  /// - Parameter servesWeb: whether it has a port of HTTP.
  static func router(
    preset: String, library: String? = nil, media: String? = nil, servesWeb: Bool = false, server: BenchServer
  ) throws(BenchError) -> ChildClient {
    try ChildClient(
      SystemFile.product("multiroute"),
      [
        "run", preset, "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0", "--fresh",
        "--state",
        server.folder,
      ] + (library.map { ["--presets", $0] } ?? []) + (media.map { ["--media", $0] } ?? [])
        + (servesWeb ? ["--http", "0"] : []),
      variables: ["XDG_RUNTIME_DIR=\(server.folder)"])
  }

  /// What a bare client does in a process of its own.
  enum Work: String, CaseIterable {
    /// Copies its inputs to its outputs.
    case copying = "--copying"
    case idle = "--idle"
    /// Multiplies its input by the gains that it receives.
    case gain = "--gain"
    /// Multiplies its inputs by a matrix, in the two ways of `CBenchReference`.
    case product = "--product"
    case copiedProduct = "--copied-product"

    var function: bare_work {
      switch self {
      case .copying: bare_copy
      case .idle: bare_idle
      case .gain: bare_gain
      case .product: bare_product
      case .copiedProduct: bare_product_copied
      }
    }
  }

  /// Starts a bare client. Like the router it is a process of its own, because switching to a thread of another process costs time.
  /// - Throws: `BenchError` if it does not start.
  static func bare(
    _ work: Work, _ name: String, _ server: BenchServer, inputs: Int, outputs: Int
  ) throws(BenchError) -> ChildClient {
    try ChildClient(
      SystemFile.product("bench"), [work.rawValue, server.name, name, "\(inputs)", "\(outputs)"])
  }

  /// Starts `ecasound`, which plays stereo files together into the device.
  /// - Throws: `BenchError` if it is not installed.
  static func ecasound(_ files: [String], period: Int, _ server: BenchServer) throws(BenchError)
    -> ChildClient
  {
    let inputs = files.enumerated().flatMap { ["-a:\($0.offset + 1)", "-i", "sndfile,\($0.element)"] }
    return try ChildClient(
      "ecasound",
      ["-q", "-b:\(period)", "-G:jack,ecasound,notransport", "-f:f32_le,2,48000"] + inputs
        + ["-a:all", "-o", "jack,Device"], variables: ["JACK_DEFAULT_SERVER=\(server.name)"])
  }

  /// Starts `scsynth` with as many inputs as outputs.
  /// - Throws: `BenchError` if it is not installed.
  static func synth(port: UInt16, channels: Int, _ server: BenchServer) throws(BenchError) -> ChildClient {
    try ChildClient(
      "scsynth",
      [
        "-u", "\(port)", "-i", "\(channels)", "-o", "\(channels)", "-z", "\(min(64, server.period))", "-R",
        "0", "-D", "0",
        "-l", "8", "-n", "8192", "-d", "8192",
      ],
      variables: [
        "JACK_DEFAULT_SERVER=\(server.name)", "SC_JACK_DEFAULT_INPUTS=", "SC_JACK_DEFAULT_OUTPUTS=",
      ])
  }

  /// Starts the scene of some calls, which is ready when the calls are as expected.
  ///
  /// - Parameters:
  ///   - connections: pairs of ports that the scene connects.
  ///   - variables: what the environment has beside ours.
  /// - Throws: `BenchError` if it does not start.
  static func call(
    _ server: String, period: Int, _ count: Int, _ expectation: CallScene.Expectation,
    connections: [String] = [], variables: [String] = []
  ) throws(BenchError) -> ChildClient {
    try ChildClient(
      SystemFile.product("bench"),
      [CallScene.flag, server, "\(period)", "\(count)", expectation.rawValue] + connections,
      variables: variables)
  }

  /// Starts `pipewire`, as a server or as a client with modules, with a configuration file.
  /// - Throws: `BenchError` if it is not installed.
  static func pipewire(_ configuration: String, variables: [String]) throws(BenchError) -> ChildClient {
    try ChildClient("pipewire", ["-c", configuration], variables: variables)
  }

  /// Starts `jalv`, which runs one plugin.
  /// - Throws: `BenchError` if it is not installed.
  static func jalv(_ plugin: String, name: String, _ server: BenchServer) throws(BenchError) -> ChildClient {
    try ChildClient("jalv", ["-x", "-n", name, plugin], variables: ["JACK_DEFAULT_SERVER=\(server.name)"])
  }

  var process: SystemProcess { SystemProcess(identifier: child.identifier) }

  private init(
    _ program: String, _ arguments: [String], variables: [String] = []
  ) throws(BenchError) {
    began = BareClient.now
    var run = ChildProgram(program, arguments)
    (run.input, run.output, run.error, run.variables) = (.us, .us, .output, variables)
    do throws(SystemError) { child = try Child(run) } catch { throw BenchError("cannot start: \(error)") }
    lines = LineStream(child.output)
  }

  deinit { child.end(within: 3_000) }

  /// Waits for the line that says that the client is ready, and returns the number behind the first address there: the UDP port
  /// for OSC.
  /// - Throws: `BenchError` with the text that the client printed instead.
  @discardableResult
  func waitUntilReady() throws(BenchError) -> UInt16 {
    var text = ""
    while let line = lines.next() {
      text += line + "\n"
      if line.contains("WebSocket are at http://") {
        webPort = line.split(separator: ":").last.flatMap { UInt16($0.dropLast()) } ?? 0
      }
      // A line of the router begins with its time.
      guard line.contains("multiroute: ready ") || line.hasPrefix(BareClient.ready) else { continue }
      let address = line.split(separator: ",").first ?? ""
      if let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
    }
    throw BenchError("a client did not become ready: \(text)")
  }

  /// The memory when the threads of the media have done their work: no more than looks of theirs that find nothing.
  var megabytesAtRest: Double {
    var used = mediaSeconds
    while true {
      usleep(500_000)
      let now = mediaSeconds
      if now - used < 0.01 { return process.megabytes }
      used = now
    }
  }

  private var mediaSeconds: Double {
    Double(
      process.threads.values.filter { ["mr-reader", "mr-opener", "mr-loudness"].contains($0.name) }
        .reduce(0) { $0 + $1.nanoseconds }) / 1_000_000_000
  }

  /// Finds the audio thread and pins it to the server's processor. It is the thread with the highest real-time priority, or without
  /// real-time priorities the one that wakes up most often.
  /// - Throws: `BenchError` if there is none.
  func audioThread(periods: @escaping () -> UInt64) throws(BenchError) -> OwnTime {
    let folder = process.folder
    let threads = (try? System.readdir(folder)) ?? []
    // After the name in brackets, the 38th word is the real-time priority.
    func priority(_ thread: String) -> Int {
      let words = WholeFile.lines("\(folder)/\(thread)/stat").first?.split(separator: ")").last?.split(
        separator: " ")
      return words.flatMap { $0.count > 37 ? Int($0[37]) : nil } ?? 0
    }
    // The router's other threads have the lowest priority.
    let realTime = threads.max { priority($0) < priority($1) }.flatMap { priority($0) > 1 ? $0 : nil }
    let busiest = threads.max {
      SystemProcess.schedule("\(folder)/\($0)", 2) < SystemProcess.schedule("\(folder)/\($1)", 2)
    }
    guard let thread = realTime ?? busiest, let number = Int32(thread), bare_pin(number) else {
      throw BenchError("a client has no audio thread")
    }
    return OwnTime(nanoseconds: { SystemProcess.schedule("\(folder)/\(thread)", 0) }, periods: periods)
  }
}
