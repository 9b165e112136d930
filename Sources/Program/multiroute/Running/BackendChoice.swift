import Commands
import JackClient
import SystemCalls

/// Chooses between jackd and PipeWire, each of which has a JACK library of its own.
///
/// A process cannot change its library. So for PipeWire the program starts itself again, with the library path that
/// `pw-jack` sets.
enum BackendChoice {
  /// Continues if this process has the library of the wanted audio server, and otherwise starts the program again.
  ///
  /// Call this before any thread starts and before signals are blocked.
  /// - Throws: `CommandFailure` unavailable if the wanted library is not there.
  static func settle(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    switch options.backend {
    case .jack where JackClient.isPipeWire:
      throw CommandFailure(
        .unavailable,
        "multiroute: this process has PipeWire's JACK library, so it cannot use jackd; start it without pw-jack"
      )
    case .pipewire where !JackClient.isPipeWire: try restartWithPipeWire(context)
    case nil where !JackClient.isPipeWire && !options.startsServer:
      let server = try RunSettings(options, context).server
      guard !ServerSocket.ofJackd(server: server).answers, ServerSocket.ofPipeWire(server: server).answers,
        hasLibrary
      else { return }
      context.console.tell("multiroute: no jackd answers, and PipeWire does; using PipeWire")
      try restartWithPipeWire(context)
    default: return
    }
  }

  private static func restartWithPipeWire(_ context: Context) throws(CommandFailure) {
    // A restart with the library path of PipeWire that did not load PipeWire's library must not restart again.
    guard hasLibrary, System.getenv(mark) == nil else {
      throw CommandFailure(
        .unavailable,
        "multiroute: PipeWire's JACK library was not found; \(SystemPackage.pipeWireJack.advice())")
    }
    let inherited = System.getenv("LD_LIBRARY_PATH").map { ":" + $0 } ?? ""
    let environment =
      System.environ.filter { !$0.hasPrefix("LD_LIBRARY_PATH=") }
      + ["LD_LIBRARY_PATH=\(libraryPath)\(inherited)", "\(mark)=1"]
    do throws(SystemError) {
      try System.execve(context.environment.executable, CommandLine.arguments, environment: environment)
    } catch {
      throw CommandFailure(.unavailable, "multiroute: the program cannot be started again: \(error.reason)")
    }
  }

  /// As `pw-jack` sets it; the dynamic linker replaces the variable.
  private static let libraryPath = "/usr/${LIB}/pipewire-0.3/jack"
  private static let mark = "MULTIROUTE_PIPEWIRE"

  private static var hasLibrary: Bool {
    let folders = ["/usr/lib", "/usr/lib64"]
    let nested = ((try? System.readdir("/usr/lib")) ?? []).map { "/usr/lib/\($0)" }
    return (folders + nested).contains { System.access("\($0)/pipewire-0.3/jack/libjack.so.0") }
  }
}
