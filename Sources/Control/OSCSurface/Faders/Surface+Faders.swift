public import ControlInterface
public import OSC
import Parameters
public import SessionModel

extension Surface {
  /// A fader that a peer moves by messages with one number.
  public struct Fader: Equatable, Sendable {
    public let peer: Peer
    public let address: String
    /// Whether the number is a fader position 0...1 instead of dB.
    let isPosition: Bool
    /// The highest accepted level, in dB.
    let maximum: Decibels

    /// The amplitude for a number; nil if the number would be refused or clamped.
    public func amplitude(_ number: Float) -> Float? {
      let number = Double(number)
      guard (isPosition ? 0...1 : Decibels.floor...maximum.value).contains(number) else { return nil }
      let level = isPosition ? Decibels(fader: number) : Decibels(number)
      return level <= maximum ? level.amplitude : nil
    }
  }
}

extension Surface.Trial {
  /// The fader that a packet moved, and its new amplitude; nil if the packet did anything else.
  /// - Parameters:
  ///   - packet: the packet that was tried.
  ///   - state: the state after the packet.
  public func movedFader(
    by packet: OSCPacket, in state: RouterState
  ) -> (fader: Surface.Fader, amplitude: Float)? {
    // Whether a level fits a total maximum depends on other faders, which may move early as well; so does the level of a group's member.
    guard case .message(let message) = packet, transaction.failures.isEmpty, !state.hasTotalMaxima,
      state.groups.isEmpty,
      let match = transaction.tried[message.address], match.parameter.isLevel,
      case .control(let moved) = match.parameter.binding, let reading = moved.reading(state, match.target)
    else { return nil }
    let fader = Surface.Fader(
      peer: transaction.peer, address: match.address, isPosition: match.aspect == .position,
      maximum: Decibels(reading.maximum))
    return (fader, Decibels(reading.control.target).amplitude)
  }
}
