import Effects
import OSC
import Parameters
import SessionModel

/// The effect of a set.
enum SetOutcome {
  case event(Event)
  /// An event with a clamped value; the applied value is answered at once.
  case clamped(Event)
  /// A fade, with the end and the seconds that were accepted. Clamped ones are answered at once.
  case fade(Event, accepted: [OSCArgument], isClamped: Bool)
  /// The begin or end of a touch; the event stops a running fade of that fader.
  case touch(Bool, Event?)
  /// No effect and no error: the release of a button.
  case nothing
}

extension Match {
  /// Makes an event from the arguments of a set.
  /// - Throws: `SessionError` according to the kind of the leaf.
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
      return try self.write(arguments, present: read(state, target), write, in: state)
    case .transport(let observed, let write):
      let present = observed.read(Moment(state, at: time), target)
      return try self.write(arguments, present: present, write, in: state)
    case .alias: return try original(in: state).set(arguments, in: state, at: time)
    case .readOnly, .observed, .measured, .action, .surface, .lamp: return .nothing
    }
  }

  private func write(
    _ arguments: Arguments, present: Value?, _ write: Parameter.Write, in state: RouterState
  ) throws(SessionError) -> SetOutcome {
    let value = try value(arguments, present: present)
    let extra = arguments.all.dropFirst().compactMap(\.flag).map(Value.flag)
    let event = try write(
      Parameter.Request(state: state, target: target, value: value.value, extra: extra))
    return value.isClamped ? .clamped(event) : .event(event)
  }

  /// The reading after a set; nil if a value may be written in more than one way.
  func expected(after arguments: Arguments) -> [OSCArgument]? {
    switch (parameter.kind, aspect) {
    case (.toggle, .value): (try? arguments.flag()).map { Value.flag($0).arguments }
    case (.integer, .value): (try? arguments.number()).map { Value.integer(Int($0.rounded())).arguments }
    default: nil
    }
  }

  // MARK: Levels and numbers

  /// Sets, changes or fades a level or number.
  private func move(
    _ moved: Parameter.Moved, _ arguments: Arguments, in state: RouterState, at time: Double
  ) throws(SessionError) -> SetOutcome {
    guard let reading = moved.reading(state, target) else {
      throw SessionError(.unknownAddress, "there is nothing at \(address)")
    }
    let (control, limits) = (reading.control, limits(reading))
    /// A choice of a plugin takes one of its values.
    func event(_ wanted: (value: Double, isClamped: Bool)) throws(SessionError) -> SetOutcome {
      let value = reading.accepted(wanted.value)
      let event = try moved.move(target, .set(value))
      return wanted.isClamped || value != wanted.value ? .clamped(event) : .event(event)
    }
    switch aspect {
    case .value where arguments.first?.text?.lowercased() == Parameter.Inheritance.word:
      guard let inheritance = moved.inheritance else {
        throw SessionError(
          .badValue, "'inherit' is only valid for a value that a session can inherit from the router")
      }
      return .event(try inheritance.event(target))
    case .value, .position:
      return try event(try wanted(arguments, isPosition: aspect == .position, reading, limits))
    case .increment(let isPosition):
      let current = reading.value(at: time, isLevel: parameter.isLevel)
      return try event(
        try increased(current, by: try arguments.number(), isPosition: isPosition, reading, limits))
    case .reset where moved.isInherited(state, target): return .nothing
    case .reset: return .event(try moved.move(target, .set(min(control.stored, limits.upperBound))))
    case .fade(let isPosition): return try fade(moved, arguments, isPosition: isPosition, reading, limits)
    case .fadeStop: return .event(try moved.move(target, .stop))
    case .touch:
      let isTouched = try arguments.flag()
      let stop = isTouched && control.isFading(at: time) ? try moved.move(target, .stop) : nil
      return .touch(isTouched, stop)
    default: return .nothing
    }
  }

  /// The range of a level or number. The operator's maximum is the upper bound.
  private func limits(_ reading: Parameter.Moved.Reading) -> ClosedRange<Double> {
    if let range = reading.plugin?.range { return Double(range.lowerBound)...Double(range.upperBound) }
    if let range = parameter.kind.numbers { return range }
    return Decibels.floor...max(Decibels.floor, reading.maximum)
  }

  /// The requested value. A level above its maximum is refused; any other value out of range is clamped.
  private func wanted(
    _ arguments: Arguments, isPosition: Bool, _ reading: Parameter.Moved.Reading,
    _ limits: ClosedRange<Double>
  ) throws(SessionError) -> (value: Double, isClamped: Bool) {
    guard parameter.isLevel else {
      let number = try arguments.number()
      if isPosition { return turned(try known(reading), to: number) }
      let clamped = min(max(number, limits.lowerBound), limits.upperBound)
      return (clamped, clamped != number)
    }
    let number = try arguments.decibels()
    if isPosition {
      let level = try checked(position: number, limits)
      return (level, number < 0 && number != Decibels.floor)
    }
    let level = try checked(level: number, limits)
    return (max(level, limits.lowerBound), number < limits.lowerBound)
  }

  /// The plugin's control whose position an address is.
  private func known(_ reading: Parameter.Moved.Reading) throws(SessionError) -> EffectControl {
    guard let plugin = reading.plugin else {
      throw SessionError(.unknownAddress, "there is nothing at \(address)")
    }
    return plugin
  }

  /// The value of a plugin's control at a position.
  private func turned(_ plugin: EffectControl, to position: Double) -> (value: Double, isClamped: Bool) {
    let inside = min(max(position, 0), 1)
    return (Double(plugin.value(at: Float(inside))), inside != position)
  }

  /// The level for a fader position.
  private func checked(
    position: Double, _ limits: ClosedRange<Double>
  ) throws(SessionError) -> Double {
    guard position <= 1 + Self.rounding else {
      throw SessionError(.outOfRange, "\(position) is above 1, the top of the fader; nothing changed")
    }
    return try checked(level: Decibels(fader: min(position, 1)).value, limits)
  }

  /// How far a number may be above its bound because a program has rounded it: 32-bit numbers have seven digits.
  private static let rounding = 1e-5

  /// A level that is not above its maximum but for rounding.
  private func checked(level: Double, _ limits: ClosedRange<Double>) throws(SessionError) -> Double {
    try check(level: level, limits)
    return min(level, limits.upperBound)
  }

  private func check(level: Double, _ limits: ClosedRange<Double>) throws(SessionError) {
    guard level > limits.upperBound + Self.rounding else { return }
    throw SessionError(
      .outOfRange,
      "\(Decibels.text(level)) is above the maximum of \(Decibels.text(limits.upperBound)); nothing changed")
  }

  /// A relative change. An increase beyond the maximum is refused, as a set is; a decrease always makes the level lower.
  private func increased(
    _ current: Double, by step: Double, isPosition: Bool, _ reading: Parameter.Moved.Reading,
    _ limits: ClosedRange<Double>
  ) throws(SessionError) -> (value: Double, isClamped: Bool) {
    guard parameter.isLevel else {
      if isPosition {
        let plugin = try known(reading)
        return turned(plugin, to: Double(plugin.share(of: Float(current))) + step)
      }
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

  /// Reads the arguments of a fade: `f f`, value and seconds.
  private func fade(
    _ moved: Parameter.Moved, _ arguments: Arguments, isPosition: Bool, _ reading: Parameter.Moved.Reading,
    _ limits: ClosedRange<Double>
  ) throws(SessionError) -> SetOutcome {
    let (value, isClamped) = try wanted(arguments, isPosition: isPosition, reading, limits)
    let asked = arguments.all.count > 1 ? try arguments.number(at: 1) : Self.usualFade
    let seconds = min(max(asked, 0), Control.longestFade)
    let event = try moved.move(target, .set(value, over: seconds))
    let position = reading.plugin.map { Double($0.share(of: Float(value))) } ?? Decibels(value).fader
    let end = isPosition ? position : value
    return .fade(
      event, accepted: [.float(Float(end)), .float(Float(seconds))],
      isClamped: isClamped || seconds != asked)
  }

  /// The length of a fade without a given time, in seconds.
  private static let usualFade = 1.0

  // MARK: Other values

  /// Reads the new value of a parameter that cannot be faded.
  private func value(
    _ arguments: Arguments, present: Value?
  ) throws(SessionError) -> (value: Value, isClamped: Bool) {
    switch (parameter.kind, aspect) {
    case (.toggle, .toggle): return (.flag(present != .flag(true)), false)
    case (.inheritableToggle, _) where arguments.first?.text?.lowercased() == Parameter.Inheritance.word:
      return (.text(Parameter.Inheritance.word), false)
    case (.toggle, _), (.inheritableToggle, _): return (.flag(try arguments.flag()), false)
    case (.choice(let names), _): return (.text(try choice(arguments, among: names, present: present)), false)
    case (.integer(let range), _):
      let number = try arguments.number().rounded()
      guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
        throw SessionError(
          .outOfRange, "\(number) is outside \(range.lowerBound) to \(range.upperBound); nothing changed")
      }
      return (.integer(Int(number)), false)
    case (.limit, _) where arguments.first?.text?.lowercased() == Kind.noLimit:
      return (.text(Kind.noLimit), false)
    case (.number(let range), _), (.limit(let range), _):
      var number = try arguments.number()
      if case .increment = aspect, case .number(let present)? = present { number += present }
      let clamped = min(max(number, range.lowerBound), range.upperBound)
      return (.number(clamped), clamped != number)
    case (.texts, _), (.names, _), (.programPorts, _), (.effects, _):
      var texts: [String] = []
      for index in arguments.all.indices {
        var text = try arguments.text(at: index)
        if case .names(let names) = parameter.kind {
          text = names.first { $0.lowercased() == text.lowercased() } ?? text
        }
        // A chain may have the same effect twice.
        if parameter.kind == .effects || !texts.contains(text) { texts.append(text) }
      }
      return (.texts(texts == ["none"] ? [] : texts), false)
    default: return (.text(try arguments.text()), false)
    }
  }

  /// Reads a choice, given by name, number, step or lamp.
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
        throw SessionError(.badValue, "'\(text)' is not one of \(names.joined(separator: ", "))")
      }
      return name
    }
  }
}
