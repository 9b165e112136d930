/// The channels of an output that a stream is sent to. Channels are counted from 1.
public enum ChannelSelection: Equatable, Sendable {
  /// The first n channels of the output for a stream of n channels; a mono stream goes to the first two.
  case `default`
  case range(ClosedRange<Int>)
  case map([ChannelPair])

  /// One crosspoint of a map, `1:3`.
  public struct ChannelPair: Equatable, Hashable, Sendable {
    public var stream: Int
    public var port: Int
    public init(stream: Int, port: Int) { (self.stream, self.port) = (stream, port) }
    /// `1:3`
    public var text: String { "\(stream):\(port)" }
  }

  /// One crosspoint, with the factor that keeps the level when two channels are summed into one.
  public struct Crosspoint: Equatable, Sendable {
    public var stream: Int
    public var port: Int
    public var scale: Float
  }

  /// The crosspoints for a stream of `width` channels at a port of `channels` channels.
  ///
  /// Stereo is summed into mono with the factor 1/sqrt(2). A mono stream goes to every channel of its range (docs/develop/law/multi-route.md#4-channels).
  /// - Throws: `SessionError` -50 if the widths do not fit; its sentence names widths that fit.
  public func crosspoints(width: Int, channels: Int, at port: PortID) throws(SessionError) -> [Crosspoint] {
    switch self {
    case .default:
      if width == 2, channels == 1 {
        return [1, 2].map { Crosspoint(stream: $0, port: 1, scale: Float(0.5).squareRoot()) }
      }
      guard width <= channels else {
        throw SessionError(
          .badParam,
          "the stream has \(width.channelsText) but \(port) has \(channels); give a map such as 1:1")
      }
      if width == 1 {
        return (1...min(2, channels)).map { Crosspoint(stream: 1, port: $0, scale: 1) }
      }
      return (1...width).map { Crosspoint(stream: $0, port: $0, scale: 1) }
    case .range(let range):
      guard range.upperBound <= channels else {
        throw SessionError(
          .badParam, "\(port) has \(channels.channelsText), so there is no channel \(range.upperBound)")
      }
      if width == 1 { return range.map { Crosspoint(stream: 1, port: $0, scale: 1) } }
      guard range.count == width else {
        throw SessionError(
          .badParam,
          "the stream has \(width.channelsText), so its range must have \(width) too, not \(range.count)")
      }
      return zip(1...width, range).map { Crosspoint(stream: $0, port: $1, scale: 1) }
    case .map(let pairs):
      for pair in pairs {
        guard pair.stream <= width else {
          throw SessionError(
            .badParam, "the stream has \(width.channelsText), so there is no channel \(pair.stream)")
        }
        guard pair.port <= channels else {
          throw SessionError(
            .badParam, "\(port) has \(channels.channelsText), so there is no channel \(pair.port)")
        }
      }
      return pairs.map { Crosspoint(stream: $0.stream, port: $0.port, scale: 1) }
    }
  }

  /// The crosspoints at channels that a port of `channels` channels has. The sound for other channels is heard nowhere.
  public func presentCrosspoints(width: Int, channels: Int, at port: PortID) -> [Crosspoint] {
    allCrosspoints(width: width, channels: channels, at: port).filter { $0.port <= channels }
  }

  /// Whether a port of `channels` channels has the channel of any crosspoint.
  public func hasPresentCrosspoint(width: Int, channels: Int, at port: PortID) -> Bool {
    // The default begins with the first channel.
    self == .default ? channels > 0 : !presentCrosspoints(width: width, channels: channels, at: port).isEmpty
  }

  /// The channels that the selection names and that a port of `channels` channels does not have, in ascending order.
  public func missingChannels(width: Int, channels: Int, at port: PortID) -> [Int] {
    if self == .default, width <= channels || width == 2 && channels == 1 { return [] }
    return Set(allCrosspoints(width: width, channels: channels, at: port).map(\.port)).filter {
      $0 > channels
    }
    .sorted()
  }

  /// The crosspoints at a port, or, if it has too few channels, those at a port that has enough.
  private func allCrosspoints(width: Int, channels: Int, at port: PortID) -> [Crosspoint] {
    (try? crosspoints(width: width, channels: channels, at: port))
      ?? (try? crosspoints(width: width, channels: Self.highestChannel, at: port)) ?? []
  }

  /// The highest channel that a text can name.
  private static let highestChannel = 1_024

  /// Reads pairs such as `1:3,2:4`, stream channel first, as the address `.../map` gets them; nil if the text is not a map.
  public init?(map text: String, separator: Character = ",") {
    var pairs: [ChannelPair] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      let ends = part.split(separator: ":", omittingEmptySubsequences: false)
      guard ends.count == 2, let stream = Self.channel(ends[0]), let port = Self.channel(ends[1]) else {
        return nil
      }
      let pair = ChannelPair(stream: stream, port: port)
      guard !pairs.contains(pair) else { return nil }
      pairs.append(pair)
    }
    guard !pairs.isEmpty else { return nil }
    self = .map(pairs)
  }

  /// Reads `3` or `1-2`; nil for any other text. Channels are 1 to 1024.
  public static func range(_ text: Substring) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = ends.first.flatMap(Self.channel), ends.count <= 2 else { return nil }
    guard ends.count == 2 else { return first...first }
    guard let last = Self.channel(ends[1]), last >= first else { return nil }
    return first...last
  }

  private static func channel(_ text: Substring) -> Int? {
    guard let number = Int(text), (1...highestChannel).contains(number), text.first != "+" else { return nil }
    return number
  }

  /// The selection as the text of a map for a stream of `width` channels, such as `1:3,2:4`; `default` for the default selection.
  public func mapText(width: Int) -> String {
    switch self {
    case .default: "default"
    case .range(let range):
      zip(1..., range).map { "\(width == 1 ? 1 : $0):\($1)" }.joined(separator: ",")
    case .map(let pairs): pairs.map(\.text).joined(separator: ",")
    }
  }

  /// The text after a port's id in a route: nothing, `:1-2` or `:1:3+2:4`.
  public var suffix: String {
    switch self {
    case .default: ""
    case .range(let range):
      range.count == 1 ? ":\(range.lowerBound)" : ":\(range.lowerBound)-\(range.upperBound)"
    case .map(let pairs): ":" + pairs.map(\.text).joined(separator: "+")
    }
  }
}
