package import Parameters
package import SessionModel

/// One event that helps to bring a document into force, with the place that asks for it.
package struct Step {
  package let outcome: Result<Event, SessionError>
  /// The object of the event.
  package let target: Target
  package let place: Place
  /// The setting that the event carries out, with the kind of its owner.
  var leaf: (leaf: Leaf, owner: Table.Owner)?
  /// The setting without a preset key that the event carries out.
  private var keyless: SettingEntry?

  /// Whether a refusal of the step is no refusal of the preset: a setting without a preset key may be one of a device that is absent.
  package var isOptional: Bool { keyless != nil }

  /// The address of the setting; empty for a step that sets no parameter.
  package var address: String { setting.map { $0.parameter.address(at: target) } ?? "" }

  /// The parameter that the event sets and its value; nil for a step that sets no parameter, such as the removal of a session.
  package var setting: (parameter: Parameter, value: Value)? {
    if let keyless { return (keyless.parameter, keyless.value) }
    return leaf.flatMap { leaf, owner in
      Table.keys(of: owner).first { $0.key == leaf.key }.map { ($0, leaf.value) }
    }
  }

  init(_ event: Event, about target: Target, at place: Place) {
    (outcome, self.target, self.place) = (.success(event), target, place)
  }

  /// A step for a setting without a preset key; nil if its parameter does not take the value.
  init?(_ setting: SettingEntry) {
    guard let event = setting.event else { return nil }
    self.init(event, about: setting.target, at: setting.place)
    keyless = setting
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
  /// Router time in seconds.
  let time: Double
  private(set) var steps: [Step] = []

  /// The reason for applying a document.
  enum Purpose {
    /// A preset was chosen: `/reset` returns to its values.
    case recall
    /// A router wrote the document before a crash. `/reset` continues to return to the preset's values, and
    /// known ports stay as they were made.
    case restoration
  }

  init(state: RouterState, for purpose: Purpose, at time: Double) {
    (self.state, self.purpose, self.time) = (state, purpose, time)
  }

  mutating func append(_ event: Event, about target: Target, at place: Place) {
    steps.append(Step(event, about: target, at: place))
  }

  /// Appends the declaration of a port. Some settings of the port depend on the declaration.
  mutating func append(declaring port: Port, _ direction: Direction, about target: Target, at place: Place) {
    append(.declarePort(direction, port), about: target, at: place)
    state[direction][port.id]?.isNamedByPreset = port.isNamedByPreset
  }

  /// Appends a setting without a preset key.
  mutating func append(_ setting: SettingEntry) {
    guard !setting.isInForce(in: state, time) else { return }
    if let step = Step(setting) { steps.append(step) }
  }

  mutating func append(_ leaves: [Leaf], of owner: Table.Owner, at target: Target) {
    let isStored = purpose == .recall
    for leaf in leaves where !leaf.isInForce(of: owner, at: target, in: state, time, storing: isStored) {
      if let step = Step(leaf, of: owner, at: target, storing: isStored) { steps.append(step) }
    }
  }
}
