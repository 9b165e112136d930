import SessionModel

/// The sample rates at which each session records and plays, and the reports of their changes.
struct ReportedRates: Sendable {
  private var known: [SessionID: Rates] = [:]

  /// Rates in Hz; nil for a direction that the session does not use.
  private struct Rates {
    var record: Int?
    var playout: Int?
  }

  /// The reports of sessions whose rate has changed. A session's first rate is no change, and a server that is away changes none.
  mutating func changes(
    from before: RouterState, to after: RouterState, _ told: [Notification]
  ) -> [Notification] {
    var concerned: [SessionID] = told.compactMap { if case .route(let id, _, _, _) = $0 { id } else { nil } }
    if before.server != after.server {
      // What was in force so far is what the next rate is compared with.
      for session in before.sessions.values { note(session, in: before) }
      concerned = after.sessions.keys
    }
    guard !concerned.isEmpty else { return [] }
    for id in known.keys where after.sessions[id] == nil { known[id] = nil }
    return concerned.flatMap { id in after.sessions[id].map { note($0, in: after) } ?? [] }
  }

  /// Remembers a session's rates, and returns the reports of those that have changed.
  @discardableResult
  private mutating func note(_ session: Session, in state: RouterState) -> [Notification] {
    let record = state.rate(of: session.route.inputs, .input)
    let playout = state.rate(of: session.route.outputs, .output)
    guard record != nil || playout != nil else { return [] }
    let former = known[session.id]
    known[session.id] = Rates(record: record ?? former?.record, playout: playout ?? former?.playout)
    var reports: [Notification] = []
    if let record, let last = former?.record, record != last {
      reports.append(.report(session.id, EventReport(.recordRate, record)))
    }
    if let playout, let last = former?.playout, playout != last {
      reports.append(.report(session.id, EventReport(.playoutRate, playout)))
    }
    return reports
  }
}

extension RouterState {
  /// The sample rate in Hz of the first of some ports: that of a bridged card, or the server's; nil without a port or a server.
  fileprivate func rate(of ports: [PortID], _ direction: Direction) -> Int? {
    guard server.isRunning, let first = ports.first else { return nil }
    if case .card(let card) = self[direction][first]?.bridge?.far, let rate = card.rate { return rate }
    return server.rate
  }
}
