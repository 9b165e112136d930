import JSON5
import OSC
import Presets
import SessionModel

extension RouterReport {
  /// The report as a document for programs. Each value has the name of its OSC leaf.
  var json: JSONValue {
    .object([
      .init("router", .string("\(router)")),
      .init("information", .object(information.map { .init($0.key, $0.value.json) })),
      .init("counters", .object(counters.map { .init($0.key, $0.value.json) })),
      .init("ducking", .object(Self.values(ducking))), .init("silent", .bool(isSilent)),
      .init("locked", .bool(isLocked)),
      .init(
        "interruptions",
        .array(
          interruptions.map {
            .object(
              [.init("source", .string($0.source)), .init("reason", .string($0.reason))]
                + Self.values($0.values))
          })),
      .init("sessions", .array(sessions.map(session))),
      .init("players", .array(players.map { Self.medium($0, place: "into") })),
      .init("recorders", .array(recorders.map { Self.medium($0, place: "source") })),
      .init("outputs", .array(outputs.map(Self.port))),
      .init("inputs", .array(inputs.map(Self.port))),
      .init(
        "unmatched",
        .array(
          unmatched.map {
            .object([
              .init("owner", .string($0.owner)), .init("glob", .string($0.glob)),
              .init("nearest", $0.nearest.map { .string($0) } ?? .null),
            ])
          })),
      .init(
        "direct",
        .array(
          direct.map {
            .object([
              .init("client", .string($0.client)), .init("sinks", .array($0.sinks.map { .string($0) })),
            ])
          })),
      .init("waiting", .array(hung.filter { !$0.isDisconnected }.map { .string($0.client) })),
      .init("hung", .array(hung.filter(\.isDisconnected).map { .string($0.client) })),
    ])
  }

  private func session(_ session: Session) -> JSONValue {
    .object(
      [
        .init("id", .string(session.id)), .init("name", .string(session.name)),
        .init("category", .string(session.category)), .init("mode", .string(session.mode)),
        .init("active", .bool(session.isActive)),
      ] + Self.values(session.values) + [
        .init("peak", Self.peaks(session.peaks)),
        .init(
          "streams",
          .array(
            session.streams.map { stream in
              .object(
                [.init("id", .string(stream.id)), .init("channels", .number(Double(stream.channels)))]
                  + Self.values(stream.values) + [
                    .init("peak", Self.peaks(stream.peaks)),
                    .init("missing", .array(missingChannels(of: stream).map { .string($0) })),
                  ])
            })),
        .init(
          "capture",
          session.capture.map { .object(Self.values($0.values) + [.init("peak", Self.peaks($0.peaks))]) }
            ?? .null),
      ])
  }

  private static func medium(_ medium: Medium, place: String) -> JSONValue {
    .object(
      [.init("id", .string(medium.id)), .init(place, .string(medium.place))] + values(medium.values))
  }

  static func port(_ port: Port) -> JSONValue {
    .object(
      [
        .init("id", .string(port.id)), .init("name", .string(port.name)), .init("type", .string(port.type)),
        .init("channels", .number(Double(port.channels))), .init("available", .bool(port.isAvailable)),
      ] + values(port.values) + [.init("peak", peaks(port.peaks))])
  }

  private static func values(_ values: [String: [OSCArgument]]) -> [JSONValue.Member] {
    values.sorted { $0.key < $1.key }.map { leaf, arguments in
      // A value that may occur several times is always a list, so that a program need not distinguish.
      if leaf == "from" || leaf == "to" { return .init(leaf, .array(arguments.map(\.json))) }
      if switches.contains(leaf) { return .init(leaf, .bool(arguments.first == .int32(1))) }
      return .init(leaf, arguments.first?.json ?? .null)
    }
  }

  private static let switches: Set<String> = [
    "mute", "limiting", "interrupted", "ducked", "hint", "others", "on", "ringing",
  ]

  private static func peaks(_ peaks: [Float]) -> JSONValue {
    .array(peaks.map { OSCArgument.float($0).json })
  }
}

extension OSCArgument {
  var json: JSONValue {
    switch self {
    case .int32(let value): .number(Double(value))
    case .int64(let value): .number(Double(value))
    // Through text, so that -12.3 is not written as -12.300000190734863.
    case .float(let value): value.isFinite ? .number(Double("\(value)") ?? Double(value)) : .null
    case .double(let value): value.isFinite ? .number(value) : .null
    case .boolean(let value): .bool(value)
    default: .string(plain)
    }
  }
}
