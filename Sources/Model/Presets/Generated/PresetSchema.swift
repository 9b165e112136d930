import Effects
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
        .init(
          "definitions",
          .object(
            others.map { .init($0.name, .object(members(of: $0))) } + [
              .init(name(of: .ofObjects), settings(.ofObjects)), .init(name(of: .all), settings(.all)),
            ])),
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
          ["required": ["outputs"]], ["required": ["inputs"]],
          ["required": ["sources"], "properties": ["sources": ["minProperties": 1]]],
          ["required": ["bridge"]],
        ]),
    ])
    let others = [("sessions", PresetObject.session), ("players", .player), ("recorders", .recorder)]
    return [
      "properties": .object(
        [.init("ports", entries(port))]
          + others.map { key, kind in .init(key, entries(.object([required(kind)]))) })
    ]
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
    ] + (kind.required.isEmpty || kind.isExtensible ? [] : [required(kind)])
      + (kind.name == PresetObject.bridge.name ? [tools] : []) + [.init("additionalProperties", false)]
  }

  /// The keys that each tool of a bridge needs, and those that it does not have.
  private static var tools: JSONValue.Member {
    .init(
      "allOf",
      .array(
        Bridge.Tool.allCases.map { tool in
          [
            "if": ["required": ["tool"], "properties": ["tool": ["const": .string(tool.rawValue)]]],
            "then": .object([
              .init("required", .array(tool.neededKeys.map { .string($0) })),
              .init("properties", .object(tool.foreignKeys.map { .init($0, false) })),
            ]),
          ]
        }))
  }

  // MARK: Values

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
    case .inheritableToggle:
      [.init("anyOf", [["type": "boolean"], ["const": .string(Parameter.Inheritance.word)]])]
    case .choice(let names): choice(names)
    case .text: text()
    case .texts: [.init("type", "array"), .init("items", .object(text()))]
    case .names(let names): [.init("type", "array"), .init("items", .object(choice(names)))]
    case .programPorts: [.init("anyOf", [.object(programPorts), channelsByHand])]
    case .effects: [.init("anyOf", [.object(effects), .object(schema(of: .slug))])]
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
    case .text: text()
    case .longText(let limit): text(limit)
    case .form(let form): text(form.pattern)
    case .slug: [.init("type", "string"), .init("pattern", .string(whole(PresetObject.Form.slug)))]
    case .list(let element): [.init("type", "array"), .init("items", .object(schema(of: element)))]
    case .someOf(let element): schema(of: .list(of: element)) + [.init("minItems", 1)]
    case .object(let name): [.init("$ref", .string("#/definitions/\(name)"))]
    case .someTexts(let name):
      [.init("anyOf", [.object(schema(of: .someOf(.text))), .object(schema(of: .object(name)))])]
    case .level(let name): [.init("anyOf", .array(choicesOfLevel + [.object(schema(of: .object(name)))]))]
    case .entries(let names, let entry, let most):
      [
        .init("type", "object"), .init("propertyNames", ["pattern": .string(whole(names.pattern))]),
        .init("additionalProperties", .object(schema(of: entry))),
      ] + (most.map { [.init("maxProperties", .number(Double($0)))] } ?? [])
    case .effects: effects
    case .settings(let settings): [.init("$ref", .string("#/definitions/\(name(of: settings))"))]
    }
  }

  private static let level: [JSONValue.Member] = [.init("anyOf", .array(choicesOfLevel))]
  private static let choicesOfLevel: [JSONValue] = [
    .object([.init("type", "number"), .init("maximum", .number(ValueReader.highestLevel))]), ["const": "off"],
  ]

  /// Text without control characters. The reader counts bytes; characters are never more.
  private static func text(_ limit: Int = ValueReader.longestText) -> [JSONValue.Member] {
    text(pattern: "[^\(PresetObject.Form.controls)]*", upTo: limit)
  }

  private static func text(_ pattern: String) -> [JSONValue.Member] {
    text(pattern: pattern, upTo: ValueReader.longestText)
  }

  private static func text(pattern: String, upTo limit: Int) -> [JSONValue.Member] {
    [
      .init("type", "string"), .init("minLength", 1), .init("maxLength", .number(Double(limit))),
      .init("pattern", .string(whole(pattern))),
    ]
  }

  /// A regular expression that must match the whole text.
  private static func whole(_ pattern: String) -> String { "^(\(pattern))$" }

  /// A list of JACK names, and of programs by other names.
  private static var programPorts: [JSONValue.Member] {
    let keys = ["ports"] + ProgramNames.Key.allCases.map(\.rawValue)
    let program: JSONValue = .object([
      .init("type", "object"), .init("properties", .object(keys.map { .init($0, .object(text())) })),
      .init("minProperties", .number(1)), .init("additionalProperties", false),
    ])
    return [
      .init("type", "array"), .init("items", ["anyOf": [.object(text(ValueReader.longestEntry)), program]]),
    ]
  }

  /// A chain of plugins.
  private static var effects: [JSONValue.Member] {
    let effect: JSONValue = .object([
      .init("type", "object"),
      .init(
        "properties",
        [
          "plugin": .object(text(1_024)), "preset": .object(text()),
          "set": [
            "type": "object",
            "additionalProperties": ["anyOf": [.object(number(-1e9...1e9)), ["type": "boolean"]]],
          ],
          "on": ["type": "boolean"], "sidechain": .object(text()),
        ]), .init("required", ["plugin"]), .init("additionalProperties", false),
    ])
    return [.init("type", "array"), .init("items", ["anyOf": [.object(text(Effect.longestText)), effect]])]
  }

  /// An object with such a list for each channel.
  private static var channelsByHand: JSONValue {
    .object([
      .init("type", "object"),
      .init("propertyNames", ["enum": .array(ProgramPorts.channels.map { .string("\($0)") })]),
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

  // MARK: Settings by address

  private static func name(of settings: PresetObject.Settings) -> String {
    switch settings {
    case .ofObjects: "settings"
    case .all: "keptSettings"
    }
  }

  /// An object of addresses with a value each.
  private static func settings(_ settings: PresetObject.Settings) -> JSONValue {
    let parameters = Table.parameters.filter { parameter in
      guard parameter.isSetting else { return false }
      return switch settings {
      case .ofObjects: parameter.isOfObject
      case .all: true
      }
    }
    return [
      "type": "object",
      "patternProperties": .object(
        parameters.map { .init(whole($0.addressPattern), .object(schema(ofSetting: $0))) }),
      "additionalProperties": false,
    ]
  }

  /// Unlike elsewhere, texts may be long or empty.
  private static func schema(ofSetting parameter: Parameter) -> [JSONValue.Member] {
    let texts: JSONValue = ["type": "array", "items": ["type": "string"]]
    return switch parameter.kind {
    case .text: [.init("type", "string")]
    case .texts, .names, .effects: [.init("type", "array"), .init("items", ["type": "string"])]
    case .programPorts: [.init("anyOf", [texts, channelsByHand])]
    default: schema(of: parameter)
    }
  }
}

extension Parameter {
  /// A regular expression for the addresses of the parameter.
  fileprivate var addressPattern: String {
    parts.map { part in
      switch Placeholder(rawValue: String(part)) {
      case nil: "/\(part)"
      case .channel, .strip, .bank: "/[1-9][0-9]{0,17}"
      default: "/\(PresetObject.Form.slug)"
      }
    }.joined()
  }

  /// The summary, with the unit if there is one.
  var summaryWithUnit: String { unit.isEmpty ? summary : "\(summary) In \(unit)." }
}
