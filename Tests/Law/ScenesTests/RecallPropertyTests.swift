import Chance
import JSON5
import Parameters
import Presets
import SessionModel
import Testing

@testable import Scenes

/// Holds properties of recalls over random scenes. The seed is in the name of a failure.
@Suite("Random recalls")
struct RecallPropertyTests {
  @Test(
    "end in the same settings with a fade as without one, and after a recall in the middle of a fade",
    arguments: 0..<Soak.count(20, of: 60))
  func ends(_ seed: UInt64) throws {
    var (random, faded, plain) = (RandomScene(seed: seed), try Evening(), try Evening())
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<8 {
      let text = random.text()
      try faded.recall(text, fade: 2)
      try plain.recall(text)
      // Half of the recalls come while the fade before them runs.
      faded.pass(Bool.random(using: &generator) ? 1 : 3)
    }
    faded.pass(3)
    #expect(faded.settings == plain.settings)
  }

  @Test("change nothing and tell nothing the second time", arguments: 0..<Soak.count(20, of: 60))
  func twice(_ seed: UInt64) throws {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    for fade in [0.0, 2, 0, 2] {
      let text = random.text()
      try evening.recall(text, fade: fade)
      evening.pass(3)
      let state = evening.state
      try evening.recall(text, fade: fade)
      #expect(evening.state == state && evening.told.isEmpty, "\(evening.told)")
      evening.pass(3)
      #expect(evening.state == state)
    }
  }

  @Test("leave each level alone that the operator moves in the middle", arguments: 0..<Soak.count(20, of: 60))
  func operatorMoves(_ seed: UInt64) throws {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    try evening.recall(random.text())
    try evening.recall(random.text(), fade: 2)
    evening.pass(1)
    var moved: [SessionID] = []
    for (id, session) in evening.state.sessions where session.isActive {
      try evening.operate(.session(id, .gain(.set(-7))))
      moved.append(id)
    }
    evening.pass(2)
    #expect(moved.allSatisfy { evening.level($0) == -7 })
  }

  @Test(
    "of a stored state bring back all of its settings, whatever has happened meanwhile",
    arguments: 0..<Soak.count(20, of: 60))
  func stored(_ seed: UInt64) throws {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    try evening.recall(random.text())
    try evening.disturb(seed, withGuest: true)
    let wanted = evening.state
    let text = Preset.json(of: wanted, title: "Stored", scope: Set(Scope.allCases)).text
    let preset = try #require(Evening.preset(text), "\(text)")
    #expect(preset.title == "Stored")
    try evening.recall(random.text(), fade: 1)
    evening.pass(1)
    try evening.disturb(seed + 1)
    try evening.recall(text, fade: 1)
    evening.pass(1)
    // Stored again, the state is the same document. Sessions that stay keep their order.
    let again = Preset.json(of: evening.state, title: "Stored", scope: Set(Scope.allCases))
    #expect(again.sorted == Preset.json(of: wanted, title: "Stored", scope: Set(Scope.allCases)).sorted)
  }

  @Test(
    "of a kept state bring back all settings of its sessions and devices",
    arguments: 0..<Soak.count(20, of: 60))
  func kept(_ seed: UInt64) throws {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    try evening.recall(random.text())
    try evening.disturb(seed, withGuest: true)
    let head = KeptHead(preset: "act-1", path: "/act-1.json", hash: "0", time: "2026-11-22T20:00:00Z")
    let (wanted, text) = (evening.state, KeptDocument.json(of: evening.state, head: head).text)
    try evening.recall(random.text(), fade: 1)
    evening.pass(1)
    try evening.disturb(seed + 1)
    try evening.recall(text, fade: 1)
    evening.pass(1)
    func settings(_ state: RouterState) -> JSONValue {
      Preset.json(of: state, title: nil, scope: Set(Scope.allCases)).sorted
    }
    #expect(settings(evening.state) == settings(wanted))
    #expect(!evening.told.contains { if case .error = $0 { true } else { false } }, "nothing was refused")
  }

  @Test("do what the preview has listed, no more and no less", arguments: 0..<Soak.count(20, of: 60))
  func preview(_ seed: UInt64) throws {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    for fade in [0.0, 2, 2, 0] {
      let (text, before) = (random.text(), evening.state)
      let listed = try evening.preview(text, fade: fade)
      #expect(evening.state == before)
      try evening.recall(text, fade: fade)
      evening.pass(fade)
      let done = Comparison(
        from: before, to: evening.state, at: evening.time, waiting: evening.outcome?.waiting ?? [])
      #expect(listed == done.differences)
      // A list without these addresses would agree with itself, too.
      let changed = before.changedLeaves(evening.state)
      #expect(Set(listed.map(\.address)).isSuperset(of: changed), "\(changed)")
      for difference in listed { #expect(difference.now != difference.then || !difference.effect.isEmpty) }
    }
  }

  @Test("touch only the leaves of the words in the scope", arguments: Scope.allCases)
  func scope(_ word: Scope) throws {
    for seed in 0..<20 as Range<UInt64> {
      var (random, evening) = (RandomScene(seed: seed), try Evening())
      try evening.recall(random.text())
      let before = evening.state
      try evening.recall(random.text(), scope: [word])
      for parameter in Table.parameters where parameter.isWritable && parameter.scope != word {
        // What is active and what is routed also follow from categories and ports.
        guard !["/session/<s>/active", "/session/<s>/stream/<t>/route"].contains(parameter.address) else {
          continue
        }
        for target in parameter.targets(in: before) where before.hasObject(target, evening.state) {
          #expect(
            parameter.wantedValue(at: target, in: before)
              == parameter.wantedValue(at: target, in: evening.state),
            "\(parameter.address), seed \(seed)")
        }
      }
    }
  }
}

extension RouterState {
  /// The addresses of all settings that differ from another state, found without the engine.
  fileprivate func changedLeaves(_ other: RouterState) -> Set<String> {
    func settings(_ state: RouterState) -> [String: Double] {
      var found: [String: Double] = ["/ramp": state.ramp.target]
      for (id, session) in state.sessions {
        found["/session/\(id)/gain"] = session.gain.target
        found["/session/\(id)/mute"] = session.isMuted ? 1 : 0
        found["/session/\(id)/active"] = session.isActive ? 1 : 0
        for (stream, value) in session.streams {
          let path = "/session/\(id)/stream/\(stream)"
          found["\(path)/gain"] = value.gain.target
          found["\(path)/pan"] = value.pan.target
          for port in state.outputs.keys {
            found["\(path)/to/\(port)/on"] = value.destinations[port]?.isOn == true ? 1 : 0
            found["\(path)/to/\(port)/gain"] = value.destinations[port]?.gain.target ?? 0
          }
        }
      }
      return found
    }
    let (mine, others) = (settings(self), settings(other))
    return Set(mine.filter { others[$0.key].map { [value = $0.value] in $0 != value } ?? false }.keys)
  }

  /// Whether the object of an address exists here and in another state.
  fileprivate func hasObject(_ target: Target, _ other: RouterState) -> Bool {
    if let id = target.player { return players.contains(id) && other.players.contains(id) }
    if let id = target.recorder { return recorders.contains(id) && other.recorders.contains(id) }
    if let id = target.group { return groups.contains(id) && other.groups.contains(id) }
    guard let id = target.session else { return true }
    guard let here = sessions[id], let there = other.sessions[id] else { return false }
    guard let stream = target.stream else { return true }
    guard let here = here.streams[stream], let there = there.streams[stream] else { return false }
    return target.output.map { here.destinations.contains($0) && there.destinations.contains($0) } ?? true
  }
}

extension JSONValue {
  /// The value with the members of all objects in the order of their keys.
  fileprivate var sorted: JSONValue {
    switch self {
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map(\.sorted))
    default: self
    }
  }
}
