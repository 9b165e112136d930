public import JSON5
import Parameters
public import SessionModel

extension Preset {
  /// Writes a state as a preset for people: every setting of some parts, in the order of the table. Recalled, it brings back the same
  /// settings, and leaves all other parts as they are.
  ///
  /// A fade is written as the value at its end.
  /// - Parameters:
  ///   - title: the name for people; nil keeps that of `former`.
  ///   - former: the preset that the new one replaces; its fade, scope and safes stay.
  public static func json(
    of state: RouterState, title: String?, scope: Set<Scope>, replacing former: Preset? = nil
  ) -> JSONValue {
    var writer = StateWriter(state, storing: scope)
    var members = writer.preset()
    let document = former?.document
    var head: [JSONValue.Member] = []
    if let title = title ?? document?.title { head.append(.init("title", .string(title))) }
    if let fade = document?.fade { head.append(.init("fade", .number(fade))) }
    // What the document does not contain must not be taken back by its recall.
    let parts = scope.intersection(former?.scope ?? scope)
    if parts.count < Scope.allCases.count { head.append(.init("scope", .string(Scope.text(of: parts)))) }
    if let safes = document?.safes, !safes.isEmpty {
      head.append(.init("safe", .array(safes.map { .string($0) })))
    }
    members.insert(contentsOf: head, at: 1)
    writer.noteKeyless()
    if !writer.settings.isEmpty { members.append(.init("settings", .object(writer.settings))) }
    return .object(members)
  }

  /// The guards that the preset names, by session and stream.
  public var guards: [(session: SessionID, stream: StreamID, never: [PortID])] {
    document.sessions.flatMap { session, entry in
      entry.streams.compactMap { stream, entry in
        guard case .texts(let texts)? = entry.leaves["never"]?.value, !texts.isEmpty else { return nil }
        return (session, stream, texts.compactMap { PortID($0) })
      }
    }
  }
}
