import EventLog
import Layouts

/// All flags of all commands. Several commands may share a flag.
extension Flag {
  // MARK: Server, addresses and folders
  static let server = Flag(
    "--server", .name("NAME", limit: 63), default: "JACK's own default", "The JACK server's name.")
  static let clientName = Flag(
    "--name", .name("CLIENT", limit: 32), default: "multiroute",
    "The router's client name at the JACK server.")
  static let osc = Flag(
    "--osc", .endpoint, isRepeatable: true, default: "127.0.0.1:9440",
    "Where the router receives OSC: HOST:PORT over UDP, tcp:HOST:PORT, or unix:PATH. HOST is an IP address, with brackets if it is IPv6 ([::1]:9440), or an interface; port 0 takes a free one."
  )
  static let http = Flag(
    "--http", .webPlace, default: "off",
    "Where the router serves the page for browsers, OSCQuery, OSC over WebSocket, and /metrics; without HOST for this machine only."
  )
  static let metrics = Flag(
    "--metrics", .webPlace, default: "off",
    "A port for /metrics alone, for Prometheus, as --http."
  )
  static let config = Flag(
    "--config", .path("FILE"), default: "the first config.json found in the folders below",
    "The configuration file, or `none`.")
  static let presets = Flag(
    "--presets", .path("DIR"), "A folder of presets that is searched first, instead of your own."
  )
  static let media = Flag(
    "--media", .path("DIR"),
    "A folder of sound files that is searched first, instead of your own.")
  static let state = Flag(
    "--state", .path("DIR"), "The folder in which the router keeps its state, to restore it after a crash.")

  // MARK: Running
  static let backend = Flag(
    "--backend", .choice("NAME", AudioBackend.allCases.map(\.rawValue)),
    "The audio server: \(AudioBackend.allCases.map(\.rawValue).joined(separator: " or ")). By default, jackd if it answers, otherwise PipeWire if that answers."
  )
  static let startServer = Flag(
    "--start-server", nil,
    "Starts its own dummy JACK server if none runs, restarts it, stops it on exit.")
  static let wait = Flag(
    "--wait", nil, "Waits without end for a JACK server, as services do at boot.")
  static let fresh = Flag("--fresh", nil, "Ignores the state that a crashed run left.")
  static let watchPreset = Flag(
    "--watch", nil, "Loads an edit of the preset in force as soon as it is saved."
  )
  static let allowPeriodChange = Flag(
    "--allow-period-change", nil,
    "Lets sessions change the server's period, which affects every program at that server."
  )
  static let noDesktop = Flag(
    "--no-mpris", nil,
    "The router is no media player of the desktop, and leaves other players alone.")
  static let noMDNS = Flag(
    "--no-mdns", nil, "A router that is open to the network is not announced there.")
  static let bridgePath = Flag(
    "--bridge-path", .path("PATH"),
    "Colon-separated folders, searched before PATH for the programs that bridge to other devices.")
  static let log = Flag(
    "--log", .choice("LEVEL", LogLevel.allCases.map(\.rawValue)), default: LogLevel.info.rawValue,
    "Log level: \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")).")
  static let logFormat = Flag(
    "--log-format", .choice("FORMAT", LogFormat.allCases.map(\.rawValue)),
    default: "text; under systemd, entries of the journal with fields",
    "The log's lines on standard error: \(LogFormat.text.rawValue) for people, or \(LogFormat.json.rawValue), an object for each."
  )
  static let events = Flag(
    "--events", .path("FILE"),
    "Appends each event, and each setting that a client changed, as a line of JSON.")

  // MARK: Demo and files
  static let demoSeconds = Flag(
    "--seconds", .seconds(0...86_400), "Ends after N seconds, but not before the script has ended.")
  static let record = Flag(
    "--record", .path("DIR"),
    "The folder into which the router records each output during the script, as WAV files.")
  static let input = Flag(
    "--in", .sourceFile, isRepeatable: true,
    "A sound file for a stream, or for an input with INPUT=FILE; it starts at 0. Without one, --seconds says the length of a show of "
      + "players.")
  static let output = Flag(
    "--out", .sinkFile, isRepeatable: true, isRequired: true,
    "The file to which an output is written, or with SESSION.capture=FILE what the programs of a session receive. The ending of its name decides the format: .wav (floats), "
      + ".flac, .ogg, .aiff, .opus. A file of this name is replaced when the new one is whole.")
  static let script = Flag(
    "--script", .path("FILE"), "Timed OSC messages, one per line, such as: 2.5 /session/announce/active 1")
  static let renderSeconds = Flag(
    "--seconds", .seconds(0.001...86_400), default: "the longest sound file", "The length, in seconds.")
  static let progress = Flag(
    "--progress", nil,
    "Prints the progress where standard error is no terminal, too: a line for each percent.")
  static let rate = Flag(
    "--rate", .integer("HZ", 8_000...384_000), default: "that of the first sound file", "The sample rate.")
  static let period = Flag("--period", .integer("N", 1...8_192), default: "256", "Frames per period.")

  // MARK: Talking to a router
  static let to = Flag(
    "--to", .router, default: "the Unix socket of the only router that runs here, else 127.0.0.1:9440",
    "The router's address: HOST:PORT over UDP, tcp:HOST:PORT, or unix:PATH; or its name in the network, as find lists it."
  )
  static let timeout = Flag(
    "--timeout", .seconds(0.01...600), default: "1", "Seconds to wait for an answer.")
  static let searchSeconds = Flag(
    "--seconds", .seconds(0.1...60), default: "5", "The most seconds to search.")
  static let fade = Flag(
    "--fade", .seconds(0...120), default: "that of the preset, or of the router",
    "The fade of the recall, in seconds.")
  static let tokenLength = Flag(
    "--for", .text("TIME"), default: "12h", "How long the token gives its right: 90m, 3h or 2d; at most 31d.")
  static let tokenName = Flag(
    "--name", .text("NAME"), default: "that of the output", "The name of the token, such as who uses it.")
  static let watchSeconds = Flag(
    "--seconds", .seconds(0.01...86_400), default: "until Ctrl-C", "Ends after N seconds.")
  static let promptState = Flag(
    "--state", .path("DIR"), "The folder in which the console keeps its lines, instead of your own.")
  static let since = Flag(
    "--since", .text("TIME"),
    "Only events from this time on: 90s, 10m or 2h ago, a time of day (19:30), or a date and time in UTC (2026-11-22T19:30:05Z)."
  )
  static let ofSession = Flag("--session", .text("SESSION"), "Only events of this session.")
  static let ofKind = Flag(
    "--kind", .text("KIND"),
    "Only events of this kind: the end of the event's address (route, active, report, health, error), `set` for settings, the key of a report (OutputDeviceChange), or the rule of an alarm (quiet)."
  )
  static let follow = Flag("--follow", nil, "Goes on with new events until Ctrl-C.")
  static let watchStatus = Flag("--watch", nil, "Refreshes every second until Ctrl-C.")
  static let begin = Flag("--start", nil, "Starts the recorders and returns at once.")
  static let end = Flag("--stop", nil, "Stops the recorders, whoever started them.")
  static let live = Flag(
    "--live", nil, "Compares the presets with the JACK ports and connections that exist now.")
  static let programs = Flag("--programs", nil, "Lists only programs.")
  static let wirePlumber = Flag(
    "--wireplumber", nil,
    "Prints a script for WirePlumber that keeps the programs of the preset from connecting themselves.")
  static let svg = Flag("--svg", nil, "Prints a picture of the preset's routing, in SVG.")
  static let plan = Flag("--plan", nil, "Prints the preset's routing as a drawing in plain text.")
  static let title = Flag("--title", .text("TITLE"), "The name of the new preset for people.")
  static let dropComments = Flag(
    "--drop-comments", nil, "Replaces a preset although its comments get lost.")
  static let layoutPreset = Flag(
    "--preset", .path("PRESET"),
    "The preset that has buttons and pages; without one the layout fits every show."
  )
  static let bank = Flag(
    "--bank", .integer("N", 1...Layout.widestBank), default: "8", "How many faders the page Mixer has.")
  static let tablet = Flag(
    "--tablet", .integer("N", 1...8), default: "1",
    "Tablets of one number move together."
  )
  static let from = Flag(
    "--from", .integer("N", 0...1_000_000_000), default: "0", "Leaves out the first N entries of a list.")
  static let count = Flag(
    "--count", .integer("N", 1...100_000), default: "100", "The most entries of a list that are printed.")
  static let once = Flag("--once", nil, "Prints one screen and ends.")
  static let dryRun = Flag(
    "--dry-run", nil,
    "Changes nothing, and prints what the message would change and which sessions it would disturb.")
  static let json = Flag("--json", nil, "Prints JSON.")
  static let metricsFile = Flag(
    "--output", .path("FILE"),
    "Replaces this file by the page in one step.")

  // MARK: Help
  static let markdown = Flag(
    "--markdown", nil, "Prints the whole reference as Markdown, which is docs/reference/cli.md.")
  static let man = Flag(
    "--man", .path("DIR"), "Writes the manual for man(1) into the folders man1, man5 and man7 of DIR.")

  // MARK: Setup
  static let yes = Flag("--yes", nil, "Answers every question with yes, and needs no terminal.")
  static let undo = Flag("--undo", nil, "Takes back what the last setup did.")
  static let guest = Flag(
    "--guest", .text("ADDRESS"), "The tablet, or its network, that may control the router.")
  static let oscPort = Flag(
    "--osc-port", .integer("N", 1...65_535), default: "9440", "Where the tablet reaches OSC.")
  static let pagePort = Flag(
    "--page-port", .integer("N", 1...65_535), default: "9480", "Where the tablet reaches the page.")

  /// Every command takes this flag, so the table does not list it.
  static let help = Flag("--help", nil, "Shows the help of a command.")
}
