import JSON5
package import Parameters
package import SessionModel

/// A setting in a document: a key of the table of parameters, and its value.
struct Leaf: Sendable {
  let key: String
  let value: Value
  let place: Place
  /// The place of each text in a list.
  let elements: [Place]

  init(_ key: String, _ value: Value, at place: Place, elements: [Place] = []) {
    (self.key, self.value, self.place, self.elements) = (key, value, place, elements)
  }

  /// A list with only one of its texts.
  func alone(_ index: Int) -> Leaf? {
    guard case .texts(let texts) = value, elements.count == texts.count else { return nil }
    return Leaf(key, .texts([texts[index]]), at: elements[index])
  }

  /// The event that carries out the setting; nil if the objects of `owner` do not have the key.
  /// - Parameter isStored: whether `/reset` returns to the value from now on.
  /// - Throws: `SessionError` if the parameter does not take the value.
  func event(
    of owner: Table.Owner, at target: Target, storing isStored: Bool = true
  ) throws(SessionError) -> Event? {
    try parameter(of: owner)?.event(setting: value, at: target, storing: isStored)
  }

  /// Whether the objects of `owner` have the key.
  func isKey(of owner: Table.Owner) -> Bool { parameter(of: owner) != nil }

  /// The same setting with the value that the object has in a state; nil without such a value.
  func value(of owner: Table.Owner, at target: Target, in state: RouterState) -> Leaf? {
    parameter(of: owner)?.wantedValue(at: target, in: state).map { Leaf(key, $0, at: place) }
  }

  private func parameter(of owner: Table.Owner) -> Parameter? {
    Table.parameter(key, of: owner)
  }
}

extension Parameter {
  /// The event that sets the value; nil if the parameter cannot be set.
  /// - Parameter isStored: whether `/reset` returns to the value from now on; only for values that can fade.
  /// - Throws: `SessionError` if the parameter does not take the value.
  func event(
    setting value: Value, at target: Target, storing isStored: Bool
  ) throws(SessionError) -> Event? {
    switch binding {
    case .control(let moved):
      if value.isInherited, let inheritance = moved.inheritance { return try inheritance.event(target) }
      return try moved.move(target, isStored ? .store(value.number) : .set(value.number))
    case .value(_, let write):
      return try write(Parameter.Request(state: RouterState(), target: target, value: value))
    case .transport(_, let write):
      return try write(Parameter.Request(state: RouterState(), target: target, value: value))
    case .readOnly, .observed, .measured, .alias, .action, .surface, .lamp: return nil
    }
  }

  /// The value that the parameter is set to; for a fade, the value at its end. Nil for a parameter that cannot
  /// be set.
  package func wantedValue(at target: Target, in state: RouterState) -> Value? {
    switch binding {
    case .control(let moved):
      moved.isInherited(state, target)
        ? .text(Inheritance.word) : moved.reading(state, target).map { .number($0.control.target) }
    case .value(let read, _): chosen(at: target, in: state) ?? read(state, target)
    case .readOnly, .observed, .measured, .transport, .alias, .action, .surface, .lamp: nil
    }
  }

  /// The operator's choice, for an address that reads what is in use: a data source may be that of a mode.
  private func chosen(at target: Target, in state: RouterState) -> Value? {
    guard address == "/input/<i>/source", let input = target.input.flatMap({ state.inputs[$0] }) else {
      return nil
    }
    return .text(input.source ?? "none")
  }

  /// Whether setting the value would change nothing.
  func isInForce(
    _ value: Value, at target: Target, in state: RouterState, _ time: Double, storing isStored: Bool
  ) -> Bool {
    guard case .control(let moved) = binding else {
      return (chosen(at: target, in: state) ?? read(Moment(state, at: time), target)) == value
    }
    guard moved.isInherited(state, target) == value.isInherited else { return false }
    guard !value.isInherited, let control = moved.reading(state, target)?.control else {
      return value.isInherited
    }
    return control.holds(value, at: time, storing: isStored)
  }
}

extension Control {
  /// Whether setting a value would change nothing.
  func holds(_ value: Value, at time: Double, storing isStored: Bool) -> Bool {
    !isFading(at: time) && target == value.number && (!isStored || stored == value.number)
  }
}

extension Value {
  /// Whether the value is the word for the router's value.
  fileprivate var isInherited: Bool { self == .text(Parameter.Inheritance.word) }

  fileprivate var number: Double { if case .number(let number) = self { number } else { 0 } }
}

extension [Leaf] {
  subscript(key: String) -> Leaf? { first { $0.key == key } }

  /// Adds other settings, which replace those of the same keys.
  mutating func extend(by others: [Leaf]) {
    for leaf in others {
      if let index = firstIndex(where: { $0.key == leaf.key }) { self[index] = leaf } else { append(leaf) }
    }
  }
}

// MARK: Reading

extension ObjectReader {
  /// The members that are parameters, in the order of the table.
  func leaves(of object: PresetObject) -> [Leaf] {
    object.leaves.compactMap { key, parameter in self[key]?.leaf(key, parameter) }
  }
}

extension ValueReader {
  /// Reads a value according to its parameter's kind.
  func leaf(_ key: String, _ parameter: Parameter) -> Leaf? {
    let value: Value?
    switch parameter.kind {
    case .level: value = level(upTo: Self.highestLevel).map { .number($0.value) }
    case .number(let range): value = number(range, unit: parameter.unit).map { .number($0) }
    case .inheritable(let range):
      value = numberOrWord(Parameter.Inheritance.word, range, unit: parameter.unit)
    case .limit(let range): value = numberOrWord(Kind.noLimit, range, unit: parameter.unit)
    case .integer(let range): value = integer(range).map { .integer($0) }
    case .toggle: value = bool().map { .flag($0) }
    case .inheritableToggle: value = boolOrWord(Parameter.Inheritance.word)
    case .choice(let names): value = choice(names).map { .text($0) }
    case .text: value = text().map { .text($0) }
    case .texts:
      let texts = list { element in element.placed(element.text()) }
      return texts.map { texts in
        Leaf(key, .texts(texts.map(\.value)), at: place, elements: texts.map(\.place))
      }
    case .names(let names):
      let chosen = list { element in element.placed(element.choice(names)) }
      return chosen.map { chosen in
        Leaf(key, .texts(chosen.map(\.value)), at: place, elements: chosen.map(\.place))
      }
    case .programPorts:
      return programPorts().map { entries in
        Leaf(key, .texts(entries.map(\.value)), at: place, elements: entries.map(\.place))
      }
    case .effects:
      if case .string = self.value.kind {
        return identifier(NamedChain.self).map { Leaf(key, .text($0.name), at: place) }
      }
      return effects().map { effects in
        Leaf(key, .texts(effects.map(\.value)), at: place, elements: effects.map(\.place))
      }
    case .trigger, .command, .meter: value = nil
    }
    return value.map { Leaf(key, $0, at: place) }
  }

  private func numberOrWord(_ word: String, _ range: ClosedRange<Double>, unit: String) -> Value? {
    if case .string(word) = value.kind { return .text(word) }
    return number(range, unit: unit, orWord: word).map { .number($0) }
  }

  private func boolOrWord(_ word: String) -> Value? {
    if case .string(word) = value.kind { return .text(word) }
    guard case .bool(let bool) = value.kind else {
      reportKind(wanted: "true, false or \(word.quoted)")
      return nil
    }
    return .flag(bool)
  }

  /// The highest level, in dB.
  static let highestLevel = 10.0
}
