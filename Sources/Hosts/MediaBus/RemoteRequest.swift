public import Queues
public import SessionModel

/// What headset keys can ask of a player. The names are those of `/remote/<verb>`.
public enum DesktopVerb: String, CaseIterable, Sendable {
  case play, pause, toggle, stop, next, previous

  /// The name of the method of MPRIS.
  var method: String {
    switch self {
    case .play: "Play"
    case .pause: "Pause"
    case .toggle: "PlayPause"
    case .stop: "Stop"
    case .next: "Next"
    case .previous: "Previous"
    }
  }
}

/// What the desktop asks of the router's now-playing player.
public enum RemoteRequest: Equatable, Sendable {
  case verb(DesktopVerb)
  /// Moves by so many seconds, backwards if negative; stays in the track.
  case seek(by: Double)
  /// Goes to a place, in seconds from the start of the track.
  case position(Double)
  case rate(Double)
  case repeats(RepeatMode)
  case shuffle(Bool)
  /// At most 0 dB.
  case gain(Decibels)
}
