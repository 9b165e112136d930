import SessionModel

extension Notification {
  /// The reports that follow the notification, except those that need the state before it.
  func reports(in state: RouterState) -> [Notification] {
    switch self {
    case .route(let session, _, let previous, let current):
      return state.deviceChanges(from: previous, to: current).map { .report(session, $0) }
    case .interruption(let session, .began, _): return [.report(session, .init(.interruptionBegin, 0))]
    case .interruption(let session, .ended, _): return [.report(session, .init(.interruptionEnd, 1))]
    case .media(isRunning: false): return [.report(nil, .init(.mediaServicesWereLost, 2))]
    case .media(isRunning: true): return [.report(nil, .init(.mediaServicesWereReset, 3))]
    case .hint(let session, true): return [.report(session, .init(.silenceHintBegin, 4))]
    case .hint(let session, false): return [.report(session, .init(.silenceHintEnd, 5))]
    case .glitch(let count, _, _, _, _): return [.report(nil, .init(.playoutGlitch, count))]
    case .error(_, let address, let error):
      return state.failure(at: address, error).map { [.report($0.session, $0.report)] } ?? []
    default: return []
    }
  }
}

extension RouterState {
  /// The reports of a route's change: the types of the ports that a session now records from and plays at.
  fileprivate func deviceChanges(from previous: Route, to current: Route) -> [EventReport] {
    var reports: [EventReport] = []
    if previous.inputs != current.inputs {
      reports.append(EventReport(.inputDevice, types(of: current.inputs, .input)))
    }
    if previous.outputs != current.outputs {
      reports.append(EventReport(.outputDevice, types(of: current.outputs, .output)))
    }
    return reports
  }

  /// The types of ports, joined by `+`; `none` without ports.
  private func types(of ports: [PortID], _ direction: Direction) -> String {
    let names = ports.compactMap { self[direction][$0]?.type.reportedName }
    return names.isEmpty ? "none" : names.joined(separator: "+")
  }
}
