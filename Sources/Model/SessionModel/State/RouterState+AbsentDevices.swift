extension RouterState {
  /// Why an absent device must not be forgotten, as the end of a sentence; nil if it may be.
  public func reasonToKeep(_ direction: Direction, _ port: Port) -> String? {
    if port.isPresent { return "it is there" }
    if port.isNamedByPreset { return "the preset names it" }
    if let limit = limit(of: direction, port) { return limit }
    return sessions.values.first { $0.names(direction, port.id) }.map { "session \($0.id) names it" }
  }

  /// The maximum or guard that would end with a port, as the end of a sentence; nil if there is none.
  public func limit(of direction: Direction, _ port: Port) -> String? {
    if port.maximum < Decibels.highest || port.maximumTotal.isFinite {
      return "it has a maximum, which belongs to its id"
    }
    guard direction == .output else { return nil }
    if remembered.guards(against: port.id) { return "the guard of a stream that was removed names it" }
    return sessions.values.first {
      $0.streams.contains { (stream: SessionStream) in stream.isGuarded(against: port.id) }
    }
    .map { "a guard of session \($0.id) names it" }
  }

  /// Greatest number of devices of each direction that are absent and that nothing names. The one that has been seen first is forgotten
  /// first.
  public static let mostAbsentDevices = 64
}

extension Session {
  /// Whether a destination, a preference or a capture of the session names a port.
  fileprivate func names(_ direction: Direction, _ port: PortID) -> Bool {
    switch direction {
    case .output:
      preferredOutput == port
        || streams.contains { (stream: SessionStream) in stream.destinations.contains(port) }
    case .input:
      preferredInput == port || capture.inputs.contains(port)
        || streams.contains { (stream: SessionStream) in
          stream.sources.contains { if case .input(port, _) = $0 { true } else { false } }
        }
    }
  }
}
