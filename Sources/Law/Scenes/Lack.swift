public import Presets
public import SessionModel

/// Something that a preset needs and that is not there now.
public struct Lack: Equatable, Sendable {
  /// The address of the port, of the list of a program's ports, or of the session's activity.
  public let address: String
  /// What is missing, as a clause.
  public let problem: String
}

extension Recall {
  /// What the preset would miss if it were recalled now: devices, programs, and sessions that could not become active. Nothing changes.
  ///
  /// - Throws: `RecallRefusal` if the law refuses the recall.
  public func lacks(
    of state: RouterState, at time: Double, law: PresetReader.Policy
  ) throws(RecallRefusal) -> [Lack] {
    var recall = self
    recall.fade = 0
    let outcome = try recall.outcome(of: state, at: time, law: law)
    let after = Ending.conclude(outcome.endings, on: outcome.state, at: time, law: law).state
    let objects =
      preset.ports.flatMap { ["/output/\($0)", "/input/\($0)"] } + preset.sessions.map { "/session/\($0)" }
    let globs = after.unmatched.filter { lack in
      objects.contains { lack.address == $0 || lack.address.hasPrefix($0 + "/") }
    }
    return globs.map { Lack(address: $0.address, problem: $0.glob.sentence) } + faults(in: after)
      + outcome.waiting.map { id in
        let cause = after.sessions[id]?.refusal.map { " because of \($0.name)" } ?? ""
        return Lack(
          address: "/session/\(id)/active",
          problem: "\(id) cannot become active at present\(cause), and would wait")
      }
  }

  /// The bridges of the preset that do not run.
  private func faults(in state: RouterState) -> [Lack] {
    [Direction.output, .input].flatMap { direction in
      preset.ports.compactMap { id in
        state[direction][id]?.bridgeFault.map { Lack(address: "/\(direction.rawValue)/\(id)", problem: $0) }
      }
    }
  }
}
