/// Names a source of interruptions outside the router, such as `phone`.
public typealias InterruptionID = Identifier<Interruption>

/// A source of interruptions outside the router, such as a phone. It acts like an active session of call class without streams
/// (docs/develop/law/interruptions.md#5-calls-from-outside).
public struct Interruption: Equatable, Sendable {
  public let id: InterruptionID
  public var reason: InterruptionReason = .default
  /// Whether the source interrupts sessions now: its call was accepted.
  public var isOn = false
  /// Whether a call rings that was not yet accepted.
  public var isRinging = false

  public init(id: InterruptionID) { self.id = id }
}

/// Why an interruption began. The numbers are AVAudioSession's (docs/develop/law/interruptions.md#2-reasons).
public enum InterruptionReason: Int, CaseIterable, Sendable {
  case `default` = 0
  case builtInMicMuted = 2
  case routeDisconnected = 4

  /// The name, as in `/interruption/begin`.
  public var name: String { "\(self)" }
}

/// The beginning or the end of an interruption.
public enum InterruptionPhase: Equatable, Sendable {
  case began(InterruptionReason)
  case ended(shouldResume: Bool)

  /// AVAudioSession's number of this type of event: began is 1 and ended is 0 (docs/develop/law/interruptions.md#1-began-and-ended).
  public var number: Int { if case .began = self { 1 } else { 0 } }
}

/// The cause of an interruption, or of a refused activation.
public enum Interrupter: Hashable, Sendable {
  case session(SessionID)
  case source(InterruptionID)
  /// An input that is muted in hardware.
  case input(PortID)
  /// An output that disappeared.
  case output(PortID)

  /// The id of the session, source or port, as sent in events.
  public var name: String {
    switch self {
    case .session(let id): id.name
    case .source(let id): id.name
    case .input(let id), .output(let id): id.name
    }
  }
}

/// The interruption that a session is in. A call may interrupt a thousand sessions at once, so they share it.
public struct Displacement: Equatable, Sendable {
  @usableFromInline var cause: Shared<Cause>

  @usableFromInline struct Cause: Equatable, Sendable {
    @usableFromInline var interrupter: Interrupter
    @usableFromInline var reason: InterruptionReason
  }

  public init(by interrupter: Interrupter, reason: InterruptionReason = .default) {
    cause = Shared(Cause(interrupter: interrupter, reason: reason))
  }

  @inlinable public var interrupter: Interrupter {
    _read { yield cause.value.interrupter }
    _modify { yield &cause.value.interrupter }
  }
  @inlinable public var reason: InterruptionReason { cause.value.reason }
}

/// Which sessions a call interrupts: all, or only those that do not mix.
public enum InterruptionScope: String, CaseIterable, Sendable {
  case all, nonMixable
}
