import SessionModel

/// What a preset says, each part with the place where it is written.
struct PresetDocument: Sendable {
  var title: String?
  var extends: Placed<PresetID>?
  /// Seconds.
  var fade: Double?
  /// Plain settings of the router itself.
  var leaves: [Leaf] = []
  var ducking: [Leaf] = []
  var interruptions: [Leaf] = []
  var ports = Registry<PortID, PortEntry>()
  var sessions = Registry<SessionID, SessionEntry>()
}

/// What a preset says of a device.
struct PortEntry: Sendable {
  var place: Place
  var type: Placed<PortType>?
  /// The JACK ports that are its channels, by direction.
  var globs: [Direction: [Placed<PortGlob>]] = [:]
  /// The node that they belong to.
  var node: Placed<PortGlob>?
  /// Data sources of its input, by id.
  var sources = Registry<SourceID, [Placed<PortGlob>]>()
  var channels: Placed<Int>?
  /// The program that makes its JACK ports.
  var bridge: Placed<BridgeEntry>?
  var leaves: [Leaf] = []
  /// Something in it could not be read, so what is missing is no further problem.
  var isDamaged = false

  /// The directions it has, outputs first; both when nothing is known.
  var directions: [Direction] {
    if let bridge { return [bridge.value.tool.direction] }
    let named = [Direction.output, .input].filter { globs[$0] != nil || ($0 == .input && !sources.isEmpty) }
    return named.isEmpty ? [.output, .input] : named
  }

  /// The direction that its levels and its number of channels are about.
  var leading: Direction { directions[0] }
}

/// What a preset says of the program that makes a port.
struct BridgeEntry: Equatable, Sendable {
  var tool: Bridge.Tool
  var far: Bridge.Far
}

/// Names a data source within its port.
typealias SourceID = Identifier<Port.DataSource>

/// What a preset says of a session.
struct SessionEntry: Sendable {
  var place: Place
  var category: Placed<Category>?
  var mode: Placed<Mode>?
  var options: Placed<SessionOptions>?
  var leaves: [Leaf] = []
  var streams = Registry<StreamID, StreamEntry>()
  var capture: CaptureEntry?
  var isActive: Placed<Bool>?
  /// As a ducker.
  var ducking: [Leaf] = []
  var io: [Leaf] = []
  var isDamaged = false
}

/// What a preset says of a stream.
struct StreamEntry: Sendable {
  var place: Place
  var channels: Placed<Int>?
  var leaves: [Leaf] = []
  var destinations = Registry<PortID, DestinationEntry>()
}

/// What a preset says of one place where a stream goes.
struct DestinationEntry: Sendable {
  var place: Place
  /// Which channels its key names; the key `map` may say it instead.
  var channels: ChannelSelection
  var leaves: [Leaf] = []
}

/// What a preset says of a session's capture.
struct CaptureEntry: Sendable {
  var place: Place
  var leaves: [Leaf] = []
  /// By key: a session's id, an input's, or `input:` and an input's.
  var mix = Registry<String, MixEntry>()
}

/// One contribution to a capture.
struct MixEntry: Sendable {
  var place: Place
  var leaves: [Leaf] = []
}

// MARK: Extending

/// A part of a document that another document may say anew.
protocol Extensible {
  /// Takes what `other` says instead or besides.
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
    title = other.title ?? title
    fade = other.fade ?? fade
    leaves.extend(by: other.leaves)
    ducking.extend(by: other.ducking)
    interruptions.extend(by: other.interruptions)
    ports.extend(by: other.ports)
    sessions.extend(by: other.sessions)
  }
}

extension PortEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    type = other.type ?? type
    globs.merge(other.globs) { $1 }
    node = other.node ?? node
    for (id, globs) in other.sources { sources[id] = globs }
    channels = other.channels ?? channels
    bridge = other.bridge ?? bridge
    leaves.extend(by: other.leaves)
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
    if capture == nil {
      capture = other.capture
    } else if let other = other.capture {
      capture?.extend(by: other)
    }
    isActive = other.isActive ?? isActive
    ducking.extend(by: other.ducking)
    io.extend(by: other.io)
    isDamaged = isDamaged || other.isDamaged
  }
}

extension StreamEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    channels = other.channels ?? channels
    leaves.extend(by: other.leaves)
    destinations.extend(by: other.destinations)
  }
}

extension DestinationEntry: Extensible {
  mutating func extend(by other: Self) {
    // A key always says the channels, as a stream's route does over OSC.
    leaves.removeAll { $0.key == "map" }
    (place, channels) = (other.place, other.channels)
    leaves.extend(by: other.leaves)
  }
}

extension CaptureEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    leaves.extend(by: other.leaves)
    mix.extend(by: other.mix)
  }
}

extension MixEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    leaves.extend(by: other.leaves)
  }
}
