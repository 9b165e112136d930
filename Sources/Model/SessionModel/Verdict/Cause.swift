/// One cause of silence or of a change of the sound, on a session's way from its programs to the loudspeakers.
public struct Cause: Equatable, Sendable {
  /// Where on the way the cause acts.
  public let place: Place
  /// A clause without `; `, so that several causes can be joined.
  public let sentence: String
  /// The verdict by which this cause alone silences the whole session; nil if the cause changes the sound, or silences a part of it.
  public let verdict: Verdict?

  /// A stop on the way from the programs of a session to the loudspeakers.
  public enum Place: Equatable, Sendable {
    case router, session, program
    case player(PlayerID)
    case stream(StreamID)
    case send(StreamID, PortID)
    case output(PortID)
    /// All outputs together.
    case outputs
    /// A group, which acts on several stops.
    case group(GroupID)
  }

  init(_ place: Place, _ sentence: String, _ verdict: Verdict? = nil) {
    (self.place, self.verdict) = (place, verdict)
    self.sentence = String(sentence.prefix { $0 != ";" })
  }

  /// The place and what acts there, such as `output usb: muted`.
  public var text: String { "\(place): \(sentence)" }
}

extension Cause.Place: CustomStringConvertible {
  /// The words that begin a cause, such as `send click to usb`.
  public var description: String {
    switch self {
    case .router: "router"
    case .session: "session"
    case .program: "program"
    case .player(let id): "player \(id)"
    case .stream(let id): "stream \(id)"
    case .send(let id, let port): "send \(id) to \(port)"
    case .output(let id): "output \(id)"
    case .outputs: "outputs"
    case .group(let id): "group \(id)"
    }
  }
}
