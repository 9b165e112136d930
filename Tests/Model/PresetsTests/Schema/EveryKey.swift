import JSON5
import Parameters
import SessionModel

@testable import Presets

/// A document with every key that presets have, each with a value of the right shape. The law may refuse it.
enum EveryKey {
  static var document: JSONValue { object(.root) }

  private static func object(_ kind: PresetObject) -> JSONValue {
    // A bridge has the keys of one tool.
    let foreign = kind.name == PresetObject.bridge.name ? Bridge.Tool.jackToNetwork.foreignKeys : []
    let fields = kind.fields.filter { $0.key != "extends" && !foreign.contains($0.key) }.map {
      JSONValue.Member($0.key, $0.key == "tool" ? "zita-j2n" : value($0.shape))
    }
    return .object(fields + kind.leaves.map { JSONValue.Member($0.key, value($0.parameter.kind)) })
  }

  private static func value(_ shape: PresetObject.Shape) -> JSONValue {
    switch shape {
    case .version: 1
    case .number(let range, _): .number(range.lowerBound)
    case .integer(let range): .number(Double(range.lowerBound))
    case .toggle: true
    case .choice(let names): .string(names[0])
    case .text, .longText: "text"
    case .form(.scope): "gain+mute"
    case .form(.word): "word"
    case .form(.streamOfSession): "a.b"
    case .form(.recorderSource): "stream:a.b"
    case .slug: "a"
    case .list(let element), .someOf(let element): [value(element), value(element)]
    case .object(let name), .someTexts(let name): object(PresetObject.all.first { $0.name == name }!)
    case .level(let name): object(PresetObject.all.first { $0.name == name }!)
    case .entries(_, let entry, _): ["a": value(entry), "b": value(entry)]
    case .effects: ["eq"]
    case .settings: ["/input/mic/1/gain": -6, "/session/a/gain": "off"]
    }
  }

  /// A document with effects in all forms.
  static let effects: JSONValue = [
    "multiroute": 1,
    "sessions": [
      "show": [
        "category": "multiRoute",
        "streams": [
          "band": [
            "effects": [
              "eq off HPfreq=80",
              [
                "plugin": "urn:a", "preset": "b", "set": ["c": 0.5, "d": true], "on": false,
                "sidechain": "stream:show.band",
              ],
            ]
          ]
        ],
      ]
    ],
  ]

  private static func value(_ kind: Kind) -> JSONValue {
    switch kind {
    case .level: -6
    case .number(let range), .inheritable(let range), .limit(let range): .number(range.upperBound)
    case .integer(let range): .number(Double(range.upperBound))
    case .toggle, .inheritableToggle: false
    case .choice(let names): .string(names.last ?? "")
    case .text: "text"
    case .texts: ["a"]
    case .names(let names): .array(names.map { .string($0) })
    case .programPorts: ["1": ["a:b", ["application": "c"]], "2": []]
    // `effects` below has some; the streams here are too wide for them.
    case .effects: []
    case .trigger, .command, .meter: .null
    }
  }
}
