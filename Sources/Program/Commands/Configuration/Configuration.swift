public import ControlInterface
public import OSC
public import SessionModel

/// The settings of `config.json`: server, addresses, folders and permissions. A setting that the file does not contain is nil or empty.
public struct Configuration: Sendable {
  /// The file with these settings; if there is none yet, the file in which the user would write them. Nil for `--config none`.
  public var file: String?
  /// The JACK server's name.
  public var server: String?
  /// The router's client name at the JACK server.
  public var clientName: String?
  /// The endpoints at which the router receives OSC.
  public var osc: [Endpoint] = []
  /// Where HTTP and WebSocket are served.
  public var http: WebPlace?
  /// Where the page of metrics alone is served.
  public var metrics: WebPlace?
  /// Permissions of other hosts, and passcodes that raise them.
  public var admission = Admission()
  public var presetFolder: String?
  public var mediaFolder: String?
  /// The presets in the order of the show; empty for the order of their ids.
  public var scenes: [PresetID] = []
  public var stateFolder: String?
  /// Folders that are searched for bridge programs before those of PATH.
  public var bridgeFolders: [String] = []
  /// Whether a start after a crash restores the kept state.
  public var restoresAfterCrash = true
  /// Whether the router is a media player of the desktop (MPRIS).
  public var joinsDesktop = true
  /// Whether a router that is open to the network is announced there (mDNS).
  public var isAnnounced = true

  public init() {}
}
