public import SessionModel

/// Peaks since the last reading, as linear amplitude per channel.
public struct MeterLevels: Sendable {
  public var inputs: [PortID: [Float]] = [:]
  public var outputs: [PortID: [Float]] = [:]
  /// Peaks of streams, before the faders of streams and sessions.
  public var streams: [SessionID: [StreamID: [Float]]] = [:]
  /// Peaks of captures, as the programs of their sessions receive them.
  public var captures: [SessionID: [Float]] = [:]

  public init() {}
}
