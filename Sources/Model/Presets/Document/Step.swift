import Parameters
import SessionModel

/// One event that helps to bring a document into force, with the place that asks for it.
struct Step {
  let outcome: Result<Event, SessionError>
  /// The object of the event.
  let target: Target
  let place: Place
  /// The setting that the event carries out, with the kind of its owner.
  var leaf: (leaf: Leaf, owner: Table.Owner)?

  init(_ event: Event, about target: Target, at place: Place) {
    (outcome, self.target, self.place) = (.success(event), target, place)
  }

  /// A step for a setting; nil if the objects of `owner` do not have the key.
  /// - Parameter isStored: whether `/reset` returns to the value from now on.
  init?(_ leaf: Leaf, of owner: Table.Owner, at target: Target, storing isStored: Bool) {
    do throws(SessionError) {
      guard let event = try leaf.event(of: owner, at: target, storing: isStored) else { return nil }
      outcome = .success(event)
    } catch {
      outcome = .failure(error)
    }
    (self.target, place, self.leaf) = (target, leaf.place, (leaf, owner))
  }
}

/// Collects steps. A setting that is already in force needs no step.
struct StepList {
  /// The state before the steps, in which the ports that they declare are the preset's.
  private(set) var state: RouterState
  let purpose: Purpose
  private(set) var steps: [Step] = []

  /// The reason for applying a document.
  enum Purpose {
    /// A preset was chosen: `/reset` returns to its values.
    case recall
    /// A router wrote the document before a crash. `/reset` continues to return to the preset's values, and
    /// known ports stay as they were made.
    case restoration
  }

  init(state: RouterState, for purpose: Purpose) { (self.state, self.purpose) = (state, purpose) }

  mutating func append(_ event: Event, about target: Target, at place: Place) {
    steps.append(Step(event, about: target, at: place))
  }

  /// Appends the declaration of a port. Some settings of the port depend on the declaration.
  mutating func append(declaring port: Port, _ direction: Direction, about target: Target, at place: Place) {
    append(.declarePort(direction, port), about: target, at: place)
    state[direction][port.id]?.isNamedByPreset = port.isNamedByPreset
  }

  mutating func append(_ leaves: [Leaf], of owner: Table.Owner, at target: Target) {
    let isStored = purpose == .recall
    for leaf in leaves where !leaf.isInForce(of: owner, at: target, in: state, storing: isStored) {
      if let step = Step(leaf, of: owner, at: target, storing: isStored) { steps.append(step) }
    }
  }
}
