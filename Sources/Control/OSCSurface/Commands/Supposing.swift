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
    let rows = Self.rows(
      "/what/if",
      differences.map { [.string($0.address), .string($0.now), .string($0.then), .string($0.effect)] })
    result.steps += rows.map(PacketTransaction.Step.answer)
  }

  private static func changesNothing(_ address: String) -> SessionError {
    SessionError(
      .badValue,
      "\(address) so only asks, or concerns only its sender; name a setting with a value, or a command that changes the router"
    )
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
