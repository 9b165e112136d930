import OSC

/// An event for a session; the scenarios' words for `/event/*`.
enum Told: Equatable {
  /// The cause of a change of a session's state.
  enum Agent: String { case app, system }

  /// An interruption began, with the number of the reason. Follows `inactive(.system)`.
  case began(Int32)
  /// The interruption ended, and whether the session should resume. `recommend` follows.
  case ended(Int32)
  case active(Agent)
  case inactive(Agent)
  case recommend(Int32)
  /// Secondary audio should be silent, or no longer.
  case hint(Int32)
  /// AVAudioSession's output mute.
  case outputMute(Int32)
  /// The reason by number, and the route that was left.
  case route(Int32, previous: String)
  case inputs
  /// The programs of the session have vanished.
  case vanished

  /// The session and its event; nil for an event that does not concern a session.
  static func read(_ message: OSCMessage) -> (session: String, told: Told)? {
    guard message.address.hasPrefix("/event/") else { return nil }
    let arguments = message.arguments.dropFirst()
    guard let session = arguments.first?.text else { return nil }
    let rest = Array(arguments.dropFirst())
    let numbers = rest.map { if case .int32(let number) = $0 { number } else { Int32.min } }
    let told: Told? =
      switch (message.address, rest.first, rest.count) {
      case ("/event/interruption", "began", 3): .began(numbers[1])
      case ("/event/interruption", "ended", 3): .ended(numbers[1])
      case ("/event/active", 1, 2): rest[1].text.flatMap(Agent.init).map(Told.active)
      case ("/event/active", 0, 2): rest[1].text.flatMap(Agent.init).map(Told.inactive)
      case ("/event/recommend", _?, 1): .recommend(numbers[0])
      case ("/event/hint", _?, 1): .hint(numbers[0])
      case ("/event/mute", _?, 1): .outputMute(numbers[0])
      case ("/event/route", _?, 4): .route(numbers[0], previous: rest[2].text ?? "")
      case ("/event/inputs", nil, 0): .inputs
      case ("/event/session", "vanished", 1): .vanished
      default: nil
      }
    return told.map { (session, $0) }
  }

  /// With its companions.
  var implied: [Told] {
    switch self {
    case .began: [.inactive(.system), self]
    case .ended(let resume): [self, .recommend(resume)]
    default: [self]
    }
  }
}
