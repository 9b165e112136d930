import SessionModel

/// The ports that are there, as far as routes depend on them: gathered once for many sessions.
struct Plugs {
  let outputs: [Plug]
  let inputs: [Plug]
  let isOffline: Bool
  /// The names of the devices that are there for conversations: the same device plays music under the same name.
  private let handsFree: [String]

  init(_ state: RouterState) {
    func plugs(_ direction: Direction) -> [Plug] {
      state[direction].values.filter(\.isAvailable).map { port in
        Plug(
          id: port.id, type: port.type, name: port.name, arrival: port.arrival,
          isAutomatic: state.isAutomatic(port, direction), isNamed: port.isNamedByPreset)
      }
    }
    (outputs, inputs, isOffline) = (plugs(.output), plugs(.input), state.server.isOffline)
    handsFree = outputs.filter { $0.type == .bluetoothHFP }.map(\.name)
  }

  /// Whether a session may be heard there.
  func offers(_ output: Plug, to session: Session) -> Bool {
    guard session.mayUse(output: output.type, isNamed: output.isNamed) else { return false }
    // Of one device that has both, a session that may use HFP uses that (semantics, section 3).
    return output.type != .bluetoothA2DP || !handsFree.contains(output.name)
      || !session.mayUse(output: .bluetoothHFP, isNamed: output.isNamed)
  }
}

/// A port that is there.
struct Plug {
  let id: PortID
  let type: PortType
  let name: String
  /// Higher is newer.
  let arrival: Int
  let isAutomatic: Bool
  /// Whether the preset names it.
  let isNamed: Bool
}
