public import Presets

/// Where things are: the user's folders after XDG, then the machine's, then what ships.
///
/// Source: XDG Base Directory Specification 0.8; a variable that holds no absolute path counts as not set.
public struct Folders: Equatable, Sendable {
  /// Where the configuration is looked for, in order.
  public var configurations: [String]
  /// Where presets are looked for, in order; new ones go to the first.
  public var presets: [String]
  /// Where sound files are looked for, in order.
  public var media: [String]
  /// Where state is kept.
  public var state: String
  /// Presets and media that ship; nil when they are nowhere to be found.
  public var share: String?

  /// Works the folders out; nothing is made.
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
    media = [base("XDG_DATA_HOME", ".local/share") + "/media"] + (share.map { ["\($0)/presets/media"] } ?? [])
    state = base("XDG_STATE_HOME", ".local/state")
  }

  /// The presets of all folders.
  public var library: PresetLibrary { PresetLibrary(folders: presets) }

  /// `MULTIROUTE_SHARE`, or `../share/multiroute` beside the folder of the program.
  private static func share(_ environment: Environment) -> String? {
    if let folder = environment["MULTIROUTE_SHARE"], !folder.isEmpty { return folder }
    let parts = environment.executable.split(separator: "/").dropLast(2)
    guard environment.executable.hasPrefix("/") else { return nil }
    let folder = "/" + (parts + ["share", "multiroute"]).joined(separator: "/")
    return Files.isFolder(folder) ? folder : nil
  }
}
