import OSC
import SessionModel

/// The last events, numbered without gaps, for those who missed some.
struct EventLog: Sendable {
  private var ring: [OSCMessage] = []
  private(set) var last: Int32 = 0

  /// Most events that are kept.
  static let capacity = 1_000

  /// Numbers an event and keeps it.
  mutating func append(_ notification: Notification) -> OSCMessage {
    last &+= 1
    let message = notification.message(serial: last)
    ring.append(message)
    // Trimmed in large steps, so that appending stays cheap.
    if ring.count >= 2 * Self.capacity { ring.removeFirst(ring.count - Self.capacity) }
    return message
  }

  /// The events after a serial number, or what is kept if some of them are gone or the number was never given.
  func since(_ serial: Double) -> [OSCMessage] {
    let kept = ring.suffix(Self.capacity)
    let first = last - Int32(kept.count) + 1
    guard serial >= Double(first) - 1, serial <= Double(last) else {
      return [OSCMessage("/event/lost", .int32(first), .int32(last))]
    }
    return Array(kept.dropFirst(Int(serial) + 1 - Int(first)))
  }
}

extension Notification {
  /// As sent to subscribers (osc contract, section 3).
  func message(serial: Int32) -> OSCMessage {
    let number = OSCArgument.int32(serial)
    func text(_ text: some CustomStringConvertible) -> OSCArgument { .string("\(text)") }
    func flag(_ isOn: Bool) -> OSCArgument { .int32(isOn ? 1 : 0) }
    switch self {
    case .route(let session, let reason, let previous, let current):
      return OSCMessage(
        "/event/route", number, text(session), .int32(Int32(reason.rawValue)), text("\(reason)"),
        text(previous.text),
        text(current.text))
    case .inputs(let session):
      return OSCMessage("/event/inputs", number, text(session))
    case .active(let session, let isActive, let agent):
      return OSCMessage("/event/active", number, text(session), flag(isActive), text(agent.rawValue))
    case .interruption(let session, .began(let reason), let interrupter):
      return OSCMessage(
        "/event/interruption", number, text(session), text("began"), .int32(Int32(reason.rawValue)),
        text(interrupter.name))
    case .interruption(let session, .ended(let shouldResume), let interrupter):
      return OSCMessage(
        "/event/interruption", number, text(session), text("ended"), flag(shouldResume),
        text(interrupter.name))
    case .recommendation(let session, let shouldResume):
      return OSCMessage("/event/recommend", number, text(session), flag(shouldResume))
    case .hint(let session, let isSilenced):
      return OSCMessage("/event/hint", number, text(session), flag(isSilenced))
    case .outputMute(let session, let isMuted):
      return OSCMessage("/event/mute", number, text(session), flag(isMuted))
    case .category(let session, let configuration):
      return OSCMessage(
        "/event/category", number, text(session), text(configuration.category.rawValue),
        text(configuration.mode.rawValue), text(configuration.options.text))
    case .session(let session, let change):
      return OSCMessage("/event/session", number, text(session), text(change.rawValue))
    case .port(let direction, let port, let isAvailable):
      return OSCMessage(
        "/event/port", number, text(direction == .input ? "in" : "out"), text(port), flag(isAvailable))
    case .media(let isRunning):
      return OSCMessage("/event/media", number, text(isRunning ? "reset" : "lost"))
    case .xrun(let count):
      return OSCMessage("/event/xrun", number, .int32(Int32(clamping: count)))
    case .error(let client, let address, let error):
      return OSCMessage(
        "/event/error", number, .int32(Int32(clamping: client)), .int32(Int32(error.code.rawValue)),
        text(address), text(error.code.symbol), text(error.sentence))
    }
  }
}
