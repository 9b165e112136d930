public import Presets

/// The folders of configuration, presets and state: first the user's (XDG), then the machine's, then the shipped ones.
///
/// Source: XDG Base Directory Specification 0.8; a variable without an absolute path counts as not set.
public struct Folders: Equatable, Sendable {
  /// Paths of configuration files in the order of the search.
  public var configurations: [String]
  /// Preset folders in the order of the search; new presets go to the first.
  public var presets: [String]
  /// Media folders in the order of the search; the first is the user's own.
  public var media: [String]
  /// The user's own media folder, which the program makes when something is to be written there; nil if other folders are set.
  public var ownMedia: String? { media.first == standardMedia ? standardMedia : nil }
  private let standardMedia: String
  /// The folder of recordings: in the user's media folder, so that players find them.
  public var recordings: String { "\(media[0])/recordings" }
  /// The folder of kept state.
  public var state: String
  /// The folder of what can be made again.
  public var cache: String
  /// The folders in which routers open their Unix sockets.
  public var sockets: SocketFolders
  /// The folder of shipped presets and media; nil if there is none.
  public var share: String?

  /// The folder of the shipped sounds; nil if there is none.
  public var shippedMedia: String? { share.map { "\($0)/presets/media" } }

  /// Finds the paths of all folders, but creates no folder.
  public init(_ environment: Environment) {
    let home = environment["HOME"] ?? "/"
    func base(_ variable: String, _ usual: String) -> String {
      let path = environment[variable] ?? ""
      return (path.hasPrefix("/") ? path : "\(home)/\(usual)") + "/multiroute"
    }
    let configuration = base("XDG_CONFIG_HOME", ".config")
    share = Self.share(environment)
    let roots = [configuration, "/etc/multiroute"]
    configurations = (roots + (share.map { [$0] } ?? [])).map { "\($0)/config.json" }
    presets = (roots + (share.map { [$0] } ?? [])).map { "\($0)/presets" }
    standardMedia = base("XDG_DATA_HOME", ".local/share") + "/media"
    media = [standardMedia]
    state = base("XDG_STATE_HOME", ".local/state")
    cache = base("XDG_CACHE_HOME", ".cache")
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    sockets = SocketFolders(own: runtime.map { "\($0)/multiroute" })
    if let shippedMedia { media.append(shippedMedia) }
  }

  /// The library of all preset folders.
  public var library: PresetLibrary { PresetLibrary(folders: presets) }

  /// The same for a program that recalls presets: what has been read once and not changed is not read again.
  public func rememberingLibrary() -> PresetLibrary { PresetLibrary(folders: presets, isRemembering: true) }

  /// `MULTIROUTE_SHARE`, or `../share/multiroute` beside the folder of the program.
  private static func share(_ environment: Environment) -> String? {
    if let folder = environment["MULTIROUTE_SHARE"], !folder.isEmpty { return folder }
    let parts = environment.executable.split(separator: "/").dropLast(2)
    guard environment.executable.hasPrefix("/") else { return nil }
    let folder = "/" + (parts + ["share", "multiroute"]).joined(separator: "/")
    return Files.isFolder(folder) ? folder : nil
  }
}
