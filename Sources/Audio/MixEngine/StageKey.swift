public import SessionModel

/// Names a gain stage. A stage keeps its present gain from plan to plan as long as a structure uses its key.
public enum StageKey: Hashable, Sendable {
  /// Closed while the session is silent as a whole: inactive, interrupted, or without a source. It comes before all taps.
  case sessionGate(SessionID)
  case sessionMute(SessionID)
  case sessionGain(SessionID)
  /// Opens when a source is connected.
  case streamGate(SessionID, StreamID)
  case streamMute(SessionID, StreamID)
  case streamGain(SessionID, StreamID)
  /// The balance of one channel of a stream (0 left, 1 right).
  case streamPan(SessionID, StreamID, channel: Int)
  /// The balance of one channel of a stream at one output (0 left, 1 right).
  case sendPan(SessionID, StreamID, PortID, channel: Int)
  /// The width of a stream with two channels: the part of a channel that stays there, and the part that goes to the other one.
  case streamWidth(SessionID, StreamID, isCrossed: Bool)
  /// One crosspoint of a destination or capture; the code that builds the mix numbers them. Each crosspoint fades separately, so that a
  /// change of channels or tap is a crossfade.
  case crosspoint(Int)
  case captureGate(SessionID)
  /// Closed while the gate is, behind the effects of the capture.
  case captureReturn(SessionID)
  /// Closed while a voice processing, which has a number, makes place for another one or for the capture without it.
  case voiceGate(Int)
  /// The duck of a session in one output.
  case duck(SessionID, PortID)
  case outputGain(PortID)
  /// The mute, and the dim as a part of it.
  case outputMute(PortID)
  /// The balance of one channel of an output (0 left, 1 right).
  case outputBalance(PortID, channel: Int)
  /// Opens when the device is available and connected.
  case outputGate(PortID)
  case inputGain(PortID)
  case inputMute(PortID)
  case inputTrim(PortID)
  /// As that of a stream.
  case inputWidth(PortID, isCrossed: Bool)
  /// AVAudioSession's input gain, which all sessions share that capture from the input.
  case inputLevel(PortID)
  case inputGate(PortID)
  case inputChannelGain(PortID, channel: Int)
  case inputChannelMute(PortID, channel: Int)
  case playerGain(PlayerID)
  case playerMute(PlayerID)
  /// The balance of one channel of a player (0 left, 1 right).
  case playerPan(PlayerID, channel: Int)
  /// The gain that brings the present item to the common loudness.
  case playerNormalise(PlayerID)
  /// Lowers a player while it winds.
  case playerWind(PlayerID)
  /// The ceiling of an output's limiter, as an amplitude; not a gain. Samples at or below it pass unchanged, bit for bit.
  case outputCeiling(PortID)
  /// Lowers or silences a monitor output's own content while anything is soloed there.
  case soloDim(PortID)
  /// The level of what is soloed at a monitor output.
  case soloLevel(PortID)
  /// Open while the session's talkback is.
  case talkbackGate(SessionID)
  /// Lowers everything else in an output that hears an open talkback.
  case talkbackDim(PortID)
  /// The panic switch, on every output.
  case panic

  /// What sets and dictionaries use in place of `Hasher`: there are thousands of crosspoints, and few other stages.
  public func _rawHashValue(seed: Int) -> Int {
    if case .crosspoint(let number) = self {
      return QuickHash.value(of: UInt64(bitPattern: Int64(number)), seed: seed)
    }
    var hasher = Hasher()
    hasher.combine(seed)
    hash(into: &hasher)
    return hasher.finalize()
  }
}
