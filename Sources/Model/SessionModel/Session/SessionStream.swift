/// One of the separate sounds of a session, with sources, level and destinations of its own.
public struct SessionStream: Equatable, Sendable {
  public let id: StreamID
  /// Number of channels, 1 to 64.
  public let channels: Int
  /// The colour on surfaces; nil for none.
  public var color: Color?
  /// The JACK ports or inputs that feed the stream.
  public var sources: [StreamSource] = []
  /// dB.
  public var gain = Control(0)
  public var isMuted = false
  /// Balance from -1 (left) to 1 (right) of a stream with 1 or 2 channels; 0 changes nothing.
  public var pan = Control(0)
  /// The channels whose polarity is inverted, in order.
  public var inverted: [ChannelNumber] = []
  /// Width of a stereo stream: 0 is mono, 1 changes nothing, 2 is twice as wide.
  public var width = Control(1)
  /// Whether the router disconnects the stream's sources from all ports but its own.
  public var isExclusive = false
  /// Whether the stream may take the monitor of an output that it goes to, which is a loop.
  public var allowsLoop = false
  /// The outputs that the stream goes to and whose monitors it would take. The router does not connect these monitors.
  public var loops: [PortID] = []
  /// Whether no ducker ducks this stream.
  public var isDuckExempt = false
  /// Why nothing comes from the stream's programs; nil if something does, or if the session has no other stream.
  public var silence: StreamSilence?
  /// JACK ports of other programs that the stream's sources are connected to, past the router.
  public var directSinks: [String] = []
  /// The channels that no program feeds, and the ports of its programs that no channel takes.
  public var gaps = ChannelGaps()
  /// The programs that feed the stream, with their volumes in the desktop's mixer; empty at a server without such a mixer.
  public var programVolumes: [ProgramVolume] = []
  /// The outputs that the stream is sent to, each at most once.
  public var destinations = Registry<PortID, Destination>()
  /// Whether the stream has no destination of its own. In a multiRoute session it is then sent to the first channels of the first
  /// output.
  public var isPlacedByDefault = false
  /// The stream's guard: outputs that it is never sent to, whatever a command, a recall or a rule asks.
  public var never: [PortID] = []
  /// Its effects.
  public var insert = Insert()
  /// Outputs that share a JACK port with one in `never`, under another name. The law keeps this list; the guard forbids them, too.
  public var neverByPorts: [PortID] = []

  /// Whether the guard forbids an output.
  public func isGuarded(against output: PortID) -> Bool {
    never.contains(output) || neverByPorts.contains(output)
  }

  public init(id: StreamID, channels: Int) { (self.id, self.channels) = (id, channels) }

  /// The channels of its further ports, into which surround is folded down; empty if it has none.
  public var furtherChannels: Range<Int> {
    gaps.isFolded && channels == FoldDown.width ? Range(FoldDown.furtherChannels) : 0..<0
  }

  /// The channels of its JACK ports.
  public var ownChannels: [Int] { Array(1...channels) + furtherChannels }

  /// Greatest number of channels of a stream.
  public static let maximumChannels = 64
}

/// A source of a stream: JACK ports, or an input of the router.
public enum StreamSource: Equatable, Sendable {
  case ports(ProgramPorts)
  /// An input, or some of its channels: `input:mic` or `input:mic:1-2`.
  case input(PortID, channels: ClosedRange<Int>?)

  /// The source as presets and addresses write it.
  public var text: String {
    switch self {
    case .ports(let ports): ports.text
    case .input(let port, nil): "input:\(port)"
    case .input(let port, let range?):
      range.count == 1
        ? "input:\(port):\(range.lowerBound)" : "input:\(port):\(range.lowerBound)-\(range.upperBound)"
    }
  }

  /// Reads `input:<id>`, `input:<id>:1-2` or an entry of ports; nil if the text is none of these.
  public init?(_ text: String) {
    guard text.hasPrefix("input:") else {
      guard let ports = ProgramPorts(text) else { return nil }
      self = .ports(ports)
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

/// A send: how one stream is sent to one output.
public struct Destination: Equatable, Sendable {
  public var isOn: Bool
  /// dB.
  public var gain: Control
  /// The balance between two channels of the output, from -1 (left) to 1 (right); the stream's own comes before it.
  public var pan = Control(0)
  public var channels: ChannelSelection
  public var tap: Tap

  public init(
    isOn: Bool = true, gain: Double = 0, channels: ChannelSelection = .default, tap: Tap = .post
  ) {
    (self.isOn, self.gain, self.channels, self.tap) = (isOn, Control(gain), channels, tap)
  }
}

/// The point in a stream's signal path at which a send takes its sound.
public enum Tap: String, CaseIterable, Sendable {
  /// After the gains and mutes of stream and session.
  case post
  /// After the mutes, before the gains of stream and session.
  case pre
  /// Before mutes and gains, for foldback and cue sends.
  case input
}
