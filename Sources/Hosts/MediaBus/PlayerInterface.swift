/// What MPRIS demands of a player (version 2.2): the methods and properties of its two interfaces, and the description that programs read.
enum PlayerInterface: String, CaseIterable {
  case root = "org.mpris.MediaPlayer2"
  case player = "org.mpris.MediaPlayer2.Player"
  case properties = "org.freedesktop.DBus.Properties"
  case introspectable = "org.freedesktop.DBus.Introspectable"

  /// The object that has them.
  static let path = "/org/mpris/MediaPlayer2"
  /// All names of media players begin like this.
  static let namePrefix = "org.mpris.MediaPlayer2."

  struct Argument {
    var name: String
    var type: String
    var isResult = false
  }

  struct Property {
    var name: String
    var type: String
    var isWritable = false
    /// Whether `PropertiesChanged` tells its changes.
    var isAnnounced = true
  }

  /// The arguments of each method.
  var methods: KeyValuePairs<String, [Argument]> {
    switch self {
    case .root: ["Raise": [], "Quit": []]
    case .player:
      [
        "Next": [], "Previous": [], "Pause": [], "PlayPause": [], "Stop": [], "Play": [],
        "Seek": [.init(name: "Offset", type: "x")],
        "SetPosition": [.init(name: "TrackId", type: "o"), .init(name: "Position", type: "x")],
        "OpenUri": [.init(name: "Uri", type: "s")],
      ]
    case .properties:
      [
        "Get": [
          .init(name: "interface", type: "s"), .init(name: "name", type: "s"),
          .init(name: "value", type: "v", isResult: true),
        ],
        "GetAll": [
          .init(name: "interface", type: "s"), .init(name: "values", type: "a{sv}", isResult: true),
        ],
        "Set": [
          .init(name: "interface", type: "s"), .init(name: "name", type: "s"),
          .init(name: "value", type: "v"),
        ],
      ]
    case .introspectable: ["Introspect": [.init(name: "xml", type: "s", isResult: true)]]
    }
  }

  var signals: KeyValuePairs<String, [Argument]> {
    switch self {
    case .player: ["Seeked": [.init(name: "Position", type: "x")]]
    case .properties:
      [
        "PropertiesChanged": [
          .init(name: "interface", type: "s"), .init(name: "changed", type: "a{sv}"),
          .init(name: "invalidated", type: "as"),
        ]
      ]
    case .root, .introspectable: [:]
    }
  }

  var properties: [Property] {
    switch self {
    case .root:
      [
        Property(name: "CanQuit", type: "b"), Property(name: "CanRaise", type: "b"),
        Property(name: "HasTrackList", type: "b"), Property(name: "Identity", type: "s"),
        Property(name: "SupportedUriSchemes", type: "as"), Property(name: "SupportedMimeTypes", type: "as"),
      ]
    case .player:
      [
        Property(name: "PlaybackStatus", type: "s"),
        Property(name: "LoopStatus", type: "s", isWritable: true),
        Property(name: "Rate", type: "d", isWritable: true),
        Property(name: "Shuffle", type: "b", isWritable: true),
        Property(name: "Metadata", type: "a{sv}"),
        Property(name: "Volume", type: "d", isWritable: true),
        Property(name: "Position", type: "x", isAnnounced: false),
        Property(name: "MinimumRate", type: "d"), Property(name: "MaximumRate", type: "d"),
        Property(name: "CanGoNext", type: "b"), Property(name: "CanGoPrevious", type: "b"),
        Property(name: "CanPlay", type: "b"), Property(name: "CanPause", type: "b"),
        Property(name: "CanSeek", type: "b"),
        Property(name: "CanControl", type: "b", isAnnounced: false),
      ]
    case .properties, .introspectable: []
    }
  }

  func property(_ name: String) -> Property? { properties.first { $0.name == name } }

  // MARK: The description

  /// What `Introspect` answers for a path; nil if nothing is there.
  static func description(of path: String) -> String? {
    if path == Self.path { return "<node>\(allCases.map(\.xml).joined())</node>" }
    let above = path == "/" ? path : path + "/"
    guard Self.path.hasPrefix(above) else { return nil }
    let next = Self.path.dropFirst(above.count).prefix { $0 != "/" }
    return "<node><node name=\"\(next)\"/></node>"
  }

  private var xml: String {
    func members(_ kind: String, _ list: KeyValuePairs<String, [Argument]>) -> String {
      list.map { name, arguments in
        let inner = arguments.map {
          let direction = kind == "signal" ? "" : " direction=\"\($0.isResult ? "out" : "in")\""
          return "<arg name=\"\($0.name)\" type=\"\($0.type)\"\(direction)/>"
        }
        return "<\(kind) name=\"\(name)\">\(inner.joined())</\(kind)>"
      }.joined()
    }
    let list = properties.map {
      let note = "org.freedesktop.DBus.Property.EmitsChangedSignal"
      return
        "<property name=\"\($0.name)\" type=\"\($0.type)\" access=\"read\($0.isWritable ? "write" : "")\">"
        + "<annotation name=\"\(note)\" value=\"\($0.isAnnounced)\"/></property>"
    }
    return "<interface name=\"\(rawValue)\">\(members("method", methods))\(members("signal", signals))"
      + "\(list.joined())</interface>"
  }
}
