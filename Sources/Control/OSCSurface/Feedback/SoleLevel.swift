import Parameters
import SessionModel

extension Comparison {
  /// The parameter and object of the level that is all that has changed: a fader that moves changes nothing else. Nil if anything else has
  /// changed, or if the level became off or stopped being off, which other leaves tell.
  var soleLevel: (template: String, target: Target, address: String)? {
    let (old, new) = (before.state, after.state)
    var rest = old
    let sessions = new.sessions.keys(changedSince: old.sessions)
    if sessions.count == 1, let id = sessions.first, let former = old.sessions[id],
      let present = new.sessions[id]
    {
      rest.sessions = new.sessions
      guard rest == new else { return nil }
      return Self.soleLevel(of: former, present)
    }
    guard sessions.isEmpty, old.outputs != new.outputs else { return nil }
    rest.outputs = new.outputs
    let outputs = new.outputs.keys(changedSince: old.outputs)
    guard outputs.count == 1, let id = outputs.first, var former = old.outputs[id],
      let present = new.outputs[id], Self.movesAlone(former.gain, present.gain)
    else { return nil }
    former.gain = present.gain
    guard former == present, rest == new else { return nil }
    return ("/output/<o>/gain", Target(output: id), "/output/\(id)/gain")
  }

  private static func soleLevel(
    of former: Session, _ present: Session
  ) -> (template: String, target: Target, address: String)? {
    var rest = former
    if movesAlone(former.gain, present.gain) {
      rest.gain = present.gain
      guard rest == present else { return nil }
      return ("/session/<s>/gain", Target(session: present.id), "/session/\(present.id)/gain")
    }
    let streams = present.streams.keys(changedSince: former.streams)
    guard streams.count == 1, let id = streams.first, var stream = former.streams[id],
      let next = present.streams[id], movesAlone(stream.gain, next.gain)
    else { return nil }
    (stream.gain, rest.streams) = (next.gain, present.streams)
    guard stream == next, rest == present else { return nil }
    return (
      "/session/<s>/stream/<t>/gain", Target(session: present.id, stream: id),
      "/session/\(present.id)/stream/\(id)/gain"
    )
  }

  /// Whether a level has moved, and was neither off before nor is now.
  private static func movesAlone(_ former: Control, _ present: Control) -> Bool {
    former != present && !Decibels(former.target).isOff && !Decibels(present.target).isOff
  }
}
