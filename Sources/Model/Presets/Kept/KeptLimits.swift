import Parameters
import SessionModel

/// Guards and maxima of the ids in a kept state that had no session or stream then, or have none in the preset that is in force now. They
/// belong to the ids, so a crash must not end them.
struct KeptLimits {
  private var list: [(session: SessionID, limits: RememberedLimits.Limits)]

  init(_ kept: KeptEntry?) { list = kept?.remembered ?? [] }

  /// Adds what an entry of a session says, of which only the given streams are dropped; all of it if there is no list.
  mutating func add(_ id: SessionID, _ entry: SessionEntry, streams: [StreamID]? = nil) {
    var limits = RememberedLimits.Limits()
    if streams == nil, case .number(let maximum)? = entry.leaves["max"]?.value { limits.maximum = maximum }
    for (stream, entry) in entry.streams where streams?.contains(stream) ?? true {
      if case .texts(let names)? = entry.leaves["never"]?.value {
        limits.never[stream] = names.compactMap { PortID($0) }
      }
    }
    list.append((id, limits))
  }

  /// Brings them into force: at the ids that exist, if that makes nothing louder, and otherwise as soon as the ids exist again.
  func apply(to state: inout RouterState, at time: Double, _ law: PresetReader.Policy) -> [Notification] {
    var notifications: [Notification] = []
    for (id, limits) in list {
      var rest = limits
      if let session = state.sessions[id] {
        var events: [Event] = []
        if let maximum = limits.maximum, maximum < session.maximum {
          events.append(.session(id, .maximum(maximum)))
        }
        rest.maximum = nil
        for (stream, never) in limits.never {
          guard let present = session.streams[stream] else { continue }
          rest.never[stream] = nil
          let missing = never.filter { !present.never.contains($0) }
          if !missing.isEmpty { events.append(.stream(id, stream, .never(present.never + missing))) }
        }
        for event in events { notifications += (try? law(&state, event, time)) ?? [] }
      }
      state.remembered.note(rest, of: id)
    }
    return notifications
  }
}
