public import JSON5
public import SessionModel

/// The result of applying a preset to a state: all of the preset's settings are in force.
public struct PresetChange: Sendable {
  /// The state after the preset.
  public let state: RouterState
  /// Notifications for the listeners, in order.
  public let notifications: [Notification]
}

/// Thrown when the law refuses one setting of a preset, so that none of the preset is applied.
public struct PresetRefusal: Error, Equatable, Sendable {
  /// The law's refusal.
  public let error: SessionError
  /// The place of the refused setting: the file, the line, and the key such as `sessions.show.priority`.
  public let problem: Problem

  /// The refusal as one sentence that names the key.
  public var sentence: String {
    "\(problem.file):\(problem.position): \(problem.path): \(error.sentence); nothing of the preset was applied"
  }
}

extension Preset {
  /// Applies the preset to a copy of a state, as a whole or not at all.
  ///
  /// The law may refuse an activation for a temporary reason: a call is on, an input is absent, no server
  /// runs. Such a refusal does not undo the preset. The session waits, as after a refused
  /// `/session/<s>/active 1`, and the notifications contain an error.
  /// - Parameters:
  ///   - predecessor: the preset in force, which this one replaces; nil at the start of a router.
  ///   - time: router time in seconds.
  ///   - law: accepts or refuses each event.
  /// - Throws: `PresetRefusal` with the first setting that the law refuses.
  public func change(
    of state: RouterState, replacing predecessor: Predecessor? = nil, at time: Double,
    law: PresetReader.Policy
  ) throws(PresetRefusal) -> PresetChange {
    var (next, told) = (state, [Notification]())
    next.isRecalling = true
    for step in steps(for: state, replacing: predecessor, law: law) {
      do throws(SessionError) {
        told += try law(&next, try step.outcome.get(), time)
      } catch {
        guard case .success(.activate(let id, _)) = step.outcome, error.isTemporary else {
          let problem = step.place.problem(error.sentence, fix: "change it, or apply the preset later")
          throw PresetRefusal(error: error, problem: problem)
        }
        told += (try? law(&next, .activationRefused(id), time)) ?? []
        told.append(.error(client: 0, address: "/session/\(id)/active", error))
      }
    }
    next.isRecalling = false
    told += (try? law(&next, .elapsed, time)) ?? []
    return PresetChange(state: next, notifications: told)
  }

  /// The preset as its successor must see it: if it only adds to the preset before it, what both name.
  public func inForce(after predecessor: Preset?) -> Preset {
    guard document.others?.value == .keep, let predecessor else { return self }
    var both = predecessor.document
    both.extend(by: document)
    return Preset(id: id, file: file, hash: hash, document: both)
  }

  private func steps(
    for state: RouterState, replacing predecessor: Predecessor?, law: PresetReader.Policy
  ) -> [Step] {
    guard let predecessor, document.others?.value != .keep || predecessor.isEarlierVersion else {
      return document.steps(for: state)
    }
    let old = predecessor.preset.document
    let succession = Succession(
      old: old, new: document, fresh: freshState(beside: old, law),
      manner: predecessor.isEarlierVersion ? .reload : .recall)
    return succession.steps(for: state)
  }

  /// The state of a router that started with this preset, with the ports of another one.
  private func freshState(beside old: PresetDocument, _ law: PresetReader.Policy) -> RouterState {
    var state = RouterState()
    state.server.isRunning = true
    state.isRecalling = true
    func take(_ event: Event) { _ = try? law(&state, event, 0) }
    for step in document.steps(for: state) { if let event = try? step.outcome.get() { take(event) } }
    for (id, entry) in old.ports {
      for direction in entry.directions where !state[direction].contains(id) {
        take(.declarePort(direction, entry.port(id, direction, instead: nil)))
      }
    }
    return state
  }
}

/// The preset that a preset replaces.
public struct Predecessor: Sendable {
  public let preset: Preset
  /// Whether it is the same preset as it was read before. Then only the differences are applied.
  public let isEarlierVersion: Bool

  public init(_ preset: Preset, isEarlierVersion: Bool) {
    (self.preset, self.isEarlierVersion) = (preset, isEarlierVersion)
  }
}

extension SessionError {
  /// Whether an activation is refused for a temporary reason: a call, an absent input, no server.
  fileprivate var isTemporary: Bool {
    switch code {
    case .insufficientPriority, .resourceNotAvailable, .mediaServicesFailed: true
    default: false
    }
  }
}
