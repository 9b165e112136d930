import Effects
public import SessionModel

extension Table {
  @_optimize(none)
  static var strips: [Parameter] {
    assignments + stripLeaves + banks
  }

  @_optimize(none)
  private static var assignments: [Parameter] {
    [
      Parameter(
        "/strip/assign", .texts, scope: .route, key: "strips",
        router.value(
          read: { .texts(StripList.texts(of: $0.strips.own)) },
          write: { value throws(SessionError) in .strips(.all(try StripList.targets(in: try [String](value))))
          }
        ),
        "The targets of all strips, from 1 on; `8=` before an address goes on with strip 8."
      ),
      Parameter(
        "/strip/<strip>/assign", .text, scope: .route,
        .transport(
          Parameter.Observed({ moment, target in
            .text(target.strip.flatMap(moment.state.strips.target)?.address ?? "none")
          }),
          write: { request throws(SessionError) in
            let (number, text) = (try request.target.id(of: \.strip), try String(request.value))
            guard text != "none" else { return .router(.strips(.one(number, nil))) }
            let target = try StripList.target(text)
            guard request.state.exists(target) else {
              throw SessionError(
                .notFound,
                "there is no \(text); \(request.state.advice(insteadOf: target))")
            }
            return .router(.strips(.one(number, target)))
          }),
        "The target's address, such as `/session/show/stream/click/to/headphones`; `none` leaves the strip to its bank."
      ),
    ]
  }

  @_optimize(none)
  private static var stripLeaves: [Parameter] {
    [
      Parameter(
        "/strip/<strip>/gain", .level, unit: "dB", scope: .gain,
        .alias(.init("gain", absent: .number(Decibels.floor))), "The target's level; of a control its value."),
      Parameter(
        "/strip/<strip>/mute", .toggle, scope: .mute, .alias(.init("mute", absent: .flag(false))),
        "The target's mute."),
      Parameter(
        "/strip/<strip>/solo", .toggle, scope: .mute, .alias(.init("solo", absent: .flag(false))),
        "The target's solo."),
      Parameter(
        "/strip/<strip>/on", .toggle, scope: .route, .alias(.init("on", absent: .flag(false))),
        "Whether the target, a send, or the effect of a control, is on."),
      Parameter(
        "/strip/<strip>/name", .text, scope: .category,
        .alias(
          .init("name", absent: .text("")) { state, target in
            target.usualName(in: state).map { .text($0) }
          }),
        "The target's display name; of a stream, send or player its id, of a control the plugin's name for it. Empty without a target."
      ),
      Parameter(
        "/strip/<strip>/color", .text, scope: .category,
        .alias(
          .init("color", absent: .text("none")) { state, target in
            guard let (session, stream) = target.owningStream else { return nil }
            return state.sessions[session]?.streams[stream]?.color.value
          }),
        "The target's colour, as #rrggbb, or `none`; of a send or control that of its stream."),
      Parameter(
        "/strip/<strip>/state", .text,
        .observed(
          Parameter.Observed({ moment, target in
            let state = moment.state
            let shown = target.strip.flatMap(state.strips.target).flatMap {
              state.stripState(of: $0, moment.activity)
            }
            return .text(shown?.rawValue ?? "")
          })),
        "The lamp: \(StripState.allCases.map(\.rawValue).joined(separator: ", ")), or empty without a target."
      ),
      Parameter(
        "/strip/<strip>/meter", .meter(channels: true), unit: "dBFS", .surface(.meter),
        "The target's meter: peak per channel; of a send that of its stream. A control has none."),
      Parameter(
        "/strip/<strip>/meter/level", .meter(channels: false), .surface(.meter),
        "The loudest channel of the target's meter, 0..1 for -60..0 dBFS."),
    ]
  }

  @_optimize(none)
  private static var banks: [Parameter] {
    [
      Parameter(
        "/bank/<bank>/size", .integer(0...Strips.numbers.count), scope: .route,
        .value(
          read: { state, target in target.bank.map { .integer(state.strips.size(of: $0)) } },
          write: { request throws(SessionError) in
            .router(.strips(.size(try request.target.id(of: \.bank), try Int(request.value))))
          }),
        "How many strips the bank has: bank 1 from strip 1, bank 2 from 9 ...; 0 is unused."
      ),
      Parameter(
        "/bank/<bank>/over", .text, scope: .route,
        .value(
          read: { state, target in target.bank.map { .text(state.strips.range(of: $0).text) } },
          write: { request throws(SessionError) in
            .router(
              .strips(
                .range(
                  try request.target.id(of: \.bank), try StripList.range(try String(request.value)))))
          }),
        "What the bank moves over: `show`, or the controls of all effects of /session/show/stream/click, /output/usb ..., or of one of them (.../effect/2)."
      ),
      Parameter(
        "/bank/<bank>/at", .integer(Strips.places), scope: .route,
        .value(
          read: { state, target in target.bank.map { .integer(state.strips.place(of: $0)) } },
          write: { request throws(SessionError) in
            .router(.strips(.place(try request.target.id(of: \.bank), try Int(request.value))))
          }),
        "Index of the bank's first target; over the show among groups, sessions with their streams, then outputs."
      ),
      Parameter(
        "/bank/<bank>/next", .trigger, step(1), "Moves the bank on by its size."),
      Parameter(
        "/bank/<bank>/prev", .trigger, step(-1), "Moves the bank back by its size."),
    ]
  }

  private static func step(_ steps: Int) -> Parameter.Binding {
    .action { request throws(SessionError) in
      .router(.strips(.step(try request.target.id(of: \.bank), steps)))
    }
  }
}

extension StripTarget {
  /// The stream of a send or of a control; nil for any other target.
  fileprivate var owningStream: (SessionID, StreamID)? {
    switch self {
    case .send(let session, let stream, _): return (session, stream)
    case .control(let effect, _):
      guard case .stream(let session, let stream) = effect.chain else { return nil }
      return (session, stream)
    default: return nil
    }
  }

  /// What a target without a display name of the operator's is called.
  fileprivate func usualName(in state: RouterState) -> String? {
    switch self {
    case .session, .output, .input, .group: nil
    case .stream(_, let stream): stream.name
    case .send(_, let stream, let output): "\(stream) to \(output)"
    case .player(let id): id.name
    case .control(let effect, let symbol): state.effect(at: effect)?.facts.control(symbol)?.name ?? symbol
    }
  }
}

/// The targets of strips as a list of texts: `/output/usb` for the strip behind the one before, `8=/output/usb` for strip 8.
public enum StripList {
  public static func texts(of targets: [Int: StripTarget]) -> [String] {
    var next = 1
    return targets.sorted { $0.key < $1.key }.map { number, target in
      defer { next = number + 1 }
      return number == next ? target.address : "\(number)=\(target.address)"
    }
  }

  /// - Throws: `SessionError` badValue for a text that is no target or no number, and for two targets of one strip.
  public static func targets(in texts: [String]) throws(SessionError) -> [Int: StripTarget] {
    var (targets, next) = ([Int: StripTarget](), 1)
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        guard let number = Int(parts[0]), Strips.numbers.contains(number) else {
          throw SessionError(.badValue, "'\(parts[0])' in '\(text)' is no strip; strips are 1 to 64")
        }
        next = number
      }
      guard Strips.numbers.contains(next) else {
        throw SessionError(.badValue, "'\(text)' would be strip \(next); strips are 1 to 64")
      }
      guard targets.updateValue(try target(String(parts[parts.count - 1])), forKey: next) == nil else {
        throw SessionError(.badValue, "strip \(next) has two targets; '\(text)' is the second one")
      }
      next += 1
    }
    return targets
  }

  /// - Throws: `SessionError` badValue.
  public static func target(_ text: String) throws(SessionError) -> StripTarget {
    guard let target = StripTarget(text) else {
      throw SessionError(
        .badValue,
        "'\(text)' is no target of a strip; write an address such as /output/usb, /input/mic, /session/show, /session/show/stream/click, /session/show/stream/click/to/headphones, /player/walkin, /group/drums or /session/show/stream/click/effect/1/control/freq"
      )
    }
    return target
  }

  /// What a bank moves over.
  /// - Throws: `SessionError` badValue.
  static func range(_ text: String) throws(SessionError) -> BankRange {
    guard let range = BankRange(text) else {
      throw SessionError(
        .badValue,
        "'\(text)' is nothing that a bank moves over; write show, the address of what has effects, such as /session/show/stream/click, /session/show/capture, /output/usb or /input/mic, or that of an effect, such as /output/usb/effect/2"
      )
    }
    return range
  }
}
