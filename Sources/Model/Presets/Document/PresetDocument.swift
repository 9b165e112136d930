import Parameters
import SessionModel

/// The content of a preset, each part with its place.
struct PresetDocument: Sendable {
  var title: String?
  var extends: Placed<PresetID>?
  /// Whether the document has the content of another one that it extends.
  var extendsOther = false
  /// What the document does with settings that it does not name.
  var others: Placed<Others>?
  /// The fade of a recall, in seconds.
  var fade: Double?
  /// The parts of the settings that a recall may change.
  var scope: Set<Scope>?
  /// Patterns of addresses that a recall does not touch.
  var safes: [String] = []
  /// The router's own settings.
  var leaves: [Leaf] = []
  var ducking: [Leaf] = []
  var interruptions: [Leaf] = []
  var ports = Registry<PortID, PortEntry>()
  var sessions = Registry<SessionID, SessionEntry>()
  var players = Registry<PlayerID, PlayerEntry>()
  var recorders = Registry<RecorderID, RecorderEntry>()
  var groups = Registry<GroupID, GroupEntry>()
  /// The chains of effects that have names.
  var chains = Registry<Identifier<NamedChain>, [Placed<String>]>()
  /// Settings without a preset key.
  var settings: [SettingEntry] = []
  /// The part that a router adds to the state that it keeps.
  var kept: KeptEntry?
}

/// What a preset does with the settings of the preset before it, and with sessions that it does not name.
enum Others: String, CaseIterable {
  /// The preset only adds.
  case keep
  /// The preset also removes sessions that were made over OSC.
  case remove
}

/// The entry of a device.
struct PortEntry: Sendable {
  var place: Place
  var type: Placed<PortType>?
  /// The JACK ports of its channels, by direction.
  var globs: [Direction: [Placed<PortGlob>]] = [:]
  /// The node that its ports belong to.
  var node: Placed<PortGlob>?
  /// The data sources of its input, by id.
  var sources = Registry<SourceID, SourceEntry>()
  var channels: Placed<Int>?
  /// The program that makes its JACK ports.
  var bridge: Placed<BridgeEntry>?
  var leaves: [Leaf] = []
  /// Its settings as a monitor output.
  var solo: [Leaf] = []
  /// Whether a part could not be read. Then a missing part is not reported as a further problem.
  var isDamaged = false

  /// The directions of the device, outputs first; both if none is known.
  var directions: [Direction] {
    if let bridge { return [bridge.value.tool.direction] }
    let named = [Direction.output, .input].filter { globs[$0] != nil || ($0 == .input && !sources.isEmpty) }
    return named.isEmpty ? [.output, .input] : named
  }

  /// The direction that its levels and channels belong to.
  var leading: Direction { directions[0] }
}

/// The entry of a data source: its JACK ports, and the modes that choose it.
struct SourceEntry: Sendable {
  var globs: [Placed<PortGlob>] = []
  var modes: [Placed<Mode>] = []
}

/// The entry of the program that makes a port.
struct BridgeEntry: Equatable, Sendable {
  var tool: Bridge.Tool
  var far: Bridge.Far
}

/// The id of a data source in its port.
typealias SourceID = Identifier<Port.DataSource>

/// The entry of a session.
struct SessionEntry: Sendable {
  var place: Place
  var category: Placed<Category>?
  var mode: Placed<Mode>?
  var options: Placed<SessionOptions>?
  var leaves: [Leaf] = []
  var streams = Registry<StreamID, StreamEntry>()
  /// Whether the document has the key `streams`, so that the session has no other streams.
  var namesStreams = false
  var capture: CaptureEntry?
  var isActive: Placed<Bool>?
  /// Its settings as a ducker.
  var ducking: [Leaf] = []
  var io: [Leaf] = []
  var voice: [Leaf] = []
  /// Its settings as a talkback.
  var talkback: [Leaf] = []
  var isDamaged = false
}

/// The entry of a stream.
struct StreamEntry: Sendable {
  var place: Place
  var channels: Placed<Int>?
  var leaves: [Leaf] = []
  var destinations = Registry<PortID, DestinationEntry>()
  /// Whether the document has the key `to`, so that the stream has no other destinations.
  var namesRoute = false
  /// Whether its destinations have defaults for the keys that they do not name; otherwise these keys are left as they are.
  var areDestinationsWhole = false
  /// Whether the law places the stream, since its route was never set. Only kept states contain this.
  var isPlacedByDefault = false

  /// The number of channels.
  var width: Int { channels?.value ?? SessionDefaults.streamChannels }
}

/// The entry of a session's capture.
struct CaptureEntry: Sendable {
  var place: Place
  var leaves: [Leaf] = []
  /// By key: the id of a session or of an input, or `input:` and the id of an input.
  var mix = Registry<String, MixEntry>()
  /// Whether the entry has the key `mix`, which then names all that the capture contains.
  var namesMix = false

  /// The number of channels.
  var width: Int {
    guard case .integer(let channels)? = leaves["channels"]?.value else {
      return SessionDefaults.captureChannels
    }
    return channels
  }
}

/// One part of a capture's content.
struct MixEntry: Sendable {
  var place: Place
  var leaves: [Leaf] = []
}

// MARK: Extending

/// A part of a document that an extending document may replace or add to.
protocol Extensible {
  /// Adds the content of `other`, which replaces content of the same keys.
  mutating func extend(by other: Self)
}

extension Registry where Value: Extensible {
  mutating func extend(by other: Self) {
    for (key, entry) in other {
      if self[key] == nil { self[key] = entry } else { self[key]?.extend(by: entry) }
    }
  }
}

extension PresetDocument: Extensible {
  mutating func extend(by other: Self) {
    extendsOther = true
    title = other.title ?? title
    others = other.others ?? others
    fade = other.fade ?? fade
    scope = other.scope ?? scope
    safes += other.safes
    leaves.extend(by: other.leaves)
    ducking.extend(by: other.ducking)
    interruptions.extend(by: other.interruptions)
    ports.extend(by: other.ports)
    sessions.extend(by: other.sessions)
    players.extend(by: other.players)
    recorders.extend(by: other.recorders)
    groups.extend(by: other.groups)
    for (id, chain) in other.chains { chains[id] = chain }
    settings = settings.filter { setting in !other.settings.contains { $0.isSame(as: setting) } }
    settings += other.settings
    kept = other.kept ?? kept
  }
}

extension PortEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    type = other.type ?? type
    globs.merge(other.globs) { $1 }
    node = other.node ?? node
    for (id, source) in other.sources { sources[id] = source }
    channels = other.channels ?? channels
    bridge = other.bridge ?? bridge
    leaves.extend(by: other.leaves)
    solo.extend(by: other.solo)
    isDamaged = isDamaged || other.isDamaged
  }
}

extension SessionEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    category = other.category ?? category
    mode = other.mode ?? mode
    options = other.options ?? options
    leaves.extend(by: other.leaves)
    streams.extend(by: other.streams)
    namesStreams = namesStreams || other.namesStreams
    if capture == nil {
      capture = other.capture
    } else if let other = other.capture {
      capture?.extend(by: other)
    }
    isActive = other.isActive ?? isActive
    ducking.extend(by: other.ducking)
    io.extend(by: other.io)
    voice.extend(by: other.voice)
    talkback.extend(by: other.talkback)
    isDamaged = isDamaged || other.isDamaged
  }
}

extension StreamEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    channels = other.channels ?? channels
    leaves.extend(by: other.leaves)
    destinations.extend(by: other.destinations)
    namesRoute = namesRoute || other.namesRoute
  }
}

extension DestinationEntry: Extensible {
  mutating func extend(by other: Self) {
    // The key of a destination always contains the channels, as a stream's route over OSC does.
    var leaves = leaves.filter { $0.key != "map" }
    leaves.extend(by: other.leaves)
    self = DestinationEntry(place: other.place, channels: other.channels, leaves: leaves)
  }
}

extension CaptureEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    leaves.extend(by: other.leaves)
    mix.extend(by: other.mix)
    namesMix = namesMix || other.namesMix
  }
}

extension MixEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    leaves.extend(by: other.leaves)
  }
}
