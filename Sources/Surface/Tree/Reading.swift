import OSC
import Parameters
import SessionModel

extension Match {
  /// What a get is answered with; nil where nothing can be read.
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

  /// `-12.5 dB`, `off`; written by hand because formatting would need Foundation.
  static func label(_ level: Double) -> String {
    guard level > Decibels.floor else { return "off" }
    let tenths = Int((level * 10).rounded())
    let sign = tenths < 0 ? "-" : tenths > 0 ? "+" : ""
    return "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
  }
}
