import ControlInterface
import OSC
import Parameters
import SessionModel

/// The commands `/client/...`, by which a client sets what it gets and how.
extension Surface {
  /// Checks that the sender is a client, perhaps by an earlier message of its packet.
  /// - Throws: `SessionError` notFound.
  func checkClient(_ transaction: PacketTransaction) throws(SessionError) {
    guard !transaction.isClient, clients.settings(of: transaction.peer) == nil else { return }
    throw SessionError(.notFound, "this program is no client yet; send /hello or /subscribe first")
  }

  /// Checks that a setting can be made; without an argument it is read.
  /// - Throws: `SessionError` notFound, badType, badValue or outOfRange.
  func check(
    _ setting: ClientSetting, _ arguments: Arguments, _ transaction: PacketTransaction
  ) throws(SessionError) {
    try checkClient(transaction)
    guard !arguments.isEmpty else { return }
    if setting == .port {
      _ = try port(arguments, at: 0, of: transaction.peer)
    } else {
      var settings = ClientSettings()
      try Self.change(&settings, setting, arguments)
    }
  }

  /// Makes or reads a setting.
  mutating func set(
    _ setting: ClientSetting, _ arguments: Arguments, _ match: Match, _ transaction: PacketTransaction,
    _ outcome: inout Outcome
  ) -> [OSCMessage] {
    let peer = transaction.peer
    if arguments.isEmpty {
      return clients.read(setting, of: peer).map { [OSCMessage(match.address, $0)] } ?? []
    }
    if setting == .port {
      guard let port = try? port(arguments, at: 0, of: peer) else { return [] }
      if let alive = alive(arguments, at: 0, transaction) { outcome.datagrams.append(alive) }
      clients.change(peer) { $0.moveFeedback(to: port) }
    } else {
      guard var settings = clients.settings(of: peer) else { return [] }
      // `check` has read the arguments before.
      try? Self.change(&settings, setting, arguments)
      clients.use(settings, for: peer)
    }
    return []
  }

  /// Reads one setting from arguments.
  private static func change(
    _ settings: inout ClientSettings, _ setting: ClientSetting, _ arguments: Arguments
  ) throws(SessionError) {
    switch setting {
    case .port: break
    case .keep: settings.isKept = try arguments.flag()
    case .echo: settings.echo = try choice(arguments)
    case .rate: settings.rate = Subscription.clamped(try arguments.number())
    case .boolean: settings.switches = try choice(arguments)
    case .timetags: settings.timetags = try choice(arguments)
    case .ack: settings.acknowledges = try arguments.flag()
    case .bundles: settings.wantsBundles = try arguments.flag()
    }
  }

  private static func choice<Choice: CaseIterable & RawRepresentable>(
    _ arguments: Arguments
  ) throws(SessionError) -> Choice where Choice.RawValue == String {
    let text = try arguments.text()
    guard let choice = Choice(rawValue: text.lowercased()) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw SessionError(.badValue, "'\(text)' is not one of \(choices)")
    }
    return choice
  }
}
