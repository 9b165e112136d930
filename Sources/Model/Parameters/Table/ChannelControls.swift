import SessionModel

extension Table {
  /// The section of an output.
  @_optimize(none)
  static var outputSection: [Parameter] {
    [
      // The level stands before the switch, because a preset is applied in the order of the table.
      Parameter(
        "/output/<o>/dim/level", .number(-60...0), unit: "dB", scope: .gain, key: "dimLevel",
        output.value(\.section.dimLevel) { .section(.dimLevel($0)) }, "The level of the dimmed output."),
      Parameter(
        "/output/<o>/dim", .toggle, scope: .mute, key: "dim",
        output.value(\.section.isDimmed) { .section(.dim($0)) }, "Lowers the output by `dim/level`."),
      Parameter(
        "/output/<o>/mono", .toggle, scope: .pan, key: "mono",
        output.value(\.section.isMono) { .section(.mono($0)) },
        "Both channels get the sum of both at 1/sqrt(2); for 2 channels."),
      Parameter(
        "/output/<o>/swap", .toggle, scope: .pan, key: "swap",
        output.value(\.section.isSwapped) { .section(.swap($0)) }, "Left plays right; for 2 channels."),
      Parameter(
        "/output/<o>/balance", .number(-1...1), scope: .pan, key: "balance",
        output.control(\.section.balance) { .section(.balance($0)) },
        "As `pan` of a stream; for 2 channels."),
      polarity("/output/<o>", output.value(\.inverted) { .inverted($0) }),
    ]
  }

  @_optimize(none)
  static var inputChannels: [Parameter] {
    [
      Parameter(
        "/input/<i>/trim", .number(-18...18), unit: "dB", scope: .gain, key: "trim",
        input.control(\.trim) { .trim($0) }, "A gain before all else, apart from the fader."),
      polarity("/input/<i>", input.value(\.inverted) { .inverted($0) }),
      width("/input/<i>", input.control(\.width) { .width($0) }),
    ]
  }

  @_optimize(none)
  static var streamChannels: [Parameter] {
    [
      polarity("/session/<s>/stream/<t>", stream.value(\.inverted) { .inverted($0) }),
      width("/session/<s>/stream/<t>", stream.control(\.width) { .width($0) }),
    ]
  }

  private static func polarity(_ address: String, _ binding: Parameter.Binding) -> Parameter {
    Parameter(
      "\(address)/polarity", .texts, scope: .pan, key: "polarity", binding,
      "The channels whose polarity is inverted, such as `2`; or `none`.")
  }

  private static func width(_ address: String, _ binding: Parameter.Binding) -> Parameter {
    Parameter(
      "\(address)/width", .number(0...2), scope: .pan, key: "width", binding,
      "Width of 2 channels: 0 is mono, 1 changes nothing, 2 is wide.")
  }
}
