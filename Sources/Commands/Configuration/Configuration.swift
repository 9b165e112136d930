public import Surface

/// Where the router lives: what `config.json` says; nil and empty where it says nothing.
public struct Configuration: Sendable {
  /// The JACK server's name.
  public var server: String?
  /// What the router is called there.
  public var clientName: String?
  /// Where OSC is received.
  public var osc: [Endpoint] = []
  /// Rights of hosts other than this one, and passcodes that raise them.
  public var admission = Admission()
  public var presetFolder: String?
  public var mediaFolder: String?
  public var stateFolder: String?
  /// Where the programs of bridges are, beside the folders of PATH.
  public var bridgeFolders: [String] = []
  /// Whether a crash is followed by a start from the kept state.
  public var restoresAfterCrash = true
  /// Ids of presets in the order of the show.
  public var scenes: [String] = []

  public init() {}
}
