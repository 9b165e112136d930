import Effects

/// The sound that the side chains of a chain of effects hear.
public enum SideChainSource: Hashable, Sendable {
  /// What goes into the stream's own effects, behind its mutes and those of its session.
  case stream(SessionID, StreamID)
  /// What the device gets, in the same period.
  case output(PortID)

  /// Reads `stream:<s>.<t>` or `output:<o>`, as recorders name their sources; nil for all else.
  public init?(_ text: String) {
    switch RecorderSource(text) {
    case .stream(let session, let stream)?: self = .stream(session, stream)
    case .output(let output)?: self = .output(output)
    case .session?, .input?, nil: return nil
    }
  }
}

extension RouterState {
  /// Whether there is what a side chain shall hear. A device is there for this while it is away.
  public func has(_ source: SideChainSource) -> Bool {
    switch source {
    case .stream(let session, let stream): has(RecorderSource.stream(session, stream))
    case .output(let output): has(RecorderSource.output(output))
    }
  }
}

extension Insert {
  /// What its side chains hear; nil if no effect hears another sound.
  public var sideChain: SideChainSource? {
    guard !isEmpty else { return nil }
    return effects.lazy.compactMap(\.sideChain).first.flatMap { SideChainSource($0) }
  }
}
