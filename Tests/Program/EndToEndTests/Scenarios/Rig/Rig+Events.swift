import OSC
import Testing

/// Events for sessions.
extension Rig {
  /// Keeps the events among received messages.
  func note(_ messages: [OSCMessage]) {
    for message in messages {
      if let (session, what) = Told.read(message) { told.append((session, what, message)) }
    }
  }

  /// Drops all events until now, so that expectations concern only later events.
  @discardableResult
  func forgetEvents() throws -> [OSCMessage] {
    note(try surface.takeAll())
    defer { told = [] }
    return told.map(\.message)
  }

  /// Consumes the caller's own event, which must have arrived once, before the reply.
  func expectOwn(_ own: Told, of id: String, sourceLocation: SourceLocation) {
    note(surface.takeInbox())
    let places = told.indices.filter { told[$0].session == id && told[$0].told == own }
    #expect(
      places.count == 1, "\(id) must be told \(own) once before the reply", sourceLocation: sourceLocation)
    if let place = places.first { told.remove(at: place) }
  }

  /// Expects exactly these events since the last expectation, in this order for each session, with the companions that they imply.
  ///
  /// - Parameters:
  ///   - hints: whether hints count. They count only if a scenario names them.
  ///   - beforeReply: whether only events count that arrived before the reply to the last command.
  func expectEvents(
    _ expected: [String: [Told]], hints: Bool = false, beforeReply: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    note(beforeReply ? surface.takeInbox() : try surface.takeAll())
    let all = told
    told = []
    for id in Set(all.map(\.session)).union(expected.keys).sorted() {
      let wanted = (expected[id] ?? []).flatMap(\.implied)
      let got = all.filter { $0.session == id }.map(\.told).filter {
        switch $0 {
        case .hint: hints
        case .vanished: wanted.contains(.vanished)
        default: true
        }
      }
      #expect(got == wanted, "what \(id) is told", sourceLocation: sourceLocation)
    }
  }

  /// Waits for an event of a session, without consuming it.
  ///
  /// - Returns: the seconds that it took.
  @discardableResult
  func awaitEvent(
    _ what: Told, of id: String, seconds: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Double {
    let start = ContinuousClock.now
    func passed() -> Double { (ContinuousClock.now - start) / .seconds(1) }
    while true {
      note(surface.takeInbox())
      if told.contains(where: { $0.session == id && $0.told == what }) { return passed() }
      guard passed() < seconds, try surface.receive(seconds: seconds - passed()) || passed() < seconds else {
        Issue.record(
          "\(id) was not told \(what) within \(seconds) s, but \(told.map { ($0.session, $0.told) })",
          sourceLocation: sourceLocation)
        return passed()
      }
    }
  }
}
