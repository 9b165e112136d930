import JSON5
import Parameters
import SessionModel

/// The JSON Schema of presets (draft 7, which editors support), generated from the keys that the reader
/// accepts.
public enum PresetSchema {
  /// The schema's text, as shipped.
  public static var text: String { schema.text }

  static var schema: JSONValue {
    let others = PresetObject.all.filter { $0.name != PresetObject.root.name }
    return .object(
      [
        .init("$schema", "http://json-schema.org/draft-07/schema#"),
        .init("title", "A preset of multiroute"),
      ] + members(of: .root) + [
        .init("if", ["not": ["required": ["extends"]]]),
        .init("then", wholeByItself),
        .init("definitions", .object(others.map { .init($0.name, .object(members(of: $0))) })),
      ])
  }

  /// The required keys of a preset that extends no other.
  private static var wholeByItself: JSONValue {
    func entries(_ rule: JSONValue) -> JSONValue { ["additionalProperties": rule] }
    let port: JSONValue = .object([
      required(.port),
      .init(
        "anyOf",
        [
          ["required": ["outputs"]], ["required": ["inputs"]], ["required": ["sources"]],
          ["required": ["bridge"]],
        ]),
    ])
    return ["properties": ["ports": entries(port), "sessions": entries(.object([required(.session)]))]]
  }

  private static func required(_ kind: PresetObject) -> JSONValue.Member {
    .init("required", .array(kind.required.map { .string($0) }))
  }

  private static func members(of kind: PresetObject) -> [JSONValue.Member] {
    let fields = kind.fields.map { field in
      JSONValue.Member(field.key, described(schema(of: field.shape), field.summary))
    }
    let leaves = kind.leaves.map { key, parameter in
      JSONValue.Member(key, described(schema(of: parameter), parameter.summaryWithUnit))
    }
    return [
      .init("description", .string(kind.summary)), .init("type", "object"),
      .init("properties", .object(fields + leaves)),
    ] + (kind.name == PresetObject.root.name ? [required(kind)] : []) + [.init("additionalProperties", false)]
  }

  private static func described(_ schema: [JSONValue.Member], _ summary: String) -> JSONValue {
    .object([.init("description", .string(summary))] + schema)
  }

  private static func schema(of parameter: Parameter) -> [JSONValue.Member] {
    switch parameter.kind {
    case .level: level
    case .number(let range): number(range)
    case .inheritable(let range): number(range, orWord: Parameter.Inheritance.word)
    case .limit(let range): number(range, orWord: Kind.noLimit)
    case .integer(let range): integer(range)
    case .toggle: [.init("type", "boolean")]
    case .choice(let names): choice(names)
    case .text: someText
    case .texts: [.init("type", "array"), .init("items", .object(someText))]
    case .programPorts: [.init("anyOf", [.object(programPorts), channelsByHand])]
    case .trigger, .command, .meter: []
    }
  }

  private static func schema(of shape: PresetObject.Shape) -> [JSONValue.Member] {
    switch shape {
    case .version: [.init("const", 1)]
    case .number(let range, _): number(range)
    case .integer(let range): integer(range)
    case .toggle: [.init("type", "boolean")]
    case .choice(let names): choice(names)
    case .text: someText
    case .slug: [.init("type", "string"), .init("pattern", .string("^\(slug)$"))]
    case .list(let element): [.init("type", "array"), .init("items", .object(schema(of: element)))]
    case .object(let name): [.init("$ref", .string("#/definitions/\(name)"))]
    case .level(let name): [.init("anyOf", .array(choicesOfLevel + [.object(schema(of: .object(name)))]))]
    case .entries(let names, let entry):
      [
        .init("type", "object"), .init("propertyNames", ["pattern": .string(pattern(names))]),
        .init("additionalProperties", .object(schema(of: entry))),
      ]
    case .settings:
      [
        .init("type", "object"), .init("propertyNames", ["pattern": "^/"]),
        .init("additionalProperties", ["type": ["boolean", "number", "string", "array"]]),
      ]
    }
  }

  private static let level: [JSONValue.Member] = [.init("anyOf", .array(choicesOfLevel))]
  private static let choicesOfLevel: [JSONValue] = [
    .object([.init("type", "number"), .init("maximum", .number(ValueReader.highestLevel))]), ["const": "off"],
  ]
  private static let someText: [JSONValue.Member] = [.init("type", "string"), .init("minLength", 1)]

  /// A list of JACK names, and of programs by other names.
  private static var programPorts: [JSONValue.Member] {
    let keys = ["ports"] + ProgramNames.Key.allCases.map(\.rawValue)
    let program: JSONValue = .object([
      .init("type", "object"), .init("properties", .object(keys.map { .init($0, .object(someText)) })),
      .init("minProperties", .number(1)), .init("additionalProperties", false),
    ])
    return [.init("type", "array"), .init("items", ["anyOf": [.object(someText), program]])]
  }

  /// An object with such a list for each channel.
  private static var channelsByHand: JSONValue {
    .object([
      .init("type", "object"), .init("propertyNames", ["pattern": "^[1-9][0-9]?$"]),
      .init("additionalProperties", .object(programPorts)),
    ])
  }

  private static func number(_ range: ClosedRange<Double>) -> [JSONValue.Member] {
    [
      .init("type", "number"), .init("minimum", .number(range.lowerBound)),
      .init("maximum", .number(range.upperBound)),
    ]
  }

  private static func number(_ range: ClosedRange<Double>, orWord word: String) -> [JSONValue.Member] {
    [.init("anyOf", .array([.object(number(range)), ["const": .string(word)]]))]
  }

  private static func integer(_ range: ClosedRange<Int>) -> [JSONValue.Member] {
    [
      .init("type", "integer"), .init("minimum", .number(Double(range.lowerBound))),
      .init("maximum", .number(Double(range.upperBound))),
    ]
  }

  private static func choice(_ names: [String]) -> [JSONValue.Member] {
    [.init("enum", .array(names.map { .string($0) }))]
  }

  /// The form that `Identifier` accepts.
  private static let slug = "[a-z0-9][a-z0-9_-]{0,31}"

  private static func pattern(_ names: PresetObject.Names) -> String {
    switch names {
    case .slugs: "^\(slug)$"
    case .destinations: "^\(slug)(:[0-9]+(-[0-9]+)?|:[0-9]+:[0-9]+(\\+[0-9]+:[0-9]+)*)?$"
    case .contributions: "^(input:)?\(slug)$"
    }
  }
}

extension Parameter {
  /// The summary, with the unit if there is one.
  var summaryWithUnit: String { unit.isEmpty ? summary : "\(summary) In \(unit)." }
}
