public import Surface

/// What `run` does it with: its flags, then the configuration, then what is usual.
public struct RunSettings: Sendable {
  /// The JACK server's name; nil for JACK's own default.
  public var server: String?
  public var clientName: String
  /// Where OSC is received; at least one.
  public var osc: [Endpoint]
  public var admission: Admission
  /// The user's own folder first, with what the flags and the configuration say.
  public var folders: Folders
  /// Searched for the programs of bridges before the folders of PATH.
  public var bridgeFolders: [String]
  public var restoresAfterCrash: Bool
  /// Ids of presets in the order of the show.
  public var scenes: [String]

  /// Reads the configuration.
  /// - Throws: `CommandFailure` badPreset or unreadableFile.
  public init(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    server = options.server ?? configuration.server
    clientName = options.clientName ?? configuration.clientName ?? "multiroute"
    osc = !options.osc.isEmpty ? options.osc : !configuration.osc.isEmpty ? configuration.osc : [.standard]
    admission = configuration.admission
    folders = context.folders
    folders.replaceOwn(
      presets: options.presetFolder ?? configuration.presetFolder,
      media: options.mediaFolder ?? configuration.mediaFolder,
      state: options.stateFolder ?? configuration.stateFolder)
    bridgeFolders =
      options.bridgePath.map { $0.split(separator: ":").map(String.init) } ?? configuration.bridgeFolders
    restoresAfterCrash = configuration.restoresAfterCrash
    scenes = configuration.scenes
  }
}

extension Folders {
  /// Puts other folders in the place of the user's own.
  mutating func replaceOwn(presets: String? = nil, media: String? = nil, state: String? = nil) {
    if let presets { self.presets[0] = presets }
    if let media { self.media[0] = media }
    if let state { self.state = state }
  }

  /// The folders for the commands that only read presets.
  /// - Throws: `CommandFailure` badPreset or unreadableFile, about the configuration.
  public init(_ options: LibraryOptions, _ context: Context) throws(CommandFailure) {
    let configuration = try Configuration.find(options.configuration, context)
    self = context.folders
    replaceOwn(presets: options.presetFolder ?? configuration.presetFolder)
  }
}
