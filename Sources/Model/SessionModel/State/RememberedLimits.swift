/// Guards and maxima of sessions and streams that were removed. They belong to the ids, and are in force again as soon as the ids exist
/// again. Otherwise, removing a stream and making it anew would lead past its guard.
public struct RememberedLimits: Equatable, Sendable {
  private var sessions = Registry<SessionID, Limits>()

  private struct Limits: Equatable, Sendable {
    /// The session's maximum in dB; nil if it is the usual one.
    var maximum: Double?
    var never = Registry<StreamID, [PortID]>()
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

  /// Takes the maximum of a session that is made anew, in dB; nil if it has none.
  public mutating func takeMaximum(of session: SessionID) -> Double? {
    guard let maximum = sessions[session]?.maximum else { return nil }
    sessions[session]?.maximum = nil
    return maximum
  }

  /// Takes the guard of a stream that is made anew; empty if it has none.
  public mutating func takeGuard(of stream: StreamID, in session: SessionID) -> [PortID] {
    guard let never = sessions[session]?.never[stream] else { return [] }
    sessions[session]?.never[stream] = nil
    return never
  }

  private mutating func change(_ session: SessionID, _ body: (inout Limits) -> Void) {
    if !sessions.contains(session), sessions.count >= Self.capacity, let oldest = sessions.keys.first {
      sessions[oldest] = nil
    }
    var limits = sessions[session] ?? Limits()
    body(&limits)
    sessions[session] = limits
  }
}
