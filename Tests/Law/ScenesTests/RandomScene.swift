import Chance

/// Makes random scenes of few sessions, so that two of them have much in common. All of them can be recalled.
struct RandomScene {
  private var generator: SeededGenerator
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func text() -> String {
    var (sessions, players): ([String], [String]) = ([], [])
    if chance(4, of: 5) {
      let names = ["band", "click"].filter { _ in chance(3, of: 4) }
      let streams = names.map { stream($0) }
      sessions.append("show: { \(list(session("multiRoute") + ["streams: { \(list(streams)) }"])) }")
      let isSilent = sessions[0].contains("active: false")
      players = names.filter { _ in chance(1, of: 2) }.map { player($0, mayPlay: !isSilent) }
    }
    if chance(3, of: 4) { sessions.append("music: { \(list(session("playback") + output())) }") }
    if chance(1, of: 2) { sessions.append("news: { \(list(session("ambient"))) }") }
    let media =
      "players: { \(list(players)) }, recorders: { \(list(recorders())) }, groups: { \(list(groups())) },"
    return Evening.text(list(sessions), root: (chance(1, of: 3) ? "ramp: 0.05," : "") + media)
  }

  private mutating func player(_ stream: String, mayPlay: Bool) -> String {
    var members = [#"session: "show""#, #"stream: "\#(stream)""#]
    if chance(3, of: 4) {
      members.append(chance(1, of: 2) ? #"queue: ["a.flac", "album:Blue"]"# : #"file: "\#(stream).flac""#)
      if chance(1, of: 2) { members.append("playing: \(mayPlay && chance(1, of: 2))") }
      if chance(1, of: 4) { members.append("position: 12.5") }
    }
    if chance(1, of: 2) { members.append("gain: \(level())") }
    if chance(1, of: 3) { members.append("mute: \(chance(1, of: 2))") }
    if chance(1, of: 3) { members.append("loops: \(Int.random(in: -1...2, using: &generator))") }
    if chance(1, of: 4) { members.append("normalise: -23") }
    return "\(stream): { \(list(members)) }"
  }

  private mutating func recorders() -> [String] {
    guard chance(1, of: 2) else { return [] }
    var members = [#"source: "output:\#(chance(1, of: 2) ? "usb" : "phones")""#]
    if chance(1, of: 2) { members.append("recording: \(chance(1, of: 2))") }
    if chance(1, of: 3) { members.append("before: 5") }
    return ["tape: { \(list(members)) }"]
  }

  private mutating func groups() -> [String] {
    ["all", "desk"].filter { _ in chance(1, of: 2) }.map { id in
      let texts = ["session:*", "session:show", "stream:show.*", "output:usb"].filter { _ in chance(1, of: 2)
      }
      var members = ["members: [\(list(texts.map { "\"\($0)\"" }))]"]
      if chance(2, of: 3) { members.append("gain: \(level())") }
      if chance(1, of: 4) { members.append("mute: true") }
      return "\(id): { \(list(members)) }"
    }
  }

  private mutating func session(_ category: String) -> [String] {
    var members = [#"category: "\#(category)""#, #"activate: "manual""#]
    if chance(2, of: 3) { members.append("active: \(chance(2, of: 3))") }
    if chance(2, of: 3) { members.append("gain: \(level())") }
    if chance(1, of: 3) { members.append("mute: \(chance(1, of: 2))") }
    if chance(1, of: 3) { members.append(#"priority: "\#(chance(1, of: 2) ? "normal" : "alert")""#) }
    if chance(1, of: 4) { members.append("duckExempt: true") }
    return members
  }

  private mutating func output() -> [String] {
    chance(1, of: 2) ? [#"output: "\#(chance(1, of: 2) ? "usb" : "phones")""#] : []
  }

  private mutating func stream(_ name: String) -> String {
    var members: [String] = []
    if chance(1, of: 2) { members.append("channels: \(chance(1, of: 2) ? 1 : 2)") }
    if chance(1, of: 2) { members.append("gain: \(level())") }
    if chance(1, of: 4) { members.append("mute: true") }
    if chance(1, of: 4) { members.append("pan: 0.5") }
    let to = ["usb", "phones"].filter { _ in chance(2, of: 3) }.map { "\($0): \(level())" }
    if chance(4, of: 5) { members.append("to: { \(list(to)) }") }
    return "\(name): { \(list(members)) }"
  }

  private mutating func level() -> Int { Int.random(in: -60...0, using: &generator) }
  private mutating func chance(_ some: Int, of all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < some
  }
  private func list(_ members: [String]) -> String { members.joined(separator: ", ") }
}
