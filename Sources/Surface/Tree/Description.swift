public import Parameters

extension Parameter {
  /// Type tags, unit, access, kind, range or choices, and meaning of one of its addresses.
  func description(of aspect: Aspect) -> [String] {
    let access = !isWritable ? (isCommand ? "command" : "read") : "\(right)"
    switch aspect {
    case .value: return [kind.tags, unit, access, kind.name, range, summary]
    case .position: return ["f", "", access, "level", "0..1", "\(summary) As a fader position."]
    case .label: return ["s", "", "read", "text", "", "\(summary) As a label."]
    case .index: return ["i", "", access, "integer", range, "\(summary) As a number."]
    case .lamp(let name): return ["i", "", access, "trigger", "", "\(summary) Chooses \(name); a lamp, too."]
    case .increment: return ["f", unit, access, "number", "", "Moves it by this much."]
    case .reset: return ["", "", access, "trigger", "", "Back to the value of the preset in force."]
    case .fade: return ["ff", unit, access, "number", range, "Fades to a value in seconds."]
    case .fadeStop: return ["", "", access, "trigger", "", "Stops the fade where it is."]
    case .touch:
      return [
        "i", "", access, "switch", "", "A finger is on it: no feedback to the toucher, no fade moves it.",
      ]
    case .toggle: return ["", "", access, "trigger", "", "Turns it over."]
    case .next, .previous: return ["", "", access, "trigger", "", "One choice on or back."]
    }
  }

  /// The range or the choices, as text.
  public var range: String {
    switch kind {
    case .level: "-90..10"
    case .number(let range): "\(Self.shortest(range.lowerBound))..\(Self.shortest(range.upperBound))"
    case .inheritable(let range):
      "\(Self.shortest(range.lowerBound))..\(Self.shortest(range.upperBound)) inherit"
    case .integer(let range): "\(range.lowerBound)..\(range.upperBound)"
    case .choice(let names): names.joined(separator: " ")
    case .command(let signature): signature
    default: ""
    }
  }

  /// `-90` rather than `-90.0`.
  private static func shortest(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
