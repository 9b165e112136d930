import Numbers
import SessionModel

/// The audio thread needs so much of its period that xruns are near.
struct HighLoad: HealthCheck {
  static let rule = HealthRule.load
  private var isHigh = false

  /// Shares of the period at which the condition begins and ends.
  private static let (begin, end) = (0.7, 0.6)

  mutating func sentence(_ view: HealthView) -> String? {
    isHigh = view.state.loop.load.now > (isHigh ? Self.end : Self.begin)
    return isHigh
      ? "the audio thread uses more than \((Self.begin * 100).text(.upTo(0))) % of its time; a longer period, fewer streams or fewer players help"
      : nil
  }
}
