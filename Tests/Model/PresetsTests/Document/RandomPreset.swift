import Chance
import Parameters
import SessionModel

@testable import Presets

/// Makes random presets of few objects, so that two of them name many of the same keys.
struct RandomPreset {
  private var generator: SeededGenerator
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The text of a preset. The law may refuse it.
  mutating func text() -> String {
    var members = ["multiroute: 1"]
    members += settings(.root)
    members.append("ducking: { \(list(settings(.ducking))) }")
    members.append("interruptions: { \(list(settings(.interruptions))) }")
    members.append("ports: { \(list(ports())) }")
    members.append("sessions: { \(list(sessions())) }")
    return "{ \(list(members)) }"
  }

  // MARK: Objects

  /// Both devices always exist, since streams go to them.
  private mutating func ports() -> [String] {
    [
      #"usb: { type: "usbAudio", outputs: ["USB:out_1", "USB:out_2"], inputs: ["USB:in_1"]"#,
      #"phones: { type: "headphones", outputs: ["Phones:out_1", "Phones:out_2"]"#,
      #"hall: { type: "lineOut", outputs: ["Hall:out_1", "Hall:out_2"]"#,
    ].enumerated().compactMap { index, start in
      index == 2 && chance() ? nil : list([start] + settings(.port)) + " }"
    }
  }

  private mutating func sessions() -> [String] {
    var sessions: [String] = []
    if chance(of: 4, in: 5) {
      var members = [#"category: "multiRoute""#] + settings(.session)
      if chance() { members.append(#"options: \#(pick(["[]", "[\"duckOthers\"]"]))"#) }
      let streams = ["band", "click"].filter { _ in chance(of: 2, in: 3) }.map { name in
        var members = settings(.stream)
        if chance() { members.append("channels: \(pick(["1", "2"]))") }
        if chance() { members.append(#"from: \#(pick(["[]", "[\"Band:*\"]", "[\"Click:out_1\"]"]))"#) }
        if chance(of: 3, in: 4) { members.append("to: { \(list(destinations())) }") }
        return "\(name): { \(list(members)) }"
      }
      if chance(of: 4, in: 5) { members.append("streams: { \(list(streams)) }") }
      sessions.append("show: { \(list(members)) }")
    }
    if chance(of: 3, in: 4) {
      var members = [#"category: "\#(pick(["playback", "ambient"]))""#] + settings(.session)
      members.append("ducking: { \(list(settings(.ducker))) }")
      if chance() { members.append(#"mode: "default""#) }
      if chance() { members.append(#"output: "\#(pick(["usb", "phones"]))""#) }
      if chance() { members.append("streams: { main: { \(list(settings(.stream))) } }") }
      sessions.append("music: { \(list(members)) }")
    }
    if chance(of: 3, in: 4) {
      var members = [#"category: "playAndRecord""#] + settings(.session)
      members.append("io: { \(list(settings(.io))) }")
      if chance() {
        members.append(#"mode: "voiceChat""#)
        members.append("voice: { \(list(settings(.voice))) }")
      } else if chance() {
        members.append(#"mode: "default""#)
      }
      if chance(of: 2, in: 3) { members.append("capture: { \(list(capture(sessions.count))) }") }
      sessions.append("phone: { \(list(members)) }")
    }
    return sessions
  }

  private mutating func destinations() -> [String] {
    ["usb", "phones"].filter { _ in chance(of: 2, in: 3) }.map { port in
      chance() ? "\(port): \(level())" : "\(port): { \(list(settings(.destination))) }"
    }
  }

  /// - Parameter others: how many sessions stand before this one.
  private mutating func capture(_ others: Int) -> [String] {
    var members = settings(.capture)
    if chance() { members.append(#"to: ["Phone:in_*"]"#) }
    var mix = chance() ? ["\"input:usb\": \(level())"] : []
    if others == 2 && chance() { mix.append("show: { \(list(settings(.contribution))) }") }
    if chance(of: 2, in: 3) { members.append("mix: { \(list(mix)) }") }
    return members
  }

  // MARK: Settings

  /// Some of an object's settings with random values.
  private mutating func settings(_ object: PresetObject) -> [String] {
    object.leaves.compactMap { key, parameter in
      guard !Self.excluded.contains(key), chance(of: 1, in: 3), let value = value(of: parameter, key) else {
        return nil
      }
      return "\(key): \(value)"
    }
  }

  /// Guards and maxima stay by law. The class of a session cannot change while the session is active. The other
  /// keys are ids and globs, or depend on them.
  private static let excluded: Set<String> = [
    "never", "max", "maxTotal", "priority", "foreground", "hardware", "source", "from", "to", "output",
    "input", "map",
  ]

  private mutating func value(of parameter: Parameter, _ key: String) -> String? {
    switch parameter.kind {
    case .level: level()
    case .number(let range), .limit(let range): number(range)
    case .inheritable(let range): chance(of: 1, in: 4) ? "\"inherit\"" : number(range)
    case .integer(let range):
      "\(Int.random(in: range.lowerBound...min(2, range.upperBound), using: &generator))"
    case .inheritableToggle: pick(["\"inherit\"", "true", "false"])
    case .toggle: chance() ? "true" : "false"
    case .choice(let names): "\"\(pick(names))\""
    case .text: "\"\(pick(["one", "two"]))\""
    case .effects: "[\(pick(["", "\"eq off\"", "{ plugin: \"gate\", set: { at: 5 } }"]))]"
    case .texts, .names, .programPorts, .trigger, .command, .meter: nil
    }
  }

  private mutating func level() -> String { "\(Int.random(in: -60...0, using: &generator))" }
  private mutating func number(_ range: ClosedRange<Double>) -> String {
    "\((Double.random(in: range, using: &generator) * 100).rounded() / 100)"
  }
  private mutating func chance(of some: Int = 1, in all: Int = 2) -> Bool {
    Int.random(in: 0..<all, using: &generator) < some
  }
  private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator)! }
  private func list(_ members: [String]) -> String { members.joined(separator: ", ") }
}
