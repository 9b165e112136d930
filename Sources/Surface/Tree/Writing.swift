import OSC
import Parameters
import SessionModel

/// What a set comes to.
enum SetOutcome {
  case event(Event)
  /// An event whose value was clamped: the applied value is answered at once.
  case clamped(Event)
  /// A finger goes on or off a fader.
  case touch(Bool)
  /// Nothing to do, and nothing wrong: a button's release.
  case nothing
}

extension Match {
  /// Turns the arguments of a set into an event.
  /// - Throws: `SessionError` by the rules of the leaf's kind.
  func set(
    _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> SetOutcome {
    if aspect.isTrigger, !arguments.fires { return .nothing }
    switch (aspect, parameter.binding) {
    case (.label, _), (_, .readOnly):
      throw SessionError(.readOnly, "\(address) can only be read")
    case (_, .control(let moved)):
      return try move(moved, arguments, in: state, at: time)
    case (_, .value(_, let write)):
      let value = try value(arguments, in: state, at: time)
      var extra: [Value] = []
      for argument in arguments.all.dropFirst() { if let value = argument.value { extra.append(value) } }
      if case .flag = value.value { extra = extra.map(\.asFlag) }
      let request = Parameter.Request(state: state, target: target, value: value.value, extra: extra)
      let event = try write(request)
      return value.isClamped ? .clamped(event) : .event(event)
    case (_, .surface):
      throw SessionError(.badValue, "\(address) is a command, not a value")
    }
  }

  /// Moves a level or number.
  private func move(
    _ moved: Parameter.Moved, _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> SetOutcome {
    guard let control = moved.control(state, target) else {
      throw SessionError(.notFound, "there is nothing at \(address)")
    }
    let current = control.value(at: time, isLevel: parameter.isLevel)
    let limits = limits(moved, in: state)
    switch aspect {
    case .value, .position:
      let (value, isClamped) = try wanted(arguments, isPosition: aspect == .position, limits)
      let event = moved.move(target, .set(value))
      return isClamped ? .clamped(event) : .event(event)
    case .increment(let isPosition):
      let step = try arguments.number()
      let sum = isPosition ? Decibels(fader: min(1, Decibels(current).fader + step)).value : current + step
      return .event(moved.move(target, .set(min(max(sum, limits.lowerBound), limits.upperBound))))
    case .reset: return .event(moved.move(target, .set(min(control.stored, limits.upperBound))))
    case .fade(let isPosition):
      let (value, isClamped) = try wanted(arguments, isPosition: isPosition, limits)
      let seconds = arguments.all.count > 1 ? min(max(try arguments.number(at: 1), 0), 600) : Self.usualFade
      let event = moved.move(target, .fade(value, over: seconds))
      return isClamped ? .clamped(event) : .event(event)
    case .fadeStop: return .event(moved.move(target, .stop))
    case .touch: return .touch(try arguments.flag())
    default: throw SessionError(.badValue, "\(address) is no way to set a level or number")
    }
  }

  /// Seconds of a fade that names none.
  private static let usualFade = 1.0

  /// The range of a level or number; the operator's maximum bounds it above.
  private func limits(_ moved: Parameter.Moved, in state: RouterState) -> ClosedRange<Double> {
    if case .number(let range) = parameter.kind { return range }
    return Decibels.floor...max(Decibels.floor, moved.maximum(state, target))
  }

  /// The value a person asked for. A level above its maximum is refused; what else is out of range is clamped.
  private func wanted(
    _ arguments: Arguments, isPosition: Bool, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> (value: Double, isClamped: Bool) {
    var value: Double
    if isPosition {
      let position = try arguments.decibels()
      guard position <= 1 else {
        throw SessionError(.outOfRange, "\(position) is above 1, the top of the fader; nothing changed")
      }
      value = Decibels(fader: position).value
    } else {
      value = parameter.isLevel ? try arguments.decibels() : try arguments.number()
    }
    if parameter.isLevel, value > limits.upperBound {
      throw SessionError(
        .outOfRange, "\(value) dB is above the maximum of \(limits.upperBound) dB; nothing changed")
    }
    let clamped = min(max(value, limits.lowerBound), limits.upperBound)
    return (clamped, clamped != value)
  }

  /// The value of a parameter that is simply set.
  private func value(
    _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> CheckedValue {
    switch (parameter.kind, aspect) {
    case (.toggle, .toggle):
      return CheckedValue(.flag(parameter.read(state, target, at: time) != .flag(true)))
    case (.toggle, _): return CheckedValue(.flag(try arguments.flag()))
    case (.choice(let names), _):
      return CheckedValue(.text(try choice(arguments, among: names, in: state, at: time)))
    case (.integer(let range), _):
      let number = try arguments.number().rounded()
      guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
        throw SessionError(
          .outOfRange, "\(number) is outside \(range.lowerBound) to \(range.upperBound); nothing changed")
      }
      return CheckedValue(.integer(Int(number)))
    case (.number(let range), _):
      let number = try arguments.number()
      let clamped = min(max(number, range.lowerBound), range.upperBound)
      return CheckedValue(.number(clamped), isClamped: clamped != number)
    case (.texts, _):
      var texts: [String] = []
      for index in arguments.all.indices { texts.append(try arguments.text(at: index)) }
      return CheckedValue(.texts(texts == ["none"] ? [] : texts))
    default: return CheckedValue(.text(try arguments.text()))
    }
  }

  /// A choice by name, number, step or lamp.
  private func choice(
    _ arguments: Arguments, among names: [String], in state: RouterState, at time: Double
  ) throws(SessionError) -> String {
    func neighbour(_ step: Int) -> String {
      guard case .text(let current) = parameter.read(state, target, at: time),
        let index = names.firstIndex(of: current)
      else { return names[0] }
      return names[(index + step + names.count) % names.count]
    }
    switch aspect {
    case .lamp(let name): return name
    case .next: return neighbour(1)
    case .previous: return neighbour(-1)
    case .index:
      let index = Int(exactly: try arguments.number().rounded()) ?? -1
      guard names.indices.contains(index) else {
        throw SessionError(.outOfRange, "there is no choice \(index); they are 0 to \(names.count - 1)")
      }
      return names[index]
    default:
      let text = try arguments.text()
      guard let name = names.first(where: { $0.lowercased() == text.lowercased() }) else {
        throw SessionError(.badValue, "'\(text)' is none of \(names.joined(separator: ", "))")
      }
      return name
    }
  }
}

/// A value that passed its kind's rules.
private struct CheckedValue {
  let value: Value
  var isClamped = false
  init(_ value: Value, isClamped: Bool = false) { (self.value, self.isClamped) = (value, isClamped) }
}

extension Value {
  /// A further argument of a switch, as a switch.
  fileprivate var asFlag: Value {
    switch self {
    case .number(let number): .flag(number >= 0.5)
    case .text(let text): .flag(["true", "on", "1"].contains(text.lowercased()))
    default: self
    }
  }
}
