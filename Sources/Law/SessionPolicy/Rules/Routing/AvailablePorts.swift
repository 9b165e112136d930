import SessionModel

/// The ports that are available now, with the properties that routes depend on. They are gathered once for all sessions.
struct AvailablePorts {
  let outputs: [AvailablePort]
  let inputs: [AvailablePort]
  let isOffline: Bool
  /// The outputs that are available as bluetoothHFP. Their devices may also offer bluetoothA2DP.
  private let handsFree: [AvailablePort]

  init(_ state: RouterState) {
    func ports(_ direction: Direction) -> [AvailablePort] {
      var ports: [AvailablePort] = []
      state[direction].forEachValue { port in
        guard port.isAvailable else { return }
        ports.append(
          AvailablePort(
            id: port.id, type: port.type, name: port.name, arrival: port.arrival,
            device: port.device, isAutomatic: state.isAutomatic(port, direction),
            isNamed: port.isNamedByPreset))
      }
      return ports
    }
    (outputs, inputs, isOffline) = (ports(.output), ports(.input), state.server.isOffline)
    handsFree = outputs.filter { $0.type == .bluetoothHFP }
  }

  /// Whether a session may be heard at an output.
  func offers(_ output: AvailablePort, to session: Session) -> Bool {
    guard session.mayUse(output: output.type, isNamed: output.isNamed) else { return false }
    // If one device offers A2DP and HFP, a session that may use HFP uses HFP (docs/develop/law/routes.md#4-bluetooth-and-airplay).
    return output.type != .bluetoothA2DP || !handsFree.contains { $0.isSameDevice(as: output) }
      || !session.mayUse(output: .bluetoothHFP, isNamed: output.isNamed)
  }
}

/// A port that is available now.
struct AvailablePort {
  let id: PortID
  let type: PortType
  let name: String
  /// Higher is newer.
  let arrival: Int
  let device: String?
  let isAutomatic: Bool
  /// Whether the preset names it.
  let isNamed: Bool

  /// Whether two ports are one physical device: what the server tells of their devices decides, or else the name
  /// (docs/develop/law/routes.md#4-bluetooth-and-airplay).
  func isSameDevice(as other: AvailablePort) -> Bool {
    if let device, let others = other.device { return device == others }
    return id == other.id || name == other.name
  }
}
