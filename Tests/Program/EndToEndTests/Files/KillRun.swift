import Chance
import Foundation
import OSC
import TestKit
import Testing

/// Kills the router again and again while it stores presets and keeps its state.
///
/// After each kill every file is the old or the new one, whole, and the next run has all back that was kept.
final class KillRun {
  private let server: PrivateServer
  private let folder: TemporaryFolder
  private let library: TemporaryFolder
  private var dice: SeededGenerator
  /// The levels that were sent so far; each is another one.
  private var sent: Set<Double> = [0]
  private var next = 0.0
  /// What the runs have shown.
  private var seconds: [Double] = []
  /// How many writes of presets and of the state a kill has cut short, and the files that they left.
  private var (cutWrites, unfinished): ([String: Int], Set<String>) = ([:], [])

  private static let band = "/session/show/stream/band"
  private static let scenes = ["act-1", "act-2"]

  init(seed: UInt64) async throws {
    print("the kills of this run come from the seed \(seed)")
    dice = SeededGenerator(seed: seed)
    (server, folder, library) = (try await PrivateServer(), try TemporaryFolder(), try TemporaryFolder())
    try folder.write(House.show, to: "show.json")
    for scene in Self.scenes { try library.write(House.show, to: "\(scene).json") }
  }

  private var state: String { folder.file("XDG_STATE_HOME/multiroute/multiroute.json") }

  /// - Returns: the median of the seconds from the start of the router to the answer that all is back.
  func kill(times: Int) throws -> Double {
    for round in 0..<times {
      let kept = try? Kept(state)
      let start = ContinuousClock.now
      let router = try RouterProcess(
        preset: folder.file("show.json"), server: server.name, in: folder,
        flags: ["--presets", library.path],
        owners: [server])
      let surface = try ControlSurface(port: router.port)
      if let kept {
        // A scene that was stored after the last write of the state counts as edited: the quieter of both is in force.
        let isNewer = router.child.errors.text.contains("which was edited since")
        let scene = isNewer ? try Kept(library.file("\(kept.scene).json")) : nil
        try expect(scene.map { kept.quieter(than: $0) } ?? kept, at: surface, "round \(round)")
      }
      seconds.append((ContinuousClock.now - start) / .seconds(1))
      try work(surface, router, isForStore: round.isMultiple(of: 2))
      try expectWholeFiles("round \(round)")
    }
    let longest = seconds.dropFirst().max() ?? 0
    print(
      "\(times) kills cut \(cutWrites) writes short; all was back within \(longest) s of the router's start")
    return seconds.sorted()[seconds.count / 2]
  }

  /// Moves everything that is kept, stores without a pause, and kills the router at a moment that only the seed knows.
  private func work(_ surface: ControlSurface, _ router: RouterProcess, isForStore: Bool) throws {
    let scene = Self.scenes.randomElement(using: &dice) ?? ""
    try surface.send("/preset/guard", 0.0)
    try surface.send("/preset/recall", .string(scene), 0.0)
    if Bool.random(using: &dice) { try surface.send("/preset/standby", "act-1") }
    try surface.send("\(Self.band)/mute", .int32(Int32.random(in: 0...1, using: &dice)))
    try surface.send("\(Self.band)/to/headphones/on", .int32(Int32.random(in: 0...1, using: &dice)))
    let wait = Double.random(in: 0...(isForStore ? 0.3 : 1.2), using: &dice)
    let (end, moment) = (ContinuousClock.now + .seconds(wait), UInt32.random(in: 0...300, using: &dice))
    while ContinuousClock.now < end {
      next -= 0.125
      if next < -80 { next = -0.125 }
      sent.insert(next)
      try surface.send("/session/show/gain", .float(Float(next)))
      if isForStore { try surface.send("/preset/update", .string(scene)) }
    }
    // A write that is due has just begun; or, while a preset is stored, any moment.
    let file = isForStore ? library.file("\(scene).json.new") : "\(state).new"
    if isForStore { try surface.tell("/preset/update", .string(scene)) }
    let patience = isForStore && Bool.random(using: &dice) ? Double.random(in: 0...0.1, using: &dice) : 1.2
    let latest = ContinuousClock.now + .seconds(patience)
    while ContinuousClock.now < latest, access(file, F_OK) != 0 {}
    usleep(moment)
    #expect(router.terminate(by: SIGKILL).code == -SIGKILL)
  }

  private func expectWholeFiles(_ round: String) throws {
    let files = FileManager.default
    let names = files.enumerator(atPath: library.path)?.compactMap { $0 as? String } ?? []
    let left = Set(
      (names + [state + ".new"]).filter { name in
        name.hasSuffix(".new") && files.fileExists(atPath: name == state + ".new" ? name : library.file(name))
      })
    for name in left.subtracting(unfinished) {
      cutWrites[name.hasPrefix("/") ? "state" : "preset", default: 0] += 1
    }
    unfinished = left
    for name in names where name.hasSuffix(".json") {
      #expect(sent.contains(try Kept(library.file(name)).gain), "\(round): \(name)")
    }
    if files.fileExists(atPath: state) { #expect(sent.contains(try Kept(state).gain), "\(round)") }
  }

  private func expect(_ kept: Kept, at surface: ControlSurface, _ round: String) throws {
    let comment = Comment(rawValue: round)
    #expect(try surface.number("/session/show/gain") == kept.gain, comment)
    #expect(try surface.number("\(Self.band)/mute") == kept.mute, comment)
    #expect(try surface.number("\(Self.band)/to/headphones/on") == kept.route, comment)
    #expect(try surface.text("/preset/current") == kept.scene, comment)
    #expect(try surface.text("/preset/standby") == kept.standby, comment)
    #expect(try surface.number("/preset/modified") == kept.modified, comment)
  }
}

/// What a kept state or a stored scene says, read by the toolchain's decoder.
private struct Kept {
  private(set) var (gain, mute, route, modified) = (0.0, 0.0, 0.0, 0.0)
  private(set) var (scene, standby) = ("", "")

  init(_ file: String) throws {
    let data = try Data(contentsOf: URL(filePath: file))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    func value(_ path: String...) -> Any? { path.reduce(root as Any?) { ($0 as? [String: Any])?[$1] } }
    func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? 0 }
    try #require(value("sessions", "show") != nil)
    gain = number(value("sessions", "show", "gain"))
    mute = number(value("sessions", "show", "streams", "band", "mute"))
    route = number(value("sessions", "show", "streams", "band", "to", "headphones", "on"))
    modified = number(value("kept", "modified"))
    scene = value("kept", "preset") as? String ?? ""
    standby = value("kept", "settings", "/preset/standby") as? String ?? ""
  }

  /// The same, and nothing louder than a scene says.
  func quieter(than scene: Kept) -> Kept {
    var quieter = self
    (quieter.gain, quieter.mute) = (min(gain, scene.gain), max(mute, scene.mute))
    (quieter.route, quieter.modified) = (min(route, scene.route), 1)
    return quieter
  }
}
