import SessionModel

/// Decides whether a session's client may start its output or its input (docs/develop/law/activation.md#7-running-input-and-output).
enum InputOutput {
  static func setOutput(
    _ state: inout RouterState, _ id: SessionID, _ io: IOState
  ) throws(SessionError) {
    let isOffline = state.server.isOffline
    try state.withSession(id) { session throws(SessionError) in
      if io == .running { try checkOutput(of: session, isOffline: isOffline) }
      session.outputIO = io
    }
  }

  /// Checks whether a session's client or player may start to play.
  static func checkOutput(of session: Session, isOffline: Bool) throws(SessionError) {
    try checkCategory(of: session, isOffline: isOffline)
    guard !session.isSuspended else {
      throw SessionError(
        .cannotStartPlaying,
        "\(session.id) is \(session.category.rawValue) in the background, where it may not play; bring it to the foreground"
      )
    }
  }

  /// Checks whether a session's category has an output that runs.
  static func checkCategory(of session: Session, isOffline: Bool) throws(SessionError) {
    guard session.category.hasStreams else {
      throw SessionError(
        .incompatibleCategory,
        "\(session.id) is \(session.category.rawValue), which has no output to run")
    }
    guard session.category != .audioProcessing || isOffline else {
      throw SessionError(
        .cannotStartPlaying,
        "\(session.id) is audioProcessing, which has no live output; it is heard where files are rendered")
    }
  }

  static func setInput(
    _ state: inout RouterState, _ id: SessionID, _ io: IOState
  ) throws(SessionError) {
    let inputs = state.inputs
    try state.withSession(id) { session throws(SessionError) in
      if io == .running { try checkInput(of: session, inputs) }
      session.inputIO = io
    }
  }

  /// Checks whether a session's client or recorder may start to record.
  static func checkInput(
    of session: Session, _ inputs: Registry<PortID, Port>
  ) throws(SessionError) {
    guard session.category != .audioProcessing else {
      throw SessionError(.cannotStartRecording, "\(session.id) is audioProcessing, which has no live input")
    }
    guard session.category.hasInput else {
      throw SessionError(
        .incompatibleCategory, "\(session.id) is \(session.category.rawValue), which has no input to run")
    }
    guard session.isForeground || !session.isMixable else {
      throw SessionError(
        .cannotStartRecording,
        "\(session.id) is mixable and in the background, where it may not begin to record; bring it to the foreground"
      )
    }
    if let input = session.route.inputs.first(where: { inputs[$0]?.isHardwareMuted == true }),
      !session.options.contains(.overrideMutedMicrophoneInterruption)
    {
      throw SessionError(
        .cannotStartRecording,
        "\(input) is muted in hardware; unmute it, or set the option overrideMutedMicrophoneInterruption to record silence"
      )
    }
  }
}
