import Players
import Recorders
import SessionModel

/// What a player or recorder of the files' threads tells the policy thread.
struct MediaReport: Sendable {
  enum Content: Sendable {
    case player(PlayerID, PlayerEvent)
    case recorder(RecorderID, RecorderEvent)
  }

  let content: Content
  /// The number of the player or recorder: an id may belong to another one by now.
  let number: Int
}

/// The frame and the time at which a change is decided. The audio thread may be up to a period ahead.
struct MediaMoment {
  /// Seconds since the router's start.
  let time: Double
  /// The frame of the plans' count.
  let frame: UInt64
  /// Frames per second.
  let rate: Int
  /// Seconds of the recall's fade that the change has; nil for a change without one.
  var fade: Double?

  /// The frame for a time to come.
  func frame(at time: Double) -> Int {
    Int(frame) + Int((max(0, time - self.time) * Double(rate)).rounded())
  }
}
