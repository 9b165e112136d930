public import OSC
import Parameters
public import SessionModel

extension OSCMessage {
  /// The message that subscribers receive for a notification (docs/develop/law/osc.md#12-events).
  public init(_ event: NumberedNotification) {
    let arguments = event.notification.arguments.map { argument -> OSCArgument in
      switch argument {
      case .integer(let number): .int32(number)
      case .text(let text): .string(text)
      case .number(let number): .float(Float(number))
      }
    }
    self.init(event.notification.address, [.int32(event.serial)] + arguments)
  }
}
