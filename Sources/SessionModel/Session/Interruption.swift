/// Names a source of interruptions outside the router, such as `phone`.
public typealias InterruptionID = Identifier<Interruption>

/// A source of interruptions outside the router; it acts as an active call-class session without streams (semantics, head).
public struct Interruption: Equatable, Sendable {
  public let id: InterruptionID
  public var reason: InterruptionReason = .default
  /// It interrupts now: the call was accepted.
  public var isOn = false
  /// A call rings that is not yet accepted.
  public var isRinging = false

  public init(id: InterruptionID) { self.id = id }
}

/// Why an interruption began; numbers are AVAudioSession's (semantics, section 7).
public enum InterruptionReason: Int, CaseIterable, Sendable {
  case `default` = 0
  case builtInMicMuted = 2
  case routeDisconnected = 4

  /// The name, as in `/interruption/begin`.
  public var name: String { "\(self)" }
}

/// One end of an interruption.
public enum InterruptionPhase: Equatable, Sendable {
  case began(InterruptionReason)
  case ended(shouldResume: Bool)

  /// AVAudioSession's number of the type: began is 1 and ended is 0 (semantics, section 7).
  public var number: Int { if case .began = self { 1 } else { 0 } }
}

/// Who interrupts a session, or holds what it was refused.
public enum Interrupter: Hashable, Sendable {
  case session(SessionID)
  case source(InterruptionID)
  /// An input that is muted in hardware.
  case input(PortID)
  /// An output that has gone.
  case output(PortID)

  /// The id, as sent in events.
  public var name: String {
    switch self {
    case .session(let id): id.name
    case .source(let id): id.name
    case .input(let id), .output(let id): id.name
    }
  }
}

/// The interruption that a session is in.
public struct Displacement: Equatable, Sendable {
  public var interrupter: Interrupter
  public var reason: InterruptionReason
  public init(by interrupter: Interrupter, reason: InterruptionReason = .default) {
    (self.interrupter, self.reason) = (interrupter, reason)
  }
}

/// Whether calls interrupt mixable sessions too.
public enum InterruptionScope: String, CaseIterable, Sendable {
  case all, nonMixable
}
