import SessionModel

/// Applies what changes channels: the section of an output, polarity, width and trim.
///
/// A preset may set them at a port whose device now has other channels: they rest until it has the right ones again. A command is refused.
enum ChannelControls {
  /// - Throws: `SessionError` badParam for a port that does not have two channels.
  static func set(
    _ port: inout Port, _ setting: SectionSetting, isRecalling: Bool, curve: FadeCurve, at time: Double
  ) throws(SessionError) {
    switch setting {
    case .dim(let isDimmed): port.section.isDimmed = isDimmed
    case .dimLevel(let level): port.section.dimLevel = level
    case .mono(let isMono):
      if isMono, !isRecalling { try requireStereo(port, for: "mono") }
      port.section.isMono = isMono
    case .swap(let isSwapped):
      if isSwapped, !isRecalling { try requireStereo(port, for: "swap") }
      port.section.isSwapped = isSwapped
    case .balance(let move):
      if move.changes(from: 0), !isRecalling { try requireStereo(port, for: "balance") }
      port.section.balance.move(move, curve: curve, at: time, isLevel: false)
    }
  }

  static func setWidth(
    _ port: inout Port, _ move: ControlMove, isRecalling: Bool, curve: FadeCurve, at time: Double
  ) throws(SessionError) {
    if move.changes(from: 1), !isRecalling { try requireStereo(port, for: "width") }
    port.width.move(move, curve: curve, at: time, isLevel: false)
  }

  static func invert(
    _ port: inout Port, _ channels: [ChannelNumber], isRecalling: Bool
  ) throws(SessionError) {
    if !isRecalling { try check(channels, of: port.id.name, having: port.nameableChannels) }
    port.inverted = channels.inOrder
  }

  static func setWidth(
    _ stream: inout SessionStream, of session: SessionID, _ move: ControlMove, curve: FadeCurve,
    at time: Double
  ) throws(SessionError) {
    guard stream.channels == 2 || !move.changes(from: 1) else {
      throw SessionError(
        .badParam,
        "\(session).\(stream.id) has \(stream.channels.channelsText); width is for 2 channels")
    }
    stream.width.move(move, curve: curve, at: time, isLevel: false)
  }

  static func invert(
    _ stream: inout SessionStream, of session: SessionID, _ channels: [ChannelNumber]
  ) throws(SessionError) {
    try check(channels, of: "\(session).\(stream.id)", having: stream.channels)
    stream.inverted = channels.inOrder
  }

  /// Refuses a balance of more than two channels. The neutral one is accepted: with it a preset takes back another balance.
  static func checkPan(
    _ move: ControlMove, of name: @autoclosure () -> String, having channels: Int
  ) throws(SessionError) {
    guard channels > 2, move.changes(from: 0) else { return }
    throw SessionError(
      .badParam, "\(name()) has \(channels) channels; balance is for 1 and 2 channels")
  }

  /// - Parameter count: 0 if it is unknown.
  private static func check(
    _ channels: [ChannelNumber], of name: String, having count: Int
  ) throws(SessionError) {
    guard count > 0, let absent = channels.first(where: { $0.value > count }) else { return }
    throw SessionError(
      .badParam, "\(name) has \(count.channelsText), so there is no channel \(absent.value)")
  }

  /// A port whose channels are unknown may turn out to have two.
  private static func requireStereo(_ port: Port, for control: String) throws(SessionError) {
    guard port.channels == 0 || port.isStereo else {
      throw SessionError(
        .badParam, "\(port.id) has \(port.channels.channelsText); \(control) is for 2 channels")
    }
  }
}

extension ControlMove {
  /// Whether it leads to another value than a control's neutral one.
  func changes(from neutral: Double) -> Bool {
    switch self {
    case .set(let value, _), .store(let value, _): value != neutral
    default: false
    }
  }
}
