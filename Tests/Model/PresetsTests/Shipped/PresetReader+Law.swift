import Presets
import SessionModel
import SessionPolicy

extension PresetReader {
  /// A reader with the law that the router has.
  static let withLaw = PresetReader { state, event, time throws(SessionError) in
    try SessionPolicy.Policy.reduce(&state, event, at: time)
  }
}
