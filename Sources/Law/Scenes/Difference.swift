public import Presets
public import SessionModel

/// One thing that a recall or a command would change.
public struct Difference: Equatable, Sendable {
  /// The address of the leaf, or of the session, stream or port that comes or goes.
  public let address: String
  /// The present value and the coming one as texts; `none` for an object that does not exist.
  public let now: String
  public let then: String
  /// What a person would hear, as a sentence; empty if nothing.
  public let effect: String
}

extension Difference {
  /// All that differs between two states, in the order of importance to a listener.
  ///
  /// The list is complete: it has every setting, every object that comes or goes, and every session that is heard otherwise.
  /// - Parameter time: router time in seconds.
  public static func list(from before: RouterState, to after: RouterState, at time: Double) -> [Difference] {
    Comparison(from: before, to: after, at: time).differences
  }
}

extension Recall {
  /// What a recall now would change, in the order of importance to a listener. Nothing changes.
  ///
  /// The list is complete: it has every setting, every object that comes or goes, and every session that is heard otherwise.
  /// - Throws: `RecallRefusal` if the law refuses the recall.
  public func differences(
    of state: RouterState, at time: Double, law: PresetReader.Policy
  ) throws(RecallRefusal) -> [Difference] {
    var recall = self
    recall.fade = 0
    let outcome = try recall.outcome(of: state, at: time, law: law)
    var end = Ending.conclude(outcome.endings, on: outcome.state, at: time, law: law).state
    end.connectPrograms(since: state, at: time, law)
    return Comparison(from: state, to: end, at: time, waiting: outcome.waiting).differences
  }
}

extension Difference {
  /// The lower, the more important to a listener: 0 to 4.
  var rank: Int {
    if address.hasSuffix("/why") { return effect.isEmpty ? 4 : 0 }
    if !effect.isEmpty { return 1 }
    let leaf = address.utf8.lastIndex(of: UInt8(ascii: "/")).map { address[address.index(after: $0)...] }
    return ["active", "mute", "on", "gain", "pan", "trim"].contains(leaf) ? 2 : 3
  }
}

extension RouterState {
  /// Counts changed sessions as connected whose programs and inputs are there: the router connects them only after a recall.
  fileprivate mutating func connectPrograms(
    since former: RouterState, at time: Double, _ law: PresetReader.Policy
  ) {
    guard server.isRunning else { return }
    let (ports, standIns) = (jackPorts, standIns(among: Set(jackPorts.map(\.client))))
    func isThere(_ entry: ProgramPorts, areInputs: Bool) -> Bool {
      let entry = standIns.entry(entry)
      return ports.contains { port in
        port.isInput == areInputs && entry.accepts(port.program)
          && entry.ports?.accepts(port.name, aliases: port.aliases) ?? true
      }
    }
    for id in sessions.keys(changedSince: former.sessions) {
      guard let session = sessions[id], !session.isConnected else { continue }
      let isFed = session.streams.values.contains { stream in
        stream.sources.contains { source in
          switch source {
          case .ports(let entry): isThere(entry, areInputs: false)
          case .input(let input, _): inputs[input]?.isAvailable == true
          }
        }
      }
      let isCaptured = session.capture.destinations.contains { isThere($0, areInputs: true) }
      if session.streams.isEmpty ? isCaptured : isFed { _ = try? law(&self, .connected(id, true), time) }
    }
  }
}
