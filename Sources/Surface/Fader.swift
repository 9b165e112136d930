public import OSC
import Parameters
public import SessionModel

extension Surface {
  /// A level that a peer moves by messages of one number.
  public struct Fader: Equatable, Sendable {
    public let peer: PeerAddress
    public let address: String
    /// Whether the number is a position 0...1, not dB.
    let isPosition: Bool
    /// The most that is accepted.
    let maximum: Decibels

    /// The amplitude that a number means; nil for one that is refused or clamped.
    public func amplitude(_ number: Float) -> Float? {
      let number = Double(number)
      guard (isPosition ? 0...1 : Decibels.floor...maximum.value).contains(number) else { return nil }
      let level = isPosition ? Decibels(fader: number) : Decibels(number)
      return level <= maximum ? level.amplitude : nil
    }
  }
}

extension Surface.Trial {
  /// The fader that a packet moved and the amplitude it stands for now, if that is all that the packet did.
  /// - Parameters:
  ///   - packet: the one that was tried.
  ///   - state: what it led to.
  public func movedFader(
    by packet: OSCPacket, in state: RouterState
  ) -> (fader: Surface.Fader, amplitude: Float)? {
    guard case .message(let message) = packet, transaction.failures.isEmpty,
      let match = transaction.tried[message.address], match.parameter.isLevel,
      case .control(let moved) = match.parameter.binding, let control = moved.control(state, match.target)
    else { return nil }
    let fader = Surface.Fader(
      peer: transaction.peer, address: match.address, isPosition: match.aspect == .position,
      maximum: Decibels(moved.maximum(state, match.target)))
    return (fader, Decibels(control.target).amplitude)
  }
}
