import OSC
import Parameters
import SessionModel

/// What a set comes to.
enum SetOutcome {
  case event(Event)
  /// An event whose value was clamped: the applied value is answered at once.
  case clamped(Event)
  /// A fade whose end or time was clamped, with what it was clamped to.
  case clampedFade(Event, applied: [OSCArgument])
  /// A finger goes on or off a fader; the event stops a fade that runs there.
  case touch(Bool, Event?)
  /// Nothing to do, and nothing wrong: a button's release.
  case nothing
}

extension Match {
  /// Turns the arguments of a set into an event.
  /// - Throws: `SessionError` by the rules of the leaf's kind.
  func set(
    _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> SetOutcome {
    guard aspect != .label, parameter.isWritable else {
      throw SessionError(.readOnly, "\(address) can only be read")
    }
    if aspect.isTrigger, !(try arguments.fires()) { return .nothing }
    switch parameter.binding {
    case .control(let moved): return try move(moved, arguments, in: state, at: time)
    case .value(let read, let write):
      let value = try value(arguments, present: read(state, target))
      let extra = arguments.all.dropFirst().compactMap(\.flag).map(Value.flag)
      let request = Parameter.Request(state: state, target: target, value: value.value, extra: extra)
      let event = try write(request)
      return value.isClamped ? .clamped(event) : .event(event)
    case .readOnly, .observed, .surface: return .nothing
    }
  }

  /// What a get answers after a set; nil where a value may be written in more than one way.
  func expected(after arguments: Arguments) -> [OSCArgument]? {
    switch (parameter.kind, aspect) {
    case (.toggle, .value): (try? arguments.flag()).map { Value.flag($0).arguments }
    case (.integer, .value): (try? arguments.number()).map { Value.integer(Int($0.rounded())).arguments }
    default: nil
    }
  }

  // MARK: Levels and numbers

  /// Moves a level or number.
  private func move(
    _ moved: Parameter.Moved, _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> SetOutcome {
    guard let control = moved.control(state, target) else {
      throw SessionError(.unknownAddress, "there is nothing at \(address)")
    }
    let limits = limits(moved, in: state)
    switch aspect {
    case .value where arguments.first?.text?.lowercased() == Parameter.Inheritance.word:
      guard let inheritance = moved.inheritance else {
        throw SessionError(.badValue, "'inherit' is for what a session may inherit from the router")
      }
      return .event(inheritance.event(target))
    case .value, .position:
      let (value, isClamped) = try wanted(arguments, isPosition: aspect == .position, limits)
      let event = moved.move(target, .set(value))
      return isClamped ? .clamped(event) : .event(event)
    case .increment(let isPosition):
      let current = control.value(at: time, isLevel: parameter.isLevel)
      let (value, isClamped) = try increased(
        current, by: try arguments.number(), isPosition: isPosition, limits)
      let event = moved.move(target, .set(value))
      return isClamped ? .clamped(event) : .event(event)
    case .reset where moved.isInherited(state, target): return .nothing
    case .reset: return .event(moved.move(target, .set(min(control.stored, limits.upperBound))))
    case .fade(let isPosition): return try fade(moved, arguments, isPosition: isPosition, limits)
    case .fadeStop: return .event(moved.move(target, .stop))
    case .touch:
      let isTouched = try arguments.flag()
      return .touch(isTouched, isTouched && control.isFading(at: time) ? moved.move(target, .stop) : nil)
    default: return .nothing
    }
  }

  /// The range of a level or number; the operator's maximum bounds it above.
  private func limits(_ moved: Parameter.Moved, in state: RouterState) -> ClosedRange<Double> {
    if let range = parameter.kind.numbers { return range }
    return Decibels.floor...max(Decibels.floor, moved.maximum(state, target))
  }

  /// The value a person asked for. A level above its maximum is refused; what else is out of range is clamped.
  private func wanted(
    _ arguments: Arguments, isPosition: Bool, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> (value: Double, isClamped: Bool) {
    guard parameter.isLevel else {
      let number = try arguments.number()
      let clamped = min(max(number, limits.lowerBound), limits.upperBound)
      return (clamped, clamped != number)
    }
    let number = try arguments.decibels()
    if isPosition {
      let level = try checked(position: number, limits)
      return (level, number < 0 && number != Decibels.floor)
    }
    try check(level: number, limits)
    return (max(number, limits.lowerBound), number < limits.lowerBound)
  }

  /// The level of a fader position.
  private func checked(
    position: Double, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> Double {
    guard position <= 1 else {
      throw SessionError(.outOfRange, "\(position) is above 1, the top of the fader; nothing changed")
    }
    let level = Decibels(fader: position).value
    try check(level: level, limits)
    return level
  }

  private func check(level: Double, _ limits: ClosedRange<Double>) throws(SessionError) {
    guard level > limits.upperBound else { return }
    throw SessionError(
      .outOfRange, "\(level) dB is above the maximum of \(limits.upperBound) dB; nothing changed")
  }

  /// A relative move. One upwards beyond the maximum is refused, as a set is; one downwards always makes it quieter.
  private func increased(
    _ current: Double, by step: Double, isPosition: Bool, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> (value: Double, isClamped: Bool) {
    guard parameter.isLevel else {
      let sum = current + step
      let clamped = min(max(sum, limits.lowerBound), limits.upperBound)
      return (clamped, clamped != sum)
    }
    if isPosition {
      let position = Decibels(current).fader + step
      if step > 0 { return (try checked(position: position, limits), false) }
      return (min(Decibels(fader: position).value, limits.upperBound), position < 0)
    }
    let level = current + step
    if step > 0 { try check(level: level, limits) }
    let clamped = min(max(level, limits.lowerBound), limits.upperBound)
    return (clamped, clamped != level)
  }

  /// `f f`: value and seconds.
  private func fade(
    _ moved: Parameter.Moved, _ arguments: Arguments, isPosition: Bool, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> SetOutcome {
    let (value, isClamped) = try wanted(arguments, isPosition: isPosition, limits)
    let asked = arguments.all.count > 1 ? try arguments.number(at: 1) : Self.usualFade
    let seconds = min(max(asked, 0), Self.longestFade)
    let event = moved.move(target, .fade(value, over: seconds))
    guard isClamped || seconds != asked else { return .event(event) }
    let end = isPosition ? Decibels(value).fader : value
    return .clampedFade(event, applied: [.float(Float(end)), .float(Float(seconds))])
  }

  /// Seconds of a fade that names none.
  private static let usualFade = 1.0
  private static let longestFade = 600.0

  // MARK: What is simply set

  /// The value of a parameter that is simply set.
  private func value(
    _ arguments: Arguments, present: Value?
  ) throws(SessionError) -> (value: Value, isClamped: Bool) {
    switch (parameter.kind, aspect) {
    case (.toggle, .toggle): return (.flag(present != .flag(true)), false)
    case (.toggle, _): return (.flag(try arguments.flag()), false)
    case (.choice(let names), _): return (.text(try choice(arguments, among: names, present: present)), false)
    case (.integer(let range), _):
      let number = try arguments.number().rounded()
      guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
        throw SessionError(
          .outOfRange, "\(number) is outside \(range.lowerBound) to \(range.upperBound); nothing changed")
      }
      return (.integer(Int(number)), false)
    case (.number(let range), _):
      let number = try arguments.number()
      let clamped = min(max(number, range.lowerBound), range.upperBound)
      return (.number(clamped), clamped != number)
    case (.texts, _):
      var texts: [String] = []
      for index in arguments.all.indices {
        let text = try arguments.text(at: index)
        if !texts.contains(text) { texts.append(text) }
      }
      return (.texts(texts == ["none"] ? [] : texts), false)
    default: return (.text(try arguments.text()), false)
    }
  }

  /// A choice by name, number, step or lamp.
  private func choice(
    _ arguments: Arguments, among names: [String], present: Value?
  ) throws(SessionError) -> String {
    func neighbour(_ step: Int) -> String {
      guard case .text(let current) = present, let index = names.firstIndex(of: current) else {
        return names[0]
      }
      return names[(index + step + names.count) % names.count]
    }
    switch aspect {
    case .lamp(let name): return name
    case .next: return neighbour(1)
    case .previous: return neighbour(-1)
    case .index:
      let number = try arguments.number().rounded()
      guard let index = Int(exactly: number), names.indices.contains(index) else {
        throw SessionError(.outOfRange, "there is no choice \(number); they are 0 to \(names.count - 1)")
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
