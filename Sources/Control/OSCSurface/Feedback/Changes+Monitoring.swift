import Parameters
import SessionModel

extension Surface {
  /// Compares the solos and the lamps of talkbacks, which change while their objects stay as they are.
  mutating func markMonitoring(_ states: Comparison) {
    let (before, after) = (states.before.state, states.after.state)
    if before.whysOfMonitors != after.whysOfMonitors { compareOutputs("monitor/why", states) }
    guard !before.monitoring.isEmpty || !after.monitoring.isEmpty else { return }
    for solo in Set(before.monitoring.solos).symmetricDifference(after.monitoring.solos) {
      compare("\(solo.template)/solo", solo.target, "\(solo.address)/solo", states)
    }
    for send in Set(before.monitoring.sends).symmetricDifference(after.monitoring.sends) {
      compare(
        "/session/<s>/stream/<t>/to/<o>/solo",
        Target(session: send.session, stream: send.stream, output: send.output),
        "/session/\(send.session)/stream/\(send.stream)/to/\(send.output)/solo", states)
    }
    guard before.monitoringEffects != after.monitoringEffects else { return }
    compareOutputs("talkback", states)
  }

  private mutating func compareOutputs(_ leaf: String, _ states: Comparison) {
    for id in states.after.state.outputs.keys {
      compare("/output/<o>/\(leaf)", Target(output: id), "/output/\(id)/\(leaf)", states)
    }
  }
}

extension SoloTarget {
  fileprivate var template: String {
    switch self {
    case .session: "/session/<s>"
    case .stream: "/session/<s>/stream/<t>"
    case .input: "/input/<i>"
    case .output: "/output/<o>"
    case .player: "/player/<p>"
    case .group: "/group/<g>"
    }
  }

  fileprivate var target: Target {
    switch self {
    case .session(let id): Target(session: id)
    case .stream(let session, let id): Target(session: session, stream: id)
    case .input(let id): Target(input: id)
    case .output(let id): Target(output: id)
    case .player(let id): Target(player: id)
    case .group(let id): Target(group: id)
    }
  }

  var address: String {
    switch self {
    case .session(let id): "/session/\(id)"
    case .stream(let session, let id): "/session/\(session)/stream/\(id)"
    case .input(let id): "/input/\(id)"
    case .output(let id): "/output/\(id)"
    case .player(let id): "/player/\(id)"
    case .group(let id): "/group/\(id)"
    }
  }
}
