import Parameters

/// One of a parameter's addresses: the value itself, or a leaf that every value of its kind has below it.
enum Aspect: Hashable, Sendable {
  case value
  /// A level, or a control of a plugin, as a fader position 0...1.
  case position
  /// A level as a label, such as `-12.5 dB`.
  case label
  case increment(asPosition: Bool)
  case reset
  case fade(asPosition: Bool)
  case fadeStop
  case touch
  case toggle
  /// A choice as its number in the published order.
  case index
  /// One value of a choice: a trigger that also works as a lamp.
  case lamp(String)
  case next
  case previous

  /// Whether the leaf can be read.
  var isReadable: Bool {
    switch self {
    case .value, .position, .label, .index, .lamp: true
    default: false
    }
  }

  /// Whether the leaf performs an action instead of taking a value.
  var isTrigger: Bool {
    switch self {
    case .reset, .fadeStop, .toggle, .lamp, .next, .previous: true
    default: false
    }
  }

  /// Whether a set names the new value, so that its sender knows what to expect.
  var namesValue: Bool {
    switch self {
    case .value, .position, .index: true
    default: false
    }
  }

  /// The number of parts at the end of the address that follow the leaf that shows the effect.
  var depthBelowShown: Int {
    switch self {
    case .value, .position, .label, .index, .lamp: 0
    case .increment, .reset, .fade, .touch, .toggle, .next, .previous: 1
    case .fadeStop: 2
    }
  }

  /// Whether a pattern may set the leaf. Of triggers, only some may be fired by a pattern.
  var takesPatterns: Bool {
    switch self {
    case .lamp, .next, .previous, .fadeStop: false
    default: true
    }
  }
}

extension Parameter {
  /// The leaves below the value, by the part that follows the value's address.
  var subLeaves: [(suffix: [String], aspect: Aspect)] {
    switch (kind, binding) {
    case (_, .control), (.level, .alias):
      subLeavesOfControl(asPosition: false) + (isLevel ? [(["text"], .label)] : [])
        + (isPluginControl ? positions(at: ["fader"]) : [])
    case (.toggle, .value), (.toggle, .transport), (.toggle, .alias): [(["toggle"], .toggle)]
    case (.number, .transport): [(["inc"], .increment(asPosition: false))]
    case (.choice(let names), .value):
      names.map { ([$0], .lamp($0)) } + [(["index"], .index), (["next"], .next), (["prev"], .previous)]
    default: []
    }
  }

  /// The position of a level or control at an address, and what is below it.
  func positions(at fader: [String]) -> [(suffix: [String], aspect: Aspect)] {
    [(fader, .position)] + subLeavesOfControl(asPosition: true).map { (fader + $0.suffix, $0.aspect) }
  }

  /// The leaves of every level and number. What has a position has them there, too.
  private func subLeavesOfControl(asPosition: Bool) -> [(suffix: [String], aspect: Aspect)] {
    [
      (["inc"], .increment(asPosition: asPosition)), (["reset"], .reset),
      (["fade"], .fade(asPosition: asPosition)), (["fade", "stop"], .fadeStop), (["touch"], .touch),
    ]
  }
}
