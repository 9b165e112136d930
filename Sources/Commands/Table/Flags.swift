/// Every flag there is; those that several commands share stand here once.
extension Flag {
  // MARK: Where the router lives
  static let server = Flag(
    "--server", .name("NAME", limit: 63), default: "JACK's own default", "Which JACK server.")
  static let clientName = Flag(
    "--name", .name("CLIENT", limit: 32), default: "multiroute",
    "What the router is called at the JACK server.")
  static let osc = Flag(
    "--osc", .endpoint, isRepeatable: true, default: "127.0.0.1:9440",
    "Where OSC is received. HOST is an IPv4 address or the name of an interface; port 0 takes a free one.")
  static let http = Flag(
    "--http", .endpoint, default: "off", later: .onlyValue("off"), "Where the web surface is served.")
  static let config = Flag(
    "--config", .path("FILE"), default: "the first there is of the folders of configurations",
    "The configuration file; none means to do without.")
  static let presets = Flag(
    "--presets", .path("DIR"), "A folder of presets that is searched before all others, in place of your own."
  )
  static let media = Flag(
    "--media", .path("DIR"),
    "The folder of sound files that is searched before all others, in place of your own.")
  static let state = Flag("--state", .path("DIR"), "Where state is kept for after a crash.")

  // MARK: How it runs
  static let startServer = Flag(
    "--start-server", nil,
    "Starts a dummy JACK server of its own if none answers, again if it dies, and ends it at the end.")
  static let wait = Flag(
    "--wait", nil, "Waits for a JACK server for as long as it takes; for services that start at boot.")
  static let fresh = Flag("--fresh", nil, "Ignores state that was kept after a crash.")
  static let watchPreset = Flag(
    "--watch", nil, later: .nothing, "Loads the preset again whenever its file changes.")
  static let allowPeriodChange = Flag(
    "--allow-period-change", nil,
    "Lets sessions that ask for it change the server's period, which is everybody's."
  )
  static let bridgePath = Flag(
    "--bridge-path", .path("PATH"),
    "Folders with colons between, searched before PATH for the programs that bridge to other devices.")
  static let log = Flag(
    "--log", .choice("LEVEL", LogLevel.allCases.map(\.rawValue)), default: LogLevel.info.rawValue,
    "How much is said on standard error: \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")).")
  static let events = Flag("--events", .path("FILE"), "Appends each event as a line of JSON.")

  // MARK: Demo and files
  static let demoSeconds = Flag(
    "--seconds", .seconds(0...86_400), "Ends after so many seconds, but not before the script has.")
  static let record = Flag("--record", .path("DIR"), "Writes what each output receives as a WAV file.")
  static let input = Flag(
    "--in", .streamFile, isRepeatable: true, isRequired: true, "A sound file for a stream; it starts at 0.")
  static let output = Flag(
    "--out", .outputFile, isRepeatable: true, isRequired: true, "Where an output is written, as float WAV.")
  static let script = Flag(
    "--script", .path("FILE"), "Timed OSC, a line each, such as: 2.5 /session/announce/active 1")
  static let renderSeconds = Flag(
    "--seconds", .seconds(0.001...86_400), default: "the longest sound file", "How long.")
  static let rate = Flag(
    "--rate", .integer("HZ", 8_000...384_000), default: "that of the first sound file", "The sample rate.")
  static let period = Flag("--period", .integer("N", 1...8_192), default: "256", "Frames per period.")

  // MARK: Talking to a router
  static let to = Flag("--to", .endpoint, default: "127.0.0.1:9440", "Which router.")
  static let timeout = Flag(
    "--timeout", .seconds(0.01...600), default: "1", "How many seconds it may take to answer.")
  static let watchSeconds = Flag(
    "--seconds", .seconds(0.01...86_400), default: "until Ctrl-C", "Ends after so many seconds.")
  static let watchStatus = Flag("--watch", nil, "Shows it again every second until Ctrl-C.")
  static let json = Flag("--json", nil, "Writes JSON.")

  // MARK: Help
  static let markdown = Flag(
    "--markdown", nil, "Writes the whole reference as Markdown; docs/cli.md is made with it.")
  /// Every command takes it; the table does not repeat it.
  static let help = Flag("--help", nil, "Shows the help of a command.")
}

/// How much the router says on standard error.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case error, warning, info, debug

  public static func < (left: Self, right: Self) -> Bool {
    allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
  }
}
