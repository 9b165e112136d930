/// Guards and maxima of sessions and streams that were removed. They belong to the ids, and are in force again as soon as the ids exist
/// again. Otherwise, removing a stream and making it anew would lead past its guard.
public struct RememberedLimits: Equatable, Sendable {
  /// By the ids of sessions, those that were noted first come first.
  public private(set) var sessions = Registry<SessionID, Limits>()

  public init() {}

  /// What is remembered of a session's id.
  public struct Limits: Equatable, Sendable {
    /// The session's maximum in dB; nil if it is the usual one.
    public var maximum: Double?
    /// The guards of its streams.
    public var never = Registry<StreamID, [PortID]>()
    public init() {}

    var isEmpty: Bool { maximum == nil && never.isEmpty }
  }

  /// Greatest number of sessions; a further one replaces the oldest. Only an admin or a preset sets limits, so that nobody else can
  /// displace one.
  public static let capacity = 1_000

  /// Remembers the guard of a stream that is removed.
  public mutating func note(_ stream: SessionStream, of session: SessionID) {
    guard !stream.never.isEmpty else { return }
    change(session) { $0.never[stream.id] = stream.never }
  }

  /// Remembers the maximum of a session that is removed, and the guards of its streams.
  public mutating func note(_ session: Session) {
    if session.maximum < Decibels.highest { change(session.id) { $0.maximum = session.maximum } }
    for stream in session.streams.values { note(stream, of: session.id) }
  }

  /// Remembers limits of an id that were kept against a crash.
  public mutating func note(_ limits: Limits, of session: SessionID) {
    change(session) {
      $0.maximum = limits.maximum ?? $0.maximum
      for (stream, never) in limits.never { $0.never[stream] = never }
    }
  }

  /// Takes the maximum of a session that is made anew, in dB; nil if it has none.
  public mutating func takeMaximum(of session: SessionID) -> Double? {
    guard let maximum = sessions[session]?.maximum else { return nil }
    change(session) { $0.maximum = nil }
    return maximum
  }

  /// Takes the guard of a stream that is made anew; empty if it has none.
  public mutating func takeGuard(of stream: StreamID, in session: SessionID) -> [PortID] {
    guard let never = sessions[session]?.never[stream] else { return [] }
    change(session) { $0.never[stream] = nil }
    return never
  }

  /// Whether a guard names an output.
  public func guards(against port: PortID) -> Bool {
    sessions.values.contains { $0.never.values.contains { $0.contains(port) } }
  }

  private mutating func change(_ session: SessionID, _ body: (inout Limits) -> Void) {
    var limits = sessions[session] ?? Limits()
    body(&limits)
    if !limits.isEmpty, !sessions.contains(session), sessions.count >= Self.capacity,
      let oldest = sessions.keys.first
    {
      sessions[oldest] = nil
    }
    sessions[session] = limits.isEmpty ? nil : limits
  }
}
