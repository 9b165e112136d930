/// One of the separate sounds of a session, with its own ports, level and destinations.
public struct SessionStream: Equatable, Sendable {
  public let id: StreamID
  /// Number of channels, 1 to 64.
  public let channels: Int
  /// JACK ports or inputs that feed it.
  public var sources: [StreamSource] = []
  /// dB.
  public var gain = Control(0)
  public var isMuted = false
  /// Balance -1...1 for 1 and 2 channels; 0 changes nothing.
  public var pan = Control(0)
  /// Its sources are disconnected from anything but us.
  public var isExclusive = false
  /// Never ducked.
  public var isDuckExempt = false
  /// JACK ports of others that its sources are connected to; known by the world.
  public var directSinks: [String] = []
  /// Where it goes, at most once per output.
  public var destinations = Registry<PortID, Destination>()
  /// Nobody has said where it goes: in a multiRoute session it is on the first channels of the first output.
  public var isPlacedByDefault = false
  /// Guard: outputs it never reaches, whoever asks.
  public var never: [PortID] = []

  public init(id: StreamID, channels: Int) { (self.id, self.channels) = (id, channels) }

  /// Most channels a stream may have.
  public static let maximumChannels = 64
}

/// What feeds a stream.
public enum StreamSource: Equatable, Sendable {
  case ports(PortGlob)
  /// `input:mic` or `input:mic:1-2`.
  case input(PortID, channels: ClosedRange<Int>?)

  /// As written.
  public var text: String {
    switch self {
    case .ports(let glob): glob.text
    case .input(let port, nil): "input:\(port)"
    case .input(let port, let range?):
      range.count == 1
        ? "input:\(port):\(range.lowerBound)" : "input:\(port):\(range.lowerBound)-\(range.upperBound)"
    }
  }

  /// Reads `input:<id>`, `input:<id>:1-2` or a glob; nil if it starts with `input:` and is neither.
  public init?(_ text: String) {
    guard text.hasPrefix("input:") else {
      guard let glob = PortGlob(text) else { return nil }
      self = .ports(glob)
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let port = PortID(parts[1]) else { return nil }
    guard parts.count == 3 else {
      self = .input(port, channels: nil)
      return
    }
    guard let range = ChannelSelection.range(parts[2]) else { return nil }
    self = .input(port, channels: range)
  }
}

/// Where one stream goes at one output.
public struct Destination: Equatable, Sendable {
  public var isOn: Bool
  /// dB.
  public var gain: Control
  public var channels: ChannelSelection
  public var tap: Tap

  public init(
    isOn: Bool = true, gain: Double = 0, channels: ChannelSelection = .default, tap: Tap = .post
  ) {
    (self.isOn, self.gain, self.channels, self.tap) = (isOn, Control(gain), channels, tap)
  }
}

/// Where on its way a stream is tapped for a destination.
public enum Tap: String, CaseIterable, Sendable {
  /// After stream and session gain and mutes.
  case post
  /// Before stream and session gain, after mutes.
  case pre
  /// Before mutes too: foldback and cue sends.
  case input
}
