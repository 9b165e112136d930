public import SessionModel

/// A preset that was read and found right: how the show sounds.
public struct Preset: Sendable {
  /// The slug of its file's name.
  public let id: PresetID
  /// What people call it; its id when it has no title.
  public let title: String
  /// Seconds that a recall takes, 0 to 120; nil leaves it to `/preset/fade`.
  public let fade: Double?
  /// The ids of its ports, in the order of the file; what a preset extends comes first, here and below.
  public let ports: [PortID]
  public let sessions: [SessionID]
  let document: PresetDocument

  init(id: PresetID, document: PresetDocument) {
    (self.id, self.document, fade) = (id, document, document.fade)
    title = document.title ?? id.name
    (ports, sessions) = (document.ports.keys, document.sessions.keys)
  }

  /// The events that bring a router from a state to what the preset names; the rest is left alone.
  ///
  /// In this order: ports, the router's settings, sessions and streams, what belongs to them, captures, when to activate. A
  /// guard comes before the destinations of its stream, so nothing is heard where it must not be even for a moment. What is
  /// in force already gives no event. On an empty state with a running server the policy accepts all of them.
  public func events(for state: RouterState) -> [Event] {
    document.steps(for: state).compactMap { try? $0.outcome.get() }
  }
}

/// Names a preset.
public typealias PresetID = Identifier<Preset>
