/// How a port is made of a card or a machine that the audio server does not see: by a program that is a client of the server.
public struct Bridge: Equatable, Sendable {
  /// Which way sound goes: `output` is away from us.
  public var direction: Direction
  public var channels: Int
  public var far: Far

  public init(_ direction: Direction, channels: Int, to far: Far) {
    (self.direction, self.channels, self.far) = (direction, channels, far)
  }

  /// What is at the other end.
  public enum Far: Equatable, Sendable {
    case card(Card)
    case network(Network)
  }

  /// A sound card of this machine, with a clock of its own.
  public struct Card: Equatable, Sendable {
    /// ALSA's name, such as `hw:USB`.
    public var device: String
    /// Hz; nil is the server's.
    public var rate: Int?
    /// Frames; nil leaves it to the program.
    public var period: Int?
    /// Periods in the card's buffer; nil leaves it to the program.
    public var periods: Int?
    public init(device: String, rate: Int? = nil, period: Int? = nil, periods: Int? = nil) {
      (self.device, self.rate, self.period, self.periods) = (device, rate, period, periods)
    }
  }

  /// A machine in the network, or a multicast group of them.
  public struct Network: Equatable, Sendable {
    /// Where it is sent to, or received at: an address or a host's name.
    public var address: String
    /// 1 to 65535.
    public var port: Int
    /// The network interface; multicast needs one.
    public var interface: String?
    /// How samples travel; what is sent only.
    public var format: Format?
    /// Seconds of buffer against an uneven network; what is received only.
    public var buffer: Double?
    public init(
      address: String, port: Int, interface: String? = nil, format: Format? = nil, buffer: Double? = nil
    ) {
      (self.address, self.port, self.interface) = (address, port, interface)
      (self.format, self.buffer) = (format, buffer)
    }
  }

  /// How samples travel.
  public enum Format: String, CaseIterable, Sendable {
    case int16 = "16bit"
    case int24 = "24bit"
    case float
  }

  /// The programs that do it, by their names.
  public enum Tool: String, CaseIterable, Sendable {
    case jackToCard = "zita-j2a"
    case cardToJack = "zita-a2j"
    case jackToNetwork = "zita-j2n"
    case networkToJack = "zita-n2j"

    /// Which way sound goes.
    public var direction: Direction { self == .jackToCard || self == .jackToNetwork ? .output : .input }
    /// Whether it is for cards; otherwise it is for networks.
    public var isForCards: Bool { self == .jackToCard || self == .cardToJack }
    /// The Debian package that has it.
    public var package: String { isForCards ? "zita-ajbridge" : "zita-njbridge" }
  }

  /// The program that does it.
  public var tool: Tool {
    switch (far, direction) {
    case (.card, .output): .jackToCard
    case (.card, .input): .cardToJack
    case (.network, .output): .jackToNetwork
    case (.network, .input): .networkToJack
    }
  }

  /// What the program is called at the audio server, after its tool, since both directions may have a port of the same id.
  public func clientName(for port: PortID) -> String { "\(tool.rawValue.dropFirst(5))-\(port)" }
}

/// What the program does that a port is bridged by.
public enum BridgeCondition: Equatable, Sendable {
  /// Nobody wants it, or there is no audio server.
  case resting
  case running
  /// It could not be started, or ended; it is started again after some seconds.
  case failed(String, retry: Double)
}

extension Port {
  /// What the program does that it is bridged by, for people; `none` without one.
  public var bridgeSentence: String {
    guard let bridge else { return "none" }
    return switch bridgeCondition {
    case .resting: "\(bridge.tool.rawValue) waits for the audio server"
    case .running: "\(bridge.tool.rawValue) runs"
    case .failed(let reason, let seconds): "\(reason); next try after \(seconds.wholeOrTenths) s"
    }
  }
}

extension Double {
  /// `2`, or `0.5`.
  fileprivate var wholeOrTenths: String {
    let tenths = Int((self * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
