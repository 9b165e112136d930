import MixEngine
import SessionModel

/// The levels of what changes channels: the section of an output, trim and width.
extension LevelBuilder {
  /// A dimmed output is one that is muted in part. One whose effects must not be skipped is muted without them.
  func level(ofMutedOrDimmed port: Port) -> MixLevels.Level {
    var level = level(isOpen: !port.isMuted && !port.insert.isSilencing, .output(port.id))
    if level.target > 0, port.section.isDimmed { level.target = Decibels(port.section.dimLevel).amplitude }
    return level
  }

  /// - Parameter isHeard: whether the output plays already. Then its balance begins in the middle, where it was without the stage.
  mutating func addBalance(of port: Port, isHeard: Bool) {
    let balance = port.section.balance
    guard balance.isUsed else { return }
    for side in 0...1 {
      var level = level(balance: balance, side)
      level.initial = isHeard ? 1 : nil
      levels.stages[.outputBalance(port.id, channel: side)] = level
    }
  }

  mutating func addChannelControls(of input: Port) {
    if input.trim.isUsed {
      levels.stages[.inputTrim(input.id)] = level(input.trim, fadeShape: .decibels, isLevel: false) {
        Decibels($0).amplitude
      }
    }
    guard input.width.isUsed else { return }
    for isCrossed in [false, true] {
      levels.stages[.inputWidth(input.id, isCrossed: isCrossed)] = level(input.width, isCrossed: isCrossed)
    }
  }

  mutating func addWidth(of stream: SessionStream, of session: SessionID) {
    guard stream.width.isUsed else { return }
    for isCrossed in [false, true] {
      levels.stages[.streamWidth(session, stream.id, isCrossed: isCrossed)] = level(
        stream.width, isCrossed: isCrossed)
    }
  }

  mutating func addPans(ofSendsOf stream: SessionStream, of session: Session) {
    guard session.category == .multiRoute else { return }
    for (output, destination) in stream.destinations where destination.pan.isUsed {
      for side in 0...1 {
        levels.stages[.sendPan(session.id, stream.id, output, channel: side)] = level(
          balance: destination.pan, side)
      }
    }
  }

  /// A width w: (1 + w) / 2 of a channel stays there, and (1 - w) / 2 goes to the other one.
  private func level(_ width: Control, isCrossed: Bool) -> MixLevels.Level {
    level(width, fadeShape: .linear, isLevel: false) { Float((1 + (isCrossed ? -$0 : $0)) / 2) }
  }
}
