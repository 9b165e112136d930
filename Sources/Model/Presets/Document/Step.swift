package import Parameters
package import SessionModel

/// One event that helps to bring a document into force, with the place that asks for the event. It is a class, because a recall copies
/// thousands of references to steps.
package final class Step: Sendable {
  package let outcome: Result<Event, SessionError>
  /// The object of the event.
  package let target: Target
  package let place: Place
  /// The setting that the event carries out, with the kind of its owner.
  let leaf: (leaf: Leaf, owner: Table.Owner)?
  /// Whether a refusal of the step is no refusal of the preset: a setting without a preset key may be one of a device that is absent.
  package let isOptional: Bool

  /// The address of the setting; empty for a step that sets no parameter.
  package var address: String { setting.map { $0.parameter.address(at: target) } ?? "" }

  /// The parameter that the event sets and its value; nil for a step that sets no parameter, such as the removal of a session.
  package let setting: (parameter: Parameter, value: Value)?

  /// Whether the law may decide on the step together with others. A refused step without a preset key must not take others along.
  package let joinsRows: Bool

  init(_ event: Event, about target: Target, at place: Place) {
    (outcome, self.target, self.place) = (.success(event), target, place)
    (leaf, setting, isOptional, joinsRows) = (nil, nil, false, event.joinsRows)
  }

  /// A step for a setting without a preset key; nil if its parameter does not take the value.
  init?(_ setting: SettingEntry) {
    guard let event = setting.event else { return nil }
    (outcome, target, place) = (.success(event), setting.target, setting.place)
    (leaf, self.setting) = (nil, (setting.parameter, setting.value))
    (isOptional, joinsRows) = (true, false)
  }

  /// A step for a setting; nil if its parameter cannot be set.
  /// - Parameter isStored: whether `/reset` returns to the value from now on.
  init?(_ leaf: Leaf, _ parameter: Parameter, at target: Target, storing isStored: Bool) {
    do throws(SessionError) {
      guard let event = try parameter.event(setting: leaf.value, at: target, storing: isStored) else {
        return nil
      }
      (outcome, joinsRows) = (.success(event), event.joinsRows)
    } catch {
      (outcome, joinsRows) = (.failure(error), false)
    }
    (self.target, place, isOptional) = (target, leaf.place, false)
    (self.leaf, setting) = ((leaf, parameter.owner), (parameter, leaf.value))
  }
}

extension [Step] {
  /// The steps in groups: consecutive settings that the law may decide on as one event (`Event.row`), and every other step alone. To decide on
  /// each of thousands of settings would take most of the time of large presets.
  var rows: [[Step]] {
    var rows: [[Step]] = []
    var isOpen = false
    for step in self {
      let joins = step.joinsRows
      if joins, isOpen { rows[rows.count - 1].append(step) } else { rows.append([step]) }
      isOpen = joins
    }
    return rows
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

  /// Treats a player as absent, since a step removes it.
  mutating func forget(_ id: PlayerID) { state.players[id] = nil }

  /// Treats a recorder as absent, since a step removes it.
  mutating func forget(_ id: RecorderID) { state.recorders[id] = nil }

  /// Appends a setting without a preset key.
  mutating func append(_ setting: SettingEntry) {
    guard !setting.isInForce(in: state, time) else { return }
    if let step = Step(setting) { steps.append(step) }
  }

  mutating func append(_ leaves: [Leaf], of owner: Table.Owner, at target: Target) {
    for leaf in leaves { append(leaf, of: owner, at: target) }
  }

  mutating func append(_ leaf: Leaf, of owner: Table.Owner, at target: Target) {
    guard let parameter = Table.parameter(leaf.key, of: owner),
      !parameter.isInForce(leaf.value, at: target, in: state, time, storing: isStored)
    else { return }
    append(changed: leaf, parameter, at: target)
  }

  /// Appends a step that was made for a recall when the preset was read.
  mutating func append(_ step: Step) { steps.append(step) }

  /// Appends a setting that is known not to be in force.
  mutating func append(changed leaf: Leaf, _ parameter: Parameter, at target: Target) {
    if let step = Step(leaf, parameter, at: target, storing: isStored) { steps.append(step) }
  }

  /// Whether `/reset` returns to the values of settings from now on.
  var isStored: Bool { purpose == .recall }
}
