/// Why a sound is not let through, as a clause without `; `.
extension RouterState {
  /// A stream at an output to which it is sent, or where it would be heard.
  public struct Arrival: Equatable, Sendable {
    public let stream: StreamID
    public let output: PortID
    /// Why nothing of the stream is heard at the output; nil if it is heard.
    public let hindrance: String?
  }

  /// Where each stream of a session goes, and what keeps it from being heard there.
  public func arrivals(of session: Session, _ activity: Activity) -> [Arrival] {
    let whole: String? =
      switch wholeSilence(of: session, activity) {
      case .interrupted(let displacement): "interrupted \(cause(of: displacement))"
      case .silent(let silence): String(reason(silence, of: session).prefix { $0 != ";" })
      case .heard, .ducked, nil: nil
      }
    return session.streams.values.flatMap { stream in
      let ports = session.category == .multiRoute ? stream.destinations.map(\.key) : session.route.outputs
      return outputs.values.filter { ports.contains($0.id) }.map { output in
        Arrival(
          stream: stream.id, output: output.id,
          hindrance: whole ?? hindrance(of: stream, in: session, at: output))
      }
    }
  }

  /// Why nothing of a stream is heard at an output, though its session as a whole is let through; nil if it is heard.
  func hindrance(of stream: SessionStream, in session: Session, at output: Port) -> String? {
    guard let destination = session.destination(of: stream, at: output.id), destination.isOn else {
      return "not sent there"
    }
    if let hindrance = hindrance(of: stream, in: session, at: destination.tap) { return hindrance }
    if Decibels(destination.gain.target).isOff { return "its gain there is off" }
    if let hindrance = hindrance(of: output) { return hindrance }
    if let solo = soloSilencing(stream.id, of: session.id, at: output.id) { return solo }
    if !session.route.outputs.contains(output.id) {
      return isUnusedSpeaker(output, of: session) ? Self.speakerRule : "the session does not use it now"
    }
    guard isAudible(stream, of: session, at: output.id) else { return "it has no channel there" }
    return silence(of: stream, in: session)
  }

  /// Why nothing of a stream passes one of its taps, whether its session is active or not; nil if sound passes.
  func hindrance(of stream: SessionStream, in session: Session, at tap: Tap) -> String? {
    guard session.hasSource else { return reason(.noSource, of: session) }
    if let input = closedInput(of: stream) { return inputReason(input) }
    if isSilentOnDesktop(stream) { return reason(.desktopMixer, of: session) }
    guard tap != .input else { return nil }
    if session.isMuted { return "\(session.id) is muted" }
    if stream.isMuted { return "\(stream.id) is muted" }
    if tap == .post {
      if Decibels(session.gain.target).isOff { return "\(session.id) is turned off" }
      if Decibels(stream.gain.target).isOff { return "\(stream.id) is turned off" }
    }
    for member in [GroupMember.session(session.id), .stream(session.id, stream.id)] {
      if let group = silencer(of: member, byGain: tap == .post) { return silencing(group) }
    }
    return nil
  }

  /// Why an output plays nothing; nil if it plays what it gets.
  func hindrance(of output: Port) -> String? {
    if isPanicking { return "panic is on" }
    if !server.isRunning { return "there is no audio server" }
    if !output.isAvailable { return "\(output.id) is away" }
    if output.isMuted { return "\(output.id) is muted" }
    if output.insert.isSilencing { return output.insert.faults(of: output.id.name).first }
    if Decibels(output.gain.target).isOff { return "\(output.id) is turned off" }
    if let group = silencer(of: .output(output.id)) { return "\(output.id) is \(silencing(group))" }
    return output.desktopVolume.flatMap { $0.isSilent ? "\(output.id) is \($0.effect ?? "silent")" : nil }
  }

  /// The first input of a stream, if inputs alone feed the stream and none of them lets anything through; nil otherwise.
  func closedInput(of stream: SessionStream) -> PortID? {
    var first: PortID?
    for source in stream.sources {
      guard case .input(let id, let range) = source, inputs[id]?.isClosed(range) != false else { return nil }
      first = first ?? id
    }
    return first
  }

  /// What closes an input.
  func inputReason(_ id: PortID) -> String {
    "its input \(id) \(captureHindrance(ofInput: id) ?? "is muted")"
  }
}

extension Port {
  /// Whether an input lets nothing through in some of its channels.
  /// - Parameter range: the channels; nil is all.
  package func isClosed(_ range: ClosedRange<Int>?) -> Bool {
    if !isAvailable || isMuted || isHardwareMuted || Decibels(gain.target).isOff || level.target == 0 {
      return true
    }
    let strips = channelStrips.enumerated().filter { range?.contains($0.offset + 1) ?? true }.map(\.element)
    return !strips.isEmpty && strips.allSatisfy { $0.isMuted || Decibels($0.gain.target).isOff }
  }
}
