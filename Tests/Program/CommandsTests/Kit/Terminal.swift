import Checkout
import Commands
import EffectsHost
import Foundation
import Presets
import SessionModel
import Synchronization

/// A console that keeps all text, and can call a function for each piece of text.
final class Terminal: Sendable {
  private let written = Mutex<(output: [UInt8], error: String)>(([], ""))
  private let onOutput: @Sendable (String) -> Void

  init(onOutput: @escaping @Sendable (String) -> Void = { _ in }) { self.onOutput = onOutput }

  /// All text of standard output.
  var output: String { String(decoding: bytes, as: UTF8.self) }
  /// All bytes of standard output.
  var bytes: [UInt8] { written.withLock { $0.output } }
  /// All text of standard error.
  var error: String { written.withLock { $0.error } }
  /// Standard output line by line.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  func console(
    _ screen: Console.Screen = Console.Screen(width: 100),
    measure: @escaping @Sendable () -> Console.Size? = { nil }
  ) -> Console {
    Console(
      output: screen, error: screen, measure: measure,
      bytes: { stream, bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        self.written.withLock { written in
          if stream == .output { written.output += bytes } else { written.error += text }
        }
        if stream == .output { self.onOutput(text) }
      })
  }
}

/// Runs command lines without a process.
struct Shell {
  let terminal: Terminal
  var environment = Environment(["HOME": "/nowhere"])
  var interruption = EndRequest { { false } }
  var screen = Console.Screen(width: 100)
  /// The size of the terminal, if there is one.
  var measure: @Sendable () -> Console.Size? = { nil }

  /// A shell in an empty home folder, with the presets of this checkout.
  static func atHome(in folder: TemporaryFolder) -> Shell {
    var shell = Shell()
    shell.environment = Environment([
      "HOME": folder.path("home"), "MULTIROUTE_SHARE": Checkout.root.path(),
    ])
    return shell
  }

  /// The JACK ports and connections that `check --live` finds.
  static let graph = JackGraph(
    [
      JackPort("Band:out_1", isInput: false), JackPort("USB:playback_1", isInput: true),
      JackPort("USB:playback_2", isInput: true), JackPort("Phone:in_1", isInput: true),
      JackPort("Deck:out_1", isInput: false), JackPort("Deck:out_2", isInput: false),
      JackPort("Deck:out_3", isInput: false), JackPort("USB:monitor_1", isInput: false),
      JackPort("front:to-usb_1", isInput: false), JackPort("front:show.decks_1", isInput: true),
    ],
    connections: [
      "Deck:out_3": ["USB:playback_2", "multiroute:show.decks_1", "front:show.decks_1"],
      "Phone:in_1": ["USB:capture_1"],
    ])

  /// The server that `doctor` joins.
  static let server = JoinedServer(
    library: "1.9.22", settings: JoinedServer.Settings(rate: 48_000, period: 256, isRealtime: true))

  /// The devices and programs that `presets new` finds.
  static let equipment = Equipment(
    outputs: [
      Port(
        id: "usb", name: "USB", type: .usbAudio,
        globs: ["USB:playback_1", "USB:playback_2"].compactMap { PortGlob($0) }, channels: 2)
    ],
    programs: [Equipment.Source("Band", ports: ["Band:out_1"])])

  /// The effects program of the same build.
  static let effectsProgram: String? = {
    if let usual = InstalledEffects.usualProgram { return usual }
    // The toolchain's test runner loads the tests from the first path in the command line.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "multiroute-effects").path()
  }()

  init(_ terminal: Terminal = Terminal()) { self.terminal = terminal }

  /// Performs a command line. `run`, `demo` and `render` only print their options.
  @discardableResult
  func run(_ arguments: String...) -> ExitCode { run(arguments) }

  /// The context of the command lines.
  var context: Context {
    Context(
      console: terminal.console(screen, measure: measure), environment: environment,
      interruption: interruption)
  }

  @discardableResult
  func run(_ arguments: [String]) -> ExitCode {
    let runners = Program.Runners(
      run: { $1.console.print("\($0)") }, demo: { $1.console.print("\($0)") },
      render: { $1.console.print("\($0)") }, graph: { _ in Self.graph }, equipment: { _ in Self.equipment },
      server: { _ in Self.server }, effects: Self.effectsProgram)
    return Program(runners, context).execute(arguments)
  }
}
