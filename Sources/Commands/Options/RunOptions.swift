/// What `multiroute run` was asked for; nil and empty where the configuration or a default decides.
public struct RunOptions: Equatable, Sendable {
  /// An id or a path; nil for a router without sessions.
  public var preset: String?
  public var server: String?
  public var clientName: String?
  public var osc: [Endpoint]
  public var configuration: ConfigurationChoice
  public var presetFolder: String?
  public var mediaFolder: String?
  public var stateFolder: String?
  public var bridgePath: String?
  /// Start a dummy server if none answers.
  public var startsServer: Bool
  /// Wait for a server for ever.
  public var waitsForServer: Bool
  /// Sessions may change the period of the whole server.
  public var allowsPeriodChange: Bool
  /// Ignore kept state.
  public var isFresh: Bool
  public var logLevel: LogLevel
  /// Where events are appended as lines of JSON.
  public var eventFile: String?

  init(_ arguments: ParsedArguments) {
    preset = arguments.positionals.first
    server = arguments.text(.server)
    clientName = arguments.text(.clientName)
    osc = arguments.all(.osc).compactMap { Endpoint($0) }
    configuration = ConfigurationChoice(arguments.text(.config))
    presetFolder = arguments.text(.presets)
    mediaFolder = arguments.text(.media)
    stateFolder = arguments.text(.state)
    bridgePath = arguments.text(.bridgePath)
    startsServer = arguments.has(.startServer)
    waitsForServer = arguments.has(.wait)
    allowsPeriodChange = arguments.has(.allowPeriodChange)
    isFresh = arguments.has(.fresh)
    logLevel = arguments.text(.log).flatMap(LogLevel.init) ?? .info
    eventFile = arguments.text(.events)
  }
}

/// Which configuration to read.
public enum ConfigurationChoice: Equatable, Sendable {
  /// The first there is in the usual places, or none.
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
