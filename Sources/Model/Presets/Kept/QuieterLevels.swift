package import Parameters
package import SessionModel

/// Lowers the levels of a state to those of another one, wherever both have the same object.
///
/// A kept state may be that of a preset that was edited since, because something was too loud. Then each level becomes the quieter of both:
/// gains, ceilings and maxima the lower value, mutes on if either is, destinations and sends on only if both are, and guards those of both.
struct QuieterLevels {
  private let model: RouterState
  private let time: Double
  private let law: PresetReader.Policy
  private(set) var state: RouterState
  private(set) var told: [Notification] = []
  /// The addresses of the levels that became quieter.
  private(set) var lowered: [String] = []

  /// - Parameter model: the state whose levels are not exceeded.
  init(_ state: RouterState, asIn model: RouterState, at time: Double, _ law: @escaping PresetReader.Policy) {
    (self.state, self.model, self.time, self.law) = (state, model, time, law)
  }

  mutating func run() {
    for parameter in Self.parameters {
      for target in parameter.targets(in: state) { lower(parameter, at: target) }
    }
    for (id, session) in state.sessions {
      for (stream, present) in session.streams {
        guard let guards = model.sessions[id]?.streams[stream]?.never else { continue }
        let missing = guards.filter { !present.never.contains($0) }
        if !missing.isEmpty { attempt(.stream(id, stream, .never(present.never + missing))) }
      }
    }
  }

  /// The parameters that make something louder: first what is switched, then levels, then maxima, which must not be below a level.
  private static let parameters: [Parameter] = {
    let writable = Table.parameters.filter(\.isWritable)
    return writable.filter { $0.quietFlag != nil } + writable.filter { $0.isLevel || $0.isGain }
      + writable.filter(\.isMaximum)
  }()

  private mutating func lower(_ parameter: Parameter, at target: Target) {
    guard let present = parameter.loudness(in: state, at: target, time),
      let wanted = parameter.loudness(in: model, at: target, time), wanted.number < present.number,
      let event = try? parameter.event(setting: wanted.value, at: target, storing: false), attempt(event)
    else { return }
    lowered.append(parameter.address(at: target))
  }

  @discardableResult
  private mutating func attempt(_ event: Event) -> Bool {
    guard let notifications = try? law(&state, event, time) else { return false }
    told += notifications
    return true
  }
}

extension Parameter {
  /// The value of a switch with which its object is not heard; nil for a parameter that is no such switch.
  fileprivate var quietFlag: Bool? {
    guard kind == .toggle else { return nil }
    return switch parts.last {
    case "mute", "dim": true
    case "on": false
    default: nil
    }
  }

  /// Whether the value is a gain in dB that does not reach down to silence.
  fileprivate var isGain: Bool { ["/input/<i>/trim", "/output/<o>/dim/level"].contains(address) }

  /// Whether the value bounds levels or samples.
  fileprivate var isMaximum: Bool { ["max", "maxTotal", "ceiling"].contains(parts.last) }

  /// The value, and a number that grows with what is heard; nil if the target has no such value.
  fileprivate func loudness(in state: RouterState, at target: Target, _ time: Double) -> (
    value: Value, number: Double
  )? {
    if case .control(let moved) = binding {
      // An inherited value follows from another one.
      return moved.own(state, target).map { (.number($0.target), $0.target) }
    }
    guard let value = read(Moment(state, at: time), target) else { return nil }
    switch value {
    case .number(let number): return (value, number)
    case .flag(let flag): return (value, flag == quietFlag ? -.infinity : .infinity)
    case .text: return isMaximum ? (value, .infinity) : nil
    default: return nil
    }
  }

  /// All targets of the parameter in a state.
  package func targets(in state: RouterState) -> [Target] {
    placeholders.reduce([Target()]) { targets, placeholder in
      targets.flatMap { placeholder.targets(in: state, at: $0) }
    }
  }
}
