import Numbers

/// A bridge makes a port of a sound card or another machine that the audio server does not see. The router runs a program for it,
/// which is a client of the audio server.
public struct Bridge: Equatable, Sendable {
  /// The direction of the sound: `output` goes from the router to the card or machine.
  public var direction: Direction
  public var channels: Int
  public var far: Far

  public init(_ direction: Direction, channels: Int, to far: Far) {
    (self.direction, self.channels, self.far) = (direction, channels, far)
  }

  /// The other end of a bridge.
  public enum Far: Equatable, Sendable {
    case card(Card)
    case network(Network)
  }

  /// A sound card of this machine, with a clock of its own.
  public struct Card: Equatable, Sendable {
    /// The card's ALSA name, such as `hw:USB`.
    public var device: String
    /// Sample rate in Hz; nil stands for the server's rate.
    public var rate: Int?
    /// Frames per period; nil leaves the choice to the program.
    public var period: Int?
    /// Number of periods in the card's buffer; nil leaves the choice to the program.
    public var periods: Int?
    public init(device: String, rate: Int? = nil, period: Int? = nil, periods: Int? = nil) {
      (self.device, self.rate, self.period, self.periods) = (device, rate, period, periods)
    }
  }

  /// A machine in the network, or a multicast group.
  public struct Network: Equatable, Sendable {
    /// The address or host name that sound is sent to, or that it is received at.
    public var address: String
    /// The UDP port, 1 to 65535.
    public var port: Int
    /// The network interface; multicast needs one.
    public var interface: String?
    /// The format of sent samples; only for outputs.
    public var format: Format?
    /// Seconds of buffer against uneven delays in the network; only for inputs.
    public var buffer: Double?
    public init(
      address: String, port: Int, interface: String? = nil, format: Format? = nil, buffer: Double? = nil
    ) {
      (self.address, self.port, self.interface) = (address, port, interface)
      (self.format, self.buffer) = (format, buffer)
    }

    /// Whether a text is an address of a multicast group: 224.0.0.0/4, or ff00::/8.
    public static func isMulticast(_ address: String) -> Bool {
      let parts = address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      if parts.count == 4, !parts.contains(nil) { return parts[0].map { 224...239 ~= $0 } ?? false }
      return address.contains(":") && address.lowercased().hasPrefix("ff")
        && address.prefix { $0 != ":" }.count == 4
    }
  }

  /// The format of samples in the network.
  public enum Format: String, CaseIterable, Sendable {
    case int16 = "16bit"
    case int24 = "24bit"
    case float
  }

  /// The programs that can be a bridge, by their names.
  public enum Tool: String, CaseIterable, Sendable {
    case jackToCard = "zita-j2a"
    case cardToJack = "zita-a2j"
    case jackToNetwork = "zita-j2n"
    case networkToJack = "zita-n2j"

    /// The direction of the sound, as in `Bridge.direction`.
    public var direction: Direction { self == .jackToCard || self == .jackToNetwork ? .output : .input }
    /// Whether the program bridges cards; otherwise it bridges networks.
    public var isForCards: Bool { self == .jackToCard || self == .cardToJack }
    /// The Debian package that contains the program.
    public var package: String { isForCards ? "zita-ajbridge" : "zita-njbridge" }
  }

  /// The program that this bridge needs.
  public var tool: Tool {
    switch (far, direction) {
    case (.card, .output): .jackToCard
    case (.card, .input): .cardToJack
    case (.network, .output): .jackToNetwork
    case (.network, .input): .networkToJack
    }
  }

  /// The program's name as a client of the audio server. It begins with the tool's name, because an input and an output may have the
  /// same id.
  public func clientName(for port: PortID) -> String { "\(tool.rawValue.dropFirst(5))-\(port)" }
}

/// The state of a bridge's program.
public enum BridgeCondition: Equatable, Sendable {
  /// The program is not started: no preset needs the bridge, or there is no audio server.
  case resting
  case running
  /// The program could not be started or has ended, with the reason. The router starts it again after `retry` seconds.
  case failed(String, retry: Double)
}

extension Port {
  /// The state of the port's bridge as a sentence for the operator; `none` for a port without a bridge.
  public var bridgeSentence: String {
    guard let bridge else { return "none" }
    return switch bridgeCondition {
    case .resting: "\(bridge.tool.rawValue) waits for the audio server"
    case .running: "\(bridge.tool.rawValue) runs"
    case .failed(let reason, let seconds): "\(reason); next try after \(seconds.text(.upTo(1))) s"
    }
  }
}
