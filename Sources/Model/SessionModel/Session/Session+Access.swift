extension Session {
  /// Whether the session's category, mode and options allow outputs of a type (docs/develop/law/routes.md#2-eligible-ports).
  /// - Parameter isNamed: whether a preset names the port.
  public func mayUse(output type: PortType, isNamed: Bool) -> Bool {
    guard category != .multiRoute else {
      return mode == .dualRoute
        ? type.isOutputOfDualRoute : type.isEligibleForMultiRoute(namedByPreset: isNamed)
    }
    return switch type {
    case .builtInReceiver: category == .playAndRecord
    case .bluetoothHFP: category == .playAndRecord && options.contains(.allowBluetoothHFP)
    case .bluetoothA2DP: mayUse(oneWay: .allowBluetoothA2DP)
    case .airPlay: mayUse(oneWay: .allowAirPlay)
    default: true
    }
  }

  /// Whether the session's category, mode and options allow inputs of a type (docs/develop/law/routes.md#2-eligible-ports).
  /// - Parameter isNamed: whether a preset names the port.
  public func mayUse(input type: PortType, isNamed: Bool) -> Bool {
    guard category.hasInput else { return false }
    guard category != .multiRoute else {
      return mode == .dualRoute
        ? type.isInputOfDualRoute : type.isEligibleInputForMultiRoute(namedByPreset: isNamed)
    }
    return type != .bluetoothHFP || options.contains(.allowBluetoothHFP)
  }

  /// Whether the session may use a port.
  public func mayUse(_ port: Port, _ direction: Direction) -> Bool {
    direction == .output
      ? mayUse(output: port.type, isNamed: port.isNamedByPreset)
      : mayUse(input: port.type, isNamed: port.isNamedByPreset)
  }

  /// Whether the session may use outputs that have no microphone, such as A2DP and AirPlay. Categories other than playAndRecord always
  /// may; playAndRecord needs the option, and may not in a conversation.
  private func mayUse(oneWay option: SessionOptions) -> Bool {
    category != .playAndRecord || (options.contains(option) && !mode.isConversation)
  }
}

extension Session {
  /// The inputs of the session's route that have no send of their own in the capture, if the capture contains them.
  public var ownInputs: [PortID] {
    capture.containsRoute ? route.inputs.filter { capture.inputs[$0] == nil } : []
  }

  /// All inputs that the capture contains.
  public var capturedInputs: [PortID] {
    ownInputs + capture.inputs.filter { $0.value.isOn }.map { $0.key }
  }

  /// All other sessions that the capture contains.
  public var capturedSessions: [SessionID] { capture.sessions.filter { $0.value.isOn }.map { $0.key } }

  /// Whether a cable leads past the router, from or to one of the session's programs.
  public var hasDirectConnections: Bool {
    !directSources.isEmpty || streams.contains { (stream: SessionStream) in !stream.directSinks.isEmpty }
  }

  /// Whether the server has told of cables or volumes of the session's programs.
  private var hasFactsOfPrograms: Bool {
    hasDirectConnections || !recorderVolumes.isEmpty
      || streams.contains { (stream: SessionStream) in !stream.programVolumes.isEmpty }
  }

  /// Forgets all facts from the audio server, because the server is gone.
  public mutating func forgetServer() {
    (isConnected, isVanishing, isCapturing) = (false, false, false)
    (isSounding, isSignalling) = (false, false)
    forgetSilence()
    // Few sessions have any, and every write copies.
    guard hasFactsOfPrograms else { return }
    (directSources, recorderVolumes) = ([], [])
    for id in streams.keys {
      streams[id]?.directSinks = []
      streams[id]?.programVolumes = []
    }
  }

  /// Forgets which of its programs are silent, because they are gone.
  public mutating func forgetSilence() {
    isQuiet = false
    guard streams.contains(where: { $0.silence != nil }) else { return }
    for id in streams.keys { streams[id]?.silence = nil }
  }

  /// Whether the session has a capture that its programs could receive.
  public var hasCapture: Bool { category.hasInput && capture.channels > 0 }
}

extension RouterState {
  /// AVAudioSession's availableInputs: the inputs that a session may capture from now; empty if its category has no input (docs/develop/law/routes.md#8-available-inputs).
  public func availableInputs(for session: Session) -> [PortID] {
    guard session.category.hasInput else { return [] }
    return inputs.keys { $0.isAvailable && session.mayUse($0, .input) }
  }
}
