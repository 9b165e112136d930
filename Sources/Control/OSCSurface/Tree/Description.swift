import Numbers
public import Parameters

extension Parameter {
  /// Type tags, unit, access, kind, range or choices, and meaning of one of the parameter's addresses.
  func description(of aspect: Aspect) -> [String] {
    let access = !isWritable ? (isCommand ? "command" : "read") : "\(right)"
    switch aspect {
    case .value: return [isLamp ? "i" : kind.tags, unit, access, kind.name, range, summary]
    case .position: return ["f", "", access, "level", "0..1", "\(summary) As a fader position."]
    case .label: return ["s", "", "read", "text", "", "\(summary) As a label."]
    case .index: return ["i", "", access, "integer", range, "\(summary) As a number."]
    case .lamp(let name):
      return ["i", "", access, "trigger", "", "\(summary) Chooses \(name), and works as a lamp."]
    case .increment: return ["f", unit, access, "number", "", "Changes the value by this amount."]
    case .reset: return ["", "", access, "trigger", "", "Resets to the value of the preset in force."]
    case .fade: return ["ff", unit, access, "number", range, "Fades to a value within some seconds."]
    case .fadeStop: return ["", "", access, "trigger", "", "Stops the fade at its present value."]
    case .touch:
      return [
        "i", "", access, "switch", "", "Touched: this surface gets no feedback, and fades leave it alone.",
      ]
    case .toggle: return ["", "", access, "trigger", "", "Switches between on and off."]
    case .next, .previous: return ["", "", access, "trigger", "", "Selects the next or previous choice."]
    }
  }

  /// The range or the choices as text.
  public var range: String {
    switch kind {
    case .level: "-90..10"
    case .number(let range): "\(range.lowerBound.shortText)..\(range.upperBound.shortText)"
    case .inheritable(let range):
      "\(range.lowerBound.shortText)..\(range.upperBound.shortText) inherit"
    case .inheritableToggle: Parameter.Inheritance.word
    case .limit(let range):
      "\(range.lowerBound.shortText)..\(range.upperBound.shortText) \(Kind.noLimit)"
    case .integer(let range): "\(range.lowerBound)..\(range.upperBound)"
    case .choice(let names): names.joined(separator: " ")
    case .command(let signature): signature
    default: ""
    }
  }
}
