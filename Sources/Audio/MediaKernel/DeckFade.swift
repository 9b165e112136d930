/// A gain that goes in a straight line from 0 to 1 or back.
struct DeckFade: BitwiseCopyable {
  var rises = true
  var done = 0
  /// Frames of the whole fade; 0 is no fade.
  var length = 0

  @_noLocks
  init() {}

  @_noLocks
  init(rises: Bool, length: Int) { (self.rises, self.length) = (rises, length) }

  @_noLocks
  func isOver() -> Bool { done >= length }

  /// The other direction, from the same gain.
  @_noLocks
  func turned(length: Int) -> DeckFade {
    var turned = DeckFade(rises: !rises, length: length)
    if self.length > 0 { turned.done = length &* (self.length &- done) / self.length }
    return turned
  }

  /// Multiplies samples by the gains from `done` on.
  @_noLocks
  func apply(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let step = 1 / Float(length)
    for index in 0..<count {
      let risen = min(1, Float(done &+ index) * step)
      samples[index] *= rises ? risen : 1 - risen
    }
  }
}
