import Effects
import Numbers
import OSC
import Parameters
import SessionModel

extension Match {
  /// The answer to a `/get`; nil if the leaf cannot be read.
  func read(_ moment: Moment) -> [OSCArgument]? {
    guard let value = parameter.read(moment, target) else { return nil }
    switch (aspect, value) {
    case (.value, _): return value.arguments
    case (.position, .number(let value)):
      return position(of: value, in: moment.state).map { [.float(Float($0))] }
    case (.label, .number(let value)):
      let text = parameter.plugin(moment.state, target)?.text(of: Float(value))
      return [.string(text ?? Self.label(value))]
    case (.index, .text(let name)):
      guard case .choice(let names) = parameter.kind else { return nil }
      return [.int32(Int32(names.firstIndex(of: name) ?? 0))]
    case (.lamp(let name), .text(let current)): return [.int32(name == current ? 1 : 0)]
    default: return nil
    }
  }

  /// Where a level, or a control of a plugin, stands on a fader; nil for a control whose plugin is not loaded.
  private func position(of value: Double, in state: RouterState) -> Double? {
    if let plugin = parameter.plugin(state, target) { return Double(plugin.share(of: Float(value))) }
    return parameter.isPluginControl ? nil : Decibels(value).fader
  }

  /// A level as a label, such as `-12.5 dB` or `off`.
  static func label(_ level: Double) -> String {
    level > Decibels.floor ? "\(level.text(.exactly(1), showsPlus: true)) dB" : "off"
  }
}
