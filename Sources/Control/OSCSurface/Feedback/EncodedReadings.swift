import ControlInterface
import OSC
import Parameters

/// The readings of leaves at one moment as messages, so that a value that many clients get is read and encoded once.
struct EncodedReadings {
  private let moment: Moment
  private var messages: [Key: EncodedMessage?] = [:]

  private struct Key: Hashable {
    let address: String
    let switches: SwitchFormat
  }

  init(_ moment: Moment) { self.moment = moment }

  /// The message of a leaf; nil if it cannot be read any more.
  mutating func message(_ match: Match, _ switches: SwitchFormat) -> EncodedMessage? {
    let key = Key(address: match.address, switches: switches)
    if let known = messages[key] { return known }
    let message = match.read(moment).map { EncodedMessage(switches.message(match, $0)) }
    messages[key] = message
    return message
  }
}
