public import SessionModel

/// Peaks since the last reading, as linear amplitude per channel, and the power of players and recorders.
public struct MeterLevels: Sendable {
  public var inputs: [PortID: [Float]] = [:]
  public var outputs: [PortID: [Float]] = [:]
  /// Peaks of streams, before the faders of streams and sessions.
  public var streams: [SessionID: [StreamID: [Float]]] = [:]
  /// Peaks of captures, as the programs of their sessions receive them.
  public var captures: [SessionID: [Float]] = [:]
  public var players: [PlayerID: Power] = [:]
  public var recorders: [RecorderID: Power] = [:]

  /// What the meters show that outputs ask for.
  public var readings: [PortID: [MeterValue: [Float]]] = [:]

  /// What plugins show, in their own units.
  public var effects: [EffectMeter: Float] = [:]

  /// A meter of a plugin.
  public struct EffectMeter: Hashable, Sendable {
    /// The place of the plugin's chain.
    public var place: InsertPlace
    /// The effect's number, from 1.
    public var effect: Int
    public var symbol: String

    public init(_ place: InsertPlace, effect: Int, symbol: String) {
      (self.place, self.effect, self.symbol) = (place, effect, symbol)
    }
  }

  /// Power of each channel, in dBFS from -160 to 0.
  public struct Power: Equatable, Sendable {
    public var peaks: [Float]
    public var averages: [Float]
    public init(peaks: [Float], averages: [Float]) { (self.peaks, self.averages) = (peaks, averages) }
  }

  public init() {}
}
