extension Session {
  /// Whether its category, mode and options let it be heard at an output of a type (semantics, sections 1 to 3, 10 and 11).
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

  /// Whether its category, mode and options let it capture from an input of a type, likewise.
  public func mayUse(input type: PortType, isNamed: Bool) -> Bool {
    guard category.hasInput else { return false }
    guard category != .multiRoute else {
      return mode == .dualRoute
        ? type.isInputOfDualRoute : type.isEligibleInputForMultiRoute(namedByPreset: isNamed)
    }
    return type != .bluetoothHFP || options.contains(.allowBluetoothHFP)
  }

  /// Whether it may use a port.
  public func mayUse(_ port: Port, _ direction: Direction) -> Bool {
    direction == .output
      ? mayUse(output: port.type, isNamed: port.isNamedByPreset)
      : mayUse(input: port.type, isNamed: port.isNamedByPreset)
  }

  /// Outputs without a way back: implied where there is no input, by option in playAndRecord, never in a conversation.
  private func mayUse(oneWay option: SessionOptions) -> Bool {
    category != .playAndRecord || (options.contains(option) && !mode.isConversation)
  }
}

extension RouterState {
  /// availableInputs: what a session may capture from now; empty where its category has no input (semantics, section 10).
  public func availableInputs(for session: Session) -> [PortID] {
    guard session.category.hasInput else { return [] }
    return inputs.keys { $0.isAvailable && session.mayUse($0, .input) }
  }
}
