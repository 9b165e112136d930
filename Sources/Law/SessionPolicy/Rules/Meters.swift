import SessionModel

/// Applies which meters an output has.
enum Meters {
  /// A preset may name meters for a device that now has other channels: they rest until it has the right ones again.
  ///
  /// - Throws: `SessionError` badParam for a meter that does not fit the channels.
  static func set(
    _ port: inout Port, _ meters: [OutputMeter], isRecalling: Bool
  ) throws(SessionError) {
    let count = isRecalling ? port.declaredChannels : port.channels
    for meter in meters where count > 0 && !meter.measures(channels: count) {
      throw SessionError(
        .badParam, "\(port.id) has \(count.channelsText); \(meter.rawValue) is for \(meter.widthsText)")
    }
    port.meters = meters.unique
  }
}

extension OutputMeter {
  /// The channels that it can measure, such as `1, 2, 5 or 6 channels`.
  fileprivate var widthsText: String {
    if let mostChannels { return "at most \(mostChannels) channels" }
    let numbers = (widths ?? []).map { "\($0)" }
    let last = numbers.last ?? "any"
    return (numbers.count > 1 ? "\(numbers.dropLast().joined(separator: ", ")) or " : "") + "\(last) channels"
  }
}
