import SessionModel

extension Table {
  /// What is measured of the audio loop. It is sent to subscribers only, at most twice a second.
  @_optimize(none)
  static var loop: [Parameter] {
    [
      measured(
        "/health/load/now", .number(0...10),
        "The share of its time that the audio thread needs, mean of a second."
      ) { .number($0.load.now) },
      measured(
        "/health/load/worst", .number(0...100), "The same for the worst period of the last 10 s."
      ) { .number($0.load.worst) },
      measured(
        "/health/load/server", .number(0...10),
        "The share that all programs of the server need, as it tells."
      ) { .number($0.load.server) },
      measured(
        "/health/rate/in", .number(0...1_000_000), unit: "Hz",
        "The rate at which the server captures, measured over 10 s; 0 while unknown."
      ) { .number($0.rate) },
      measured(
        "/health/rate/out", .number(0...1_000_000), unit: "Hz",
        "The rate at which the server plays, measured over 10 s; 0 while unknown."
      ) { .number($0.rate) },
      measured(
        "/health/drift", .number(-1...1),
        "The server's clock: measured rate divided by the nominal one, minus 1."
      ) { .number($0.drift) },
      count("/health/xruns", "Overruns that the server has told of since the start.") { $0.xruns },
      count(
        "/health/glitches",
        "Periods that came late or lost frames, since the start."
      ) { $0.glitches },
      count(
        "/health/late", "Periods that came more than 1.6 periods after the one before."
      ) { $0.late },
      count("/health/lost", "Frames since the start that the server left out.") { $0.lost },
    ] + stages + [
      Parameter(
        "/health/disk/free", .number(0...1e18),
        .measured { state, _ in state.loop.freeBytes.map { .number(Double($0)) } },
        "Free bytes of the disk of the recordings; absent without one."),
      Parameter(
        "/health/reset", .trigger, .action { _ in .router(.resetWorst) },
        "Forgets the worst values. Counts stay."),
      bridge(.output), bridge(.input),
    ] + rings("/player/<p>") + rings("/recorder/<r>")
  }

  private static let stages = LoopStage.allCases.flatMap { stage in
    [
      measured(
        "/health/stage/\(stage)/mean", .number(0...10), unit: "s",
        "How long \(stage.work), mean of a second."
      ) { .number($0[stage].mean) },
      measured(
        "/health/stage/\(stage)/worst", .number(0...10_000), unit: "s",
        "The longest such time since the last reset."
      ) { .number($0[stage].worst) },
    ]
  }

  /// What is measured of the ring between a file and the audio thread.
  @_optimize(none)
  private static func rings(_ owner: String) -> [Parameter] {
    @Sendable func ring(_ state: RouterState, _ target: Target) -> LoopFacts.Ring? {
      let name = target.player.map { "player:\($0)" } ?? target.recorder.map { "recorder:\($0)" }
      return state.loop.rings.first { $0.name == name }
    }
    return [
      Parameter(
        "\(owner)/buffer/least", .number(0...1_000), unit: "s",
        .measured { state, target in ring(state, target).map { .number($0.least) } },
        "The least sound in its ring in 10 s; absent while it does not run."),
      Parameter(
        "\(owner)/buffer/pulls", .number(0...1_000_000), unit: "Hz",
        .measured { state, target in ring(state, target).map { .number($0.pulls) } },
        "How often a second the audio thread uses its ring; absent while it does not run."
      ),
    ]
  }

  private static func measured(
    _ address: String, _ kind: Kind, unit: String = "", _ summary: String,
    _ read: @escaping @Sendable (LoopFacts) -> Value
  ) -> Parameter {
    Parameter(address, kind, unit: unit, .measured { state, _ in read(state.loop) }, summary)
  }

  private static func count(
    _ address: String, _ summary: String, _ read: @escaping @Sendable (LoopFacts.Counts) -> Int
  ) -> Parameter {
    measured(address, .integer(0...Int(Int32.max)), summary) { .integer(read($0.counts)) }
  }

  private static func bridge(_ direction: Direction) -> Parameter {
    Parameter(
      direction == .output ? "/output/<o>/drift" : "/input/<i>/drift", .number(-1...1),
      .measured { state, target in
        guard let id = direction == .output ? target.output : target.input,
          state[direction][id]?.bridge != nil
        else { return nil }
        return .number(state.loop.drift(of: id, direction))
      },
      "The resampling of a bridged port: ratio minus 1, mean of 10 s; 0 while unknown."
    )
  }
}

extension LoopStage {
  /// What happens in the stage, for a sentence.
  fileprivate var work: String {
    switch self {
    case .adopt: "the audio thread adopts new plans in a period"
    case .stages: "the audio thread computes ramps in a period"
    case .sources: "the audio thread reads sources in a period"
    case .sinks: "the audio thread mixes sinks in a period"
    case .players: "the audio thread serves players and recorders in a period"
    case .voice: "the audio thread exchanges sound with voice processing in a period"
    case .disk: "the threads of players and recorders read and write files in a pass"
    }
  }
}
