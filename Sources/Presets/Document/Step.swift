import Parameters
import SessionModel

/// One event on the way to what a document says, and where it says so.
struct Step {
  let outcome: Result<Event, SessionError>
  /// What the event is about.
  let target: Target
  let place: Place
  /// The setting behind it, and whose it is.
  var leaf: (leaf: Leaf, owner: Table.Owner)?

  init(_ event: Event, about target: Target, at place: Place) {
    (outcome, self.target, self.place) = (.success(event), target, place)
  }

  /// A plain setting; nil if such objects have no such key.
  init?(_ leaf: Leaf, of owner: Table.Owner, at target: Target) {
    do throws(SessionError) {
      guard let event = try leaf.event(of: owner, at: target) else { return nil }
      outcome = .success(event)
    } catch {
      outcome = .failure(error)
    }
    (self.target, place, self.leaf) = (target, leaf.place, (leaf, owner))
  }
}

/// Collects steps; what is in force already needs none.
struct StepList {
  let state: RouterState
  private(set) var steps: [Step] = []

  init(state: RouterState) { self.state = state }

  mutating func append(_ event: Event, about target: Target, at place: Place) {
    steps.append(Step(event, about: target, at: place))
  }

  mutating func append(_ leaves: [Leaf], of owner: Table.Owner, at target: Target) {
    for leaf in leaves where !leaf.isInForce(of: owner, at: target, in: state) {
      if let step = Step(leaf, of: owner, at: target) { steps.append(step) }
    }
  }
}
