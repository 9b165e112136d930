import MixEngine
import SessionModel
import SoundConversion

extension LevelBuilder {
  /// A winding player is heard so much lower, in dB.
  private static let windingGain = -12.0

  /// Adds the player's own stages.
  mutating func add(_ player: MediaPlayer) {
    addGain(of: player)
    levels.stages[.playerMute(player.id)] = level(isOpen: !player.isMuted, .player(player.id))
    for side in 0...1 {
      levels.stages[.playerPan(player.id, channel: side)] = level(balance: player.pan, side)
    }
    levels.stages[.playerNormalise(player.id)] = ramp(to: player.normalisationGain)
    levels.stages[.playerWind(player.id)] = ramp(to: player.winding == .none ? 0 : Self.windingGain)
  }

  /// A level in dB that is reached with the router's ramp.
  private func ramp(to gain: Double) -> MixLevels.Level {
    MixLevels.Level(target: Decibels(gain).amplitude, seconds: state.ramp.target)
  }

  /// The level of a recorder's crosspoints. It needs no ramp: nothing is heard there.
  var unity: MixLevels.Level { MixLevels.Level(target: 1, seconds: 0) }
}

extension MediaPlayer {
  /// The gain in dB that brings the present item to the wanted loudness; 0 as long as its loudness is unknown.
  var normalisationGain: Double {
    guard let wanted = normalisation, let loudness = facts.loudness, let peak = facts.peak else { return 0 }
    return SoundLoudness(loudness: loudness, peak: Double(Decibels(peak).amplitude)).gain(to: wanted)
  }
}
