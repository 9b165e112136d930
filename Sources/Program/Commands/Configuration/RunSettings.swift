public import ControlInterface
public import OSC
public import SessionModel

/// The settings of `run`: its flags, otherwise the configuration, otherwise the defaults.
public struct RunSettings: Sendable {
  /// The JACK server's name; nil for JACK's own default.
  public var server: String?
  public var clientName: String
  /// The endpoints at which the router receives OSC; at least one.
  public var osc: [Endpoint]
  /// The TCP port at which HTTP and WebSocket are served; nil for none.
  public var http: Endpoint?
  /// The TCP port at which the page of metrics alone is served; nil for none.
  public var metrics: Endpoint?
  public var admission: Admission
  /// The configuration file, also if there is none yet; nil for `--config none`.
  public var configurationFile: String?
  /// The folders of presets, media and state, as the flags and the configuration choose them.
  public var folders: Folders
  /// The presets in the order of the show; empty for the order of their ids.
  public var scenes: [PresetID]
  /// Folders that are searched for bridge programs before those of PATH.
  public var bridgeFolders: [String]
  public var restoresAfterCrash: Bool
  /// Whether the router is a media player of the desktop (MPRIS).
  public var joinsDesktop: Bool
  /// Whether a router that is open to the network is announced there (mDNS).
  public var isAnnounced: Bool

  /// Reads the configuration.
  /// - Throws: `CommandFailure` badPreset or unreadableFile.
  public init(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    server = options.server ?? configuration.server
    clientName = options.clientName ?? configuration.clientName ?? "multiroute"
    osc = !options.osc.isEmpty ? options.osc : !configuration.osc.isEmpty ? configuration.osc : [.standard]
    http = (options.http ?? configuration.http)?.endpoint
    metrics = (options.metrics ?? configuration.metrics)?.endpoint
    (admission, configurationFile) = (configuration.admission, configuration.file)
    folders = context.folders
    folders.replaceOwn(
      presets: options.presetFolder ?? configuration.presetFolder,
      media: options.mediaFolder ?? configuration.mediaFolder,
      state: options.stateFolder ?? configuration.stateFolder)
    bridgeFolders =
      options.bridgePath.map { $0.split(separator: ":").map(String.init) } ?? configuration.bridgeFolders
    scenes = configuration.scenes
    restoresAfterCrash = configuration.restoresAfterCrash
    joinsDesktop = configuration.joinsDesktop && !options.avoidsDesktop
    isAnnounced = configuration.isAnnounced && !options.avoidsAnnouncement
  }
}

extension Folders {
  /// Replaces the user's own folders.
  mutating func replaceOwn(presets: String? = nil, media: String? = nil, state: String? = nil) {
    if let presets { self.presets[0] = presets }
    if let media { self.media[0] = media }
    if let state { self.state = state }
  }

  /// The folders of commands that only read presets.
  /// - Throws: `CommandFailure` badPreset or unreadableFile, about the configuration.
  public init(_ options: LibraryOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    self = context.folders
    replaceOwn(presets: options.presetFolder ?? configuration.presetFolder)
  }

  /// The folders of a rendered show.
  /// - Throws: `CommandFailure` badPreset or unreadableFile, about the configuration.
  public init(_ options: RenderOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    self = context.folders
    replaceOwn(
      presets: options.presetFolder ?? configuration.presetFolder,
      media: options.mediaFolder ?? configuration.mediaFolder)
  }

  /// The folders of commands that use the music library.
  /// - Throws: `CommandFailure` badPreset or unreadableFile, about the configuration.
  public init(_ options: MusicOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    self = context.folders
    replaceOwn(
      media: options.mediaFolder ?? configuration.mediaFolder,
      state: options.stateFolder ?? configuration.stateFolder)
  }
}
