import Presets
import Scenes
import SessionModel

/// A recall whose fade runs.
struct FadingRecall {
  /// The preset that came into force; nil if an undo brought back a state without one.
  let preset: PresetID?
  /// Seconds.
  let fade: Double
  /// When the fade has surely ended in the sound, in seconds since the start.
  let end: Double
  /// Whether the law refuses a session's activation at present.
  let isPartial: Bool
  /// The levels that move.
  let moving: [MarkedLevel]
  /// What changes at the end.
  let endings: [Ending]
  /// Whether the operator has stopped the fade. Streams that come or go still do so until its end.
  var isAborted = false
}

/// The state before the last recall, to which an undo returns.
struct RecallOrigin {
  let state: RouterState
  /// The preset that was in force.
  let inForce: Preset?
}
