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
    case (.position, .number(let level)): return [.float(Float(Decibels(level).fader))]
    case (.label, .number(let level)): return [.string(Self.label(level))]
    case (.index, .text(let name)):
      guard case .choice(let names) = parameter.kind else { return nil }
      return [.int32(Int32(names.firstIndex(of: name) ?? 0))]
    case (.lamp(let name), .text(let current)): return [.int32(name == current ? 1 : 0)]
    default: return nil
    }
  }

  /// A level as a label, such as `-12.5 dB` or `off`.
  static func label(_ level: Double) -> String {
    level > Decibels.floor ? "\(level.text(.exactly(1), showsPlus: true)) dB" : "off"
  }
}
