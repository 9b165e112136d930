public import EventLog
public import OSC

/// The options of `multiroute run`. Nil or an empty list leaves the choice to the configuration or the default.
public struct RunOptions: Equatable, Sendable {
  /// A preset's id or path; nil for a router without sessions.
  public var preset: String?
  public var server: String?
  /// Nil to look which one answers.
  public var backend: AudioBackend?
  public var clientName: String?
  public var osc: [Endpoint]
  /// Where HTTP and WebSocket are served.
  public var http: WebPlace?
  /// Where the page of metrics alone is served.
  public var metrics: WebPlace?
  public var configuration: ConfigurationChoice
  public var presetFolder: String?
  /// The media folder instead of the user's own.
  public var mediaFolder: String?
  public var stateFolder: String?
  public var bridgePath: String?
  /// Whether to start a dummy server if none is running.
  public var startsServer: Bool
  /// Whether to wait for a server without end.
  public var waitsForServer: Bool
  /// Whether sessions may change the period of the whole server.
  public var allowsPeriodChange: Bool
  /// Whether to ignore kept state.
  public var isFresh: Bool
  /// Whether to follow edits of presets.
  public var followsEdits: Bool
  /// Whether to leave the media players of the desktop alone.
  public var avoidsDesktop: Bool
  /// Whether the router is not announced on the network.
  public var avoidsAnnouncement: Bool
  public var logLevel: LogLevel
  /// Nil for the journal if standard error leads there, and otherwise for text.
  public var logFormat: LogFormat?
  /// The file to which events are appended as lines of JSON; nil for none.
  public var eventFile: String?

  init(_ arguments: ParsedArguments) {
    preset = arguments.positionals.first
    server = arguments.text(.server)
    backend = arguments.text(.backend).flatMap(AudioBackend.init)
    clientName = arguments.text(.clientName)
    osc = arguments.all(.osc).compactMap { Endpoint($0) }
    http = arguments.text(.http).flatMap { WebPlace($0) }
    metrics = arguments.text(.metrics).flatMap { WebPlace($0) }
    configuration = ConfigurationChoice(arguments.text(.config))
    presetFolder = arguments.text(.presets)
    mediaFolder = arguments.text(.media)
    stateFolder = arguments.text(.state)
    bridgePath = arguments.text(.bridgePath)
    startsServer = arguments.has(.startServer)
    waitsForServer = arguments.has(.wait)
    allowsPeriodChange = arguments.has(.allowPeriodChange)
    isFresh = arguments.has(.fresh)
    followsEdits = arguments.has(.watchPreset)
    avoidsDesktop = arguments.has(.noDesktop)
    avoidsAnnouncement = arguments.has(.noMDNS)
    logLevel = arguments.text(.log).flatMap(LogLevel.init) ?? .info
    logFormat = arguments.text(.logFormat).flatMap(LogFormat.init)
    eventFile = arguments.text(.events)
  }
}

/// An audio server with a JACK library of its own.
public enum AudioBackend: String, CaseIterable, Sendable {
  case jack, pipewire
}

/// The configuration to read.
public enum ConfigurationChoice: Equatable, Sendable {
  /// The first that exists in the usual folders, or none.
  case usual
  /// This file, which must exist.
  case file(String)
  case none

  init(_ text: String?) {
    switch text {
    case nil: self = .usual
    case "none": self = .none
    case .some(let path): self = .file(path)
    }
  }
}
