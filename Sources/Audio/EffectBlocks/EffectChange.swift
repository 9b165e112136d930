/// A change of a control, on its way to the effects program.
public struct EffectChange: BitwiseCopyable, Sendable {
  public var place: EffectPlace
  /// Which load of the chain is meant; a change for another one is dropped.
  public var revision: Int
  /// The control's number among the plugin's ports; nil switches the effect itself on (1) or off (0).
  public var port: Int?
  public var value: Float
  /// In how many frames the control gets there.
  public var frames: Int

  @_noLocks
  public init(_ place: EffectPlace, revision: Int, port: Int?, value: Float, frames: Int) {
    (self.place, self.revision, self.port) = (place, revision, port)
    (self.value, self.frames) = (value, frames)
  }
}

/// The same as it stands in the shared memory.
struct EffectChangeWords: BitwiseCopyable {
  let place: Int32
  let revision: Int32
  let port: Int32
  let value: Float
  let frames: Int32

  @_noLocks
  init(_ change: EffectChange) {
    place = Int32(truncatingIfNeeded: change.place.word())
    revision = Int32(truncatingIfNeeded: change.revision)
    port = Int32(truncatingIfNeeded: change.port ?? -1)
    value = change.value
    frames = Int32(truncatingIfNeeded: change.frames)
  }

  @_noLocks
  func change() -> EffectChange? {
    guard let place = EffectPlace(word: Int(place)) else { return nil }
    return EffectChange(
      place, revision: Int(revision), port: port < 0 ? nil : Int(port), value: value, frames: Int(frames))
  }
}
