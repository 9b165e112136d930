import MixEngine
import OSC
import SessionModel
import Surface

extension Router {
  /// Has the lane know what a packet moved, if it moved one stage to where its fader stands and did nothing else.
  func noteFader(_ packet: OSCPacket, _ trial: Surface.Trial, _ change: MixChange?) {
    guard let (fader, amplitude) = trial.movedFader(by: packet, in: state), case .levels(let levels) = change,
      let (key, level) = levels.first, levels.count == 1, level.target == amplitude,
      level.ramp.shape == .raisedCosine, let stage = mix?.engine.earlyStage(key)
    else { return lane.forget() }
    lane.learn(fader, stage)
  }
}
