import Effects

/// The controls of a running effect: their values, and those that are on their way to another one.
///
/// The sound thread alone uses it while the effect runs; nothing is allocated then.
struct ControlMotions {
  private struct Motion {
    var port: Int
    var from: Float
    var to: Float
    var done: Int
    var frames: Int
  }

  /// The value of each port that is a control, by the port's number.
  let values: UnsafeMutablePointer<Float>
  private let controls: [EffectControl?]
  private var motions: [Motion] = []
  /// Changes that step; they wait until the effect is not heard.
  private var steps: [(port: Int, value: Float)] = []

  /// Frames after which a control that moves gets its next value.
  static let piece = 16

  /// - Parameters:
  ///   - values: memory for a value of each port.
  ///   - controls: by the port's number; nil for a port that is no control input.
  init(_ values: UnsafeMutablePointer<Float>, _ controls: [EffectControl?]) {
    (self.values, self.controls) = (values, controls)
    motions.reserveCapacity(controls.count)
    steps.reserveCapacity(controls.count)
  }

  var areMoving: Bool { !motions.isEmpty }
  var wantSteps: Bool { !steps.isEmpty }

  /// Has a control go to a value in so many frames. A toggle or a choice steps.
  mutating func move(_ port: Int, to wanted: Float, frames: Int) {
    guard controls.indices.contains(port), let control = controls[port] else { return }
    let value = control.accepted(wanted)
    motions.removeAll { $0.port == port }
    if control.kind == .continuous {
      guard value != values[port] else { return }
      motions.append(Motion(port: port, from: values[port], to: value, done: 0, frames: max(1, frames)))
    } else {
      steps.removeAll { $0.port == port }
      if value != values[port] { steps.append((port, value)) }
    }
  }

  /// Makes the steps that wait.
  mutating func step() {
    for (port, value) in steps { values[port] = value }
    steps.removeAll(keepingCapacity: true)
  }

  /// Moves on by some frames.
  mutating func advance(_ frames: Int) {
    var index = 0
    while index < motions.count {
      motions[index].done += frames
      let motion = motions[index]
      if motion.done >= motion.frames {
        values[motion.port] = motion.to
        motions.remove(at: index)
      } else if let control = controls[motion.port] {
        let share = Float(motion.done) / Float(motion.frames)
        values[motion.port] = control.between(motion.from, motion.to, share: share)
        index += 1
      }
    }
  }
}
