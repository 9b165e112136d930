public import SessionModel

/// Identifies a bridge by the port that it makes.
public struct BridgeKey: Hashable, Sendable {
  public var direction: Direction
  public var port: PortID
  public init(_ direction: Direction, _ port: PortID) { (self.direction, self.port) = (direction, port) }
}

/// The program of a bridge, with its arguments. Equal values are the same bridge: its program keeps running.
public struct BridgeProgram: Equatable, Sendable {
  /// The executable's name.
  public var name: String
  /// The arguments, without the program's name.
  public var arguments: [String]
  /// The Debian package that contains the program.
  public var package: String
  /// Whether the program resamples, and prints its ratio. A sender to a network does not.
  var printsRatio: Bool
  /// The JACK server's name; nil is JACK's default server.
  public var server: String?

  /// - Parameters:
  ///   - port: the port that the bridge makes.
  ///   - server: the JACK server's name; nil is JACK's default server.
  ///   - rate: the server's rate in Hz.
  public init(_ bridge: Bridge, for port: PortID, server: String?, rate: Int) {
    name = bridge.tool.rawValue
    package = bridge.tool.package
    printsRatio = bridge.tool != .jackToNetwork
    self.server = server
    let client = bridge.clientName(for: port)
    switch bridge.far {
    case .card(let card): arguments = Self.words(card, bridge, client, rate: rate)
    case .network(let network): arguments = Self.words(network, bridge, client)
    }
  }

  /// Options as in the manual pages of zita-ajbridge 0.8.
  private static func words(_ card: Bridge.Card, _ bridge: Bridge, _ client: String, rate: Int) -> [String] {
    var words = ["-j", client, "-d", card.device, "-r", "\(card.rate ?? rate)", "-c", "\(bridge.channels)"]
    if let period = card.period { words += ["-p", "\(period)"] }
    if let periods = card.periods { words += ["-n", "\(periods)"] }
    return words + ["-v"]
  }

  /// Options as in the manual pages of zita-njbridge 0.4.
  private static func words(_ network: Bridge.Network, _ bridge: Bridge, _ client: String) -> [String] {
    var words = ["--jname", client]
    if bridge.direction == .output {
      words += ["--chan", "\(bridge.channels)"]
      if let format = network.format { words.append("--\(format.rawValue)") }
    } else {
      words += ["--chan", (1...max(1, bridge.channels)).map(String.init).joined(separator: ",")]
      if let buffer = network.buffer { words += ["--buff", "\(Int((buffer * 1_000).rounded()))"] }
      words.append("--info")
    }
    return words + [network.address, "\(network.port)"] + [network.interface].compactMap(\.self)
  }

  /// `NAME=value` each, in addition to our own environment. A bridge program never starts a server.
  var variables: [String] {
    ["JACK_NO_START_SERVER=1"] + (server.map { ["JACK_DEFAULT_SERVER=\($0)"] } ?? [])
  }
}
