import SessionModel

/// AVAudioSession's preferred input, and a preferred output beside it. A preference names a port by id and stays while the port is
/// away (docs/develop/law/preferences.md#1-preferred-input).
enum Preferences {
  static func setInput(
    _ state: inout RouterState, _ id: SessionID, _ port: PortID?
  ) throws(SessionError) {
    let world = state
    try state.withSession(id) { session throws(SessionError) in
      if let port { try check(port, for: session, in: world) }
      session.preferredInput = port
    }
  }

  /// Refuses an input that the session may not use. An active session must choose one of its availableInputs; an inactive session may
  /// choose a port that is away (docs/develop/law/preferences.md#1-preferred-input).
  private static func check(
    _ id: PortID, for session: Session, in state: RouterState
  ) throws(SessionError) {
    guard session.category.hasInput else {
      throw SessionError(
        .badParam,
        "\(session.id) is \(session.category.rawValue), which captures nothing; playAndRecord, record and multiRoute do"
      )
    }
    guard let port = state.inputs[id] else { throw unknown(.input, id, among: state.inputs.keys) }
    let available = state.availableInputs(for: session).map(\.name)
    let choice =
      available.isEmpty ? "prefer another one" : "available are \(available.joined(separator: ", "))"
    guard session.mayUse(port, .input) else {
      let isAllowable = port.type == .bluetoothHFP && session.category != .multiRoute
      throw SessionError(
        .badParam,
        isAllowable
          ? "\(id) is bluetoothHFP, which \(session.id) uses only with the option allowBluetoothHFP; \(choice)"
          : "\(id) is \(port.type.rawValue), which \(session.category.rawValue) in mode \(session.mode.rawValue) never uses; \(choice)"
      )
    }
    guard port.isAvailable || !session.isActive else {
      throw SessionError(.badParam, "\(id) is not there now; \(choice)")
    }
  }

  static func setOutput(
    _ state: inout RouterState, _ id: SessionID, _ port: PortID?
  ) throws(SessionError) {
    let outputs = state.outputs.keys
    try state.withSession(id) { session throws(SessionError) in
      if let port { try check(port, for: session, among: outputs) }
      (session.preferredOutput, session.awaitedOutput) = (port, nil)
    }
  }

  private static func check(
    _ port: PortID, for session: Session, among outputs: [PortID]
  ) throws(SessionError) {
    guard session.category != .multiRoute else {
      throw SessionError(
        .badParam,
        "\(session.id) is multiRoute: it uses all eligible outputs, and its streams are routed one by one")
    }
    guard outputs.contains(port) else { throw unknown(.output, port, among: outputs) }
    for stream in session.streams.values {
      if let refusal = Guards.refusal(of: stream, of: session.id, reaching: port) { throw refusal }
    }
  }
}
