import Parameters

/// Which of a parameter's addresses this is: the value itself, or one of the leaves that every value of its kind has.
enum Aspect: Hashable, Sendable {
  case value
  /// A level as a fader position 0...1.
  case position
  /// A level as a label, `-12.5 dB`.
  case label
  case increment(asPosition: Bool)
  case reset
  case fade(asPosition: Bool)
  case fadeStop
  case touch
  case toggle
  /// A choice as its number in the published order.
  case index
  /// One value of a choice: a trigger that is a lamp, too.
  case lamp(String)
  case next
  case previous

  /// Whether a get is answered.
  var isReadable: Bool {
    switch self {
    case .value, .position, .label, .index, .lamp: true
    default: false
    }
  }

  /// Whether it acts rather than takes a value.
  var isTrigger: Bool {
    switch self {
    case .reset, .fadeStop, .toggle, .lamp, .next, .previous: true
    default: false
    }
  }

  /// How many parts of the address stand behind the leaf that shows its effect.
  var depthBelowShown: Int {
    switch self {
    case .value, .position, .label, .index, .lamp: 0
    case .increment, .reset, .fade, .touch, .toggle, .next, .previous: 1
    case .fadeStop: 2
    }
  }

  /// Whether a pattern may set it; triggers only where the contract says so.
  var takesPatterns: Bool {
    switch self {
    case .lamp, .next, .previous, .fadeStop: false
    default: true
    }
  }
}

extension Parameter {
  /// The leaves below the value, by what is added to the address.
  var subLeaves: [(suffix: [String], aspect: Aspect)] {
    switch (kind, binding) {
    case (_, .control): subLeavesOfControl(asPosition: false) + (isLevel ? [(["text"], .label)] : [])
    case (.toggle, .value): [(["toggle"], .toggle)]
    case (.choice(let names), .value):
      names.map { ([$0], .lamp($0)) } + [(["index"], .index), (["next"], .next), (["prev"], .previous)]
    default: []
    }
  }

  /// What every level and number has; a level has it twice, in dB and as a fader.
  func subLeavesOfControl(asPosition: Bool) -> [(suffix: [String], aspect: Aspect)] {
    [
      (["inc"], .increment(asPosition: asPosition)), (["reset"], .reset),
      (["fade"], .fade(asPosition: asPosition)), (["fade", "stop"], .fadeStop), (["touch"], .touch),
    ]
  }
}
