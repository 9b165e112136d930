public import Presets
public import SessionModel

extension RoutingPlan {
  /// Draws the plan of a preset for a stage on which all its devices and programs are there.
  ///
  /// - Parameter law: decides where sessions with one output are heard, and which sessions are ducked.
  public init(of preset: Preset, law: PresetReader.Policy) {
    let state = RouterState(rehearsing: preset, law: law)
    self.init(of: state, title: preset.title, law: law)
  }
}
