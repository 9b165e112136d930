import MixEngine
import Presets
import Scenes
import SessionModel

/// A recall whose fade runs.
struct FadingRecall {
  /// The preset that came into force; nil if an undo brought back a state without one.
  let preset: PresetID?
  /// Seconds.
  let fade: Double
  /// When the fade has ended, in seconds since the start.
  let end: Double
  /// The engine that fades, and its frame at which the fade has surely ended in the sound. A server may need longer for the frames than the
  /// clock, in freewheel or after xruns.
  let sound: (engine: MixEngine, end: UInt64)?
  /// Whether the law refuses a session's activation at present.
  let isPartial: Bool
  /// The levels that move.
  let moving: [MarkedLevel]
  /// What changes at the end.
  let endings: [Ending]
  /// Whether the operator has stopped the fade. Streams that come or go still do so until its end.
  var isAborted = false

  /// Whether the fade has ended, by the clock and in the sound. An engine that is no longer used does not sound.
  /// - Parameter present: the engine in use.
  func isOver(at time: Double, _ present: MixEngine?) -> Bool {
    guard end <= time else { return false }
    guard let sound, sound.engine === present else { return true }
    return sound.engine.framesProcessed >= sound.end
  }
}

/// The preset in force.
struct PresetInForce {
  /// The preset as its successor must see it. If it left any of the preset before it alone, it has the settings of both.
  let whole: Preset
  /// The preset that it left alone, as a whole or in part.
  let base: Preset?
  /// Whether a scope or safes bounded its recall.
  let isBounded: Bool
  /// Whether its successor is of another project, and takes nothing over.
  let isLeft: Bool

  init(_ preset: Preset, after predecessor: Preset?, isBounded: Bool = false, isLeft: Bool = false) {
    whole = preset.inForce(after: predecessor, isBounded: isBounded)
    base = isBounded || preset.onlyAdds ? predecessor : nil
    (self.isBounded, self.isLeft) = (isBounded, isLeft)
  }

  /// The preset as the one that a recall replaces.
  var predecessor: Predecessor { Predecessor(whole, isEarlierVersion: false, isLeft: isLeft) }
}

/// The state before the last recall, to which an undo returns.
struct RecallOrigin {
  let state: RouterState
  /// The preset that was in force.
  let inForce: PresetInForce?
  /// The levels that recalls had not brought to their ends.
  let unfinished: [MarkedLevel]
}
