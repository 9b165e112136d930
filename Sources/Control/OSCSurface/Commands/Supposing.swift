import OSC
import Parameters
import Scenes
import SessionModel

extension Surface {
  /// Answers what a message would change. The message is tried on a copy of the surface and of the packet's state, and both are dropped.
  /// - Throws: `SessionError` that the message would get, or badValue for a message that only asks, or whose effect depends on files.
  mutating func suppose(
    _ arguments: Arguments, _ result: inout PacketTransaction.Result, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let address = try arguments.text()
    guard transaction.budget.suppositions > 0 else {
      throw SessionError(.rateLimited, "one packet may ask /what/if at most 8 times; send several packets")
    }
    transaction.budget.suppositions -= 1
    // A supposed /hello would tell whether a passcode is right, and no limit would count it.
    let asked = try? tree.find(address, in: transaction.state, isSet: true)
    guard asked?.parameter.command?.concernsSender != true else { throw Self.changesNothing(address) }
    var (surface, trial) = (self, transaction)
    var supposed = PacketTransaction.Result(address: address)
    do throws(SessionError) {
      try surface.perform(OSCMessage(address, arguments.behind(1)), &supposed, in: &trial)
    } catch {
      (transaction.words, transaction.budget) = (trial.words, trial.budget)
      throw error
    }
    (transaction.words, transaction.budget) = (trial.words, trial.budget)
    guard !supposed.isQuestion else { throw Self.changesNothing(address) }
    for case .errand(let job, _) in supposed.steps {
      guard case .recall(let preset, _) = job else {
        throw SessionError(
          .badValue,
          "nothing is known before \(address) is carried out, because it depends on files or on what came before"
        )
      }
      return result.steps.append(.errand(.preview(preset), "/what/if"))
    }
    let differences = Difference.list(from: transaction.state, to: trial.state, at: transaction.time)
    let heard = differences.prefix { !$0.effect.isEmpty }.count
    var lines = differences.map { [$0.address, $0.now, $0.then, $0.effect] }
    lines.insert(contentsOf: Self.monitoring(from: transaction.state, to: trial.state), at: heard)
    let rows = Self.rows("/what/if", lines.map { $0.map { .string($0) } })
    result.steps += rows.map(PacketTransaction.Step.answer)
  }

  /// The solos and talkbacks that begin and end, which are no settings, and what monitor outputs and talkbacks then say of themselves.
  private static func monitoring(from before: RouterState, to after: RouterState) -> [[String]] {
    guard before.monitoring != after.monitoring else { return [] }
    let (old, new) = (before.monitoring.switches, after.monitoring.switches)
    let begun = new.filter { !old.contains($0) }.map { [$0, "0", "1", ""] }
    let ended = old.filter { !new.contains($0) }.map { [$0, "1", "0", ""] }
    let monitors = after.monitors.compactMap { monitor in
      before.outputs[monitor.id].map {
        ["/output/\(monitor.id)/monitor/why", before.whyOfMonitor($0), after.whyOfMonitor(monitor), ""]
      }
    }
    let talkbacks = after.sessions.values.filter(\.isTalkback).compactMap { session in
      before.sessions[session.id].map {
        ["/talkback/\(session.id)/why", before.whyOfTalkback($0), after.whyOfTalkback(session), ""]
      }
    }
    return begun + ended + (monitors + talkbacks).filter { $0[1] != $0[2] }
  }

  private static func changesNothing(_ address: String) -> SessionError {
    SessionError(
      .badValue,
      "\(address) so only asks, or concerns only its sender; name a setting with a value, or a command that changes the router"
    )
  }
}

extension Monitoring {
  /// The addresses of the switches that are on.
  fileprivate var switches: [String] {
    solos.map { "\($0.address)/solo" }
      + sends.map { "/session/\($0.session)/stream/\($0.stream)/to/\($0.output)/solo" }
      + talkbacks.map { "/talkback/\($0.session)/on" }
  }
}

extension Command {
  /// Whether the command asks for something, or concerns only its sender, so that it changes nothing for anybody else.
  fileprivate var concernsSender: Bool {
    switch self {
    case .bye, .presentToken, .listTokens, .withdrawToken, .subscribe, .unsubscribe, .snapshot, .resync,
      .request, .client, .resetClip:
      true
    default: hasAnswer
    }
  }
}
