import Parameters
import SessionModel

/// A plain setting of a document: a key of the table of parameters and its value.
struct Leaf: Sendable {
  let key: String
  let value: Value
  let place: Place
  /// Where each text of a list is written.
  let elements: [Place]

  init(_ key: String, _ value: Value, at place: Place, elements: [Place] = []) {
    (self.key, self.value, self.place, self.elements) = (key, value, place, elements)
  }

  /// One text of a list, as if it stood alone.
  func alone(_ index: Int) -> Leaf? {
    guard case .texts(let texts) = value, elements.count == texts.count else { return nil }
    return Leaf(key, .texts([texts[index]]), at: elements[index])
  }

  /// The event that makes it so, or nil if such objects have no such key.
  /// - Throws: `SessionError` when the value is nothing that the parameter takes.
  func event(of owner: Table.Owner, at target: Target) throws(SessionError) -> Event? {
    switch parameter(of: owner)?.binding {
    case .control(let moved):
      if isInherited, let inheritance = moved.inheritance { return inheritance.event(target) }
      return moved.move(target, .store(number))
    case .value(_, let write):
      return try write(Parameter.Request(state: RouterState(), target: target, value: value))
    case .readOnly, .observed, .surface, nil: return nil
    }
  }

  /// Whether the state is already so.
  func isInForce(of owner: Table.Owner, at target: Target, in state: RouterState) -> Bool {
    guard let parameter = parameter(of: owner) else { return false }
    guard case .control(let moved) = parameter.binding else {
      return parameter.read(Moment(state, at: 0), target) == value
    }
    guard moved.isInherited(state, target) == isInherited else { return false }
    guard !isInherited, let control = moved.control(state, target) else { return isInherited }
    return control.fade == nil && control.target == number && control.stored == number
  }

  /// Whether such objects have it.
  func isKey(of owner: Table.Owner) -> Bool { parameter(of: owner) != nil }

  /// Whether it says that the router's value counts.
  private var isInherited: Bool { value == .text(Parameter.Inheritance.word) }

  private var number: Double { if case .number(let number) = value { number } else { 0 } }

  private func parameter(of owner: Table.Owner) -> Parameter? {
    Table.keys(of: owner).first { $0.key == key }
  }
}

extension [Leaf] {
  subscript(key: String) -> Leaf? { first { $0.key == key } }

  /// Takes what other leaves say instead or besides.
  mutating func extend(by others: [Leaf]) {
    for leaf in others {
      if let index = firstIndex(where: { $0.key == leaf.key }) { self[index] = leaf } else { append(leaf) }
    }
  }
}

// MARK: Reading

extension ObjectReader {
  /// The members that the table of parameters knows, in the order of the table.
  func leaves(of object: PresetObject) -> [Leaf] {
    object.leaves.compactMap { parameter in self[parameter.key!]?.leaf(parameter.key!, parameter) }
  }
}

extension ValueReader {
  /// Reads a value by the kind of its parameter.
  func leaf(_ key: String, _ parameter: Parameter) -> Leaf? {
    let value: Value?
    switch parameter.kind {
    case .level: value = level(upTo: Self.highestLevel).map { .number($0.value) }
    case .number(let range): value = number(range, unit: parameter.unit).map { .number($0) }
    case .inheritable(let range): value = numberOrInherit(range, unit: parameter.unit)
    case .integer(let range): value = integer(range).map { .integer($0) }
    case .toggle: value = bool().map { .flag($0) }
    case .choice(let names): value = choice(names).map { .text($0) }
    case .text: value = text().map { .text($0) }
    case .texts:
      let texts = list { element in element.placed(element.text()) }
      return texts.map { texts in
        Leaf(key, .texts(texts.map(\.value)), at: place, elements: texts.map(\.place))
      }
    case .trigger, .command, .meter: value = nil
    }
    return value.map { Leaf(key, $0, at: place) }
  }

  private func numberOrInherit(_ range: ClosedRange<Double>, unit: String) -> Value? {
    if case .string(Parameter.Inheritance.word) = value.kind { return .text(Parameter.Inheritance.word) }
    return number(range, unit: unit).map { .number($0) }
  }

  /// dB; the highest level there is.
  static let highestLevel = 10.0
}
