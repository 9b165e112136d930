import OSC
import TestKit
import Testing

/// The actions of the scenarios.
extension Rig {
  // MARK: Sessions

  /// Makes an inactive session with one mono stream, which its program's sine feeds, and declares its I/O.
  func session(
    _ id: String, _ category: Category = .playback, _ mode: Mode = .default, _ options: Options = [],
    input: Bool = true, priority: Priority = .normal
  ) throws {
    try surface.send(
      "/session/create", [id, category.rawValue, mode.rawValue, options.text].map(OSCArgument.string))
    sessions.append(id)
    if category.hasOutput {
      try surface.send("/session/\(id)/stream/remove", "main")
      try surface.send("/session/\(id)/stream/create", "main", 1)
      try surface.send("/session/\(id)/stream/main/from", .string("App-\(id):out_1"))
      try declare("output", of: id, running: true)
    }
    if category.hasInput { try declare("input", of: id, running: input) }
    if priority != .normal { try surface.send("/session/\(id)/priority", .string(priority.rawValue)) }
    try surface.sync()
  }

  /// A session that is active and plays. Its program must run.
  func playing(
    _ id: String, _ category: Category = .playback, _ mode: Mode = .default, _ options: Options = [],
    input: Bool = true, priority: Priority = .normal
  ) throws {
    try session(id, category, mode, options, input: input, priority: priority)
    try activate(id)
    if category.hasOutput { try awaitProgram(of: id) }
  }

  /// Waits until the program is connected: a server that freewheels does seconds meanwhile on a busy machine.
  func awaitProgram(of id: String) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try text("/session/\(id)/causes").contains("no program is connected") {
      try #require(ContinuousClock.now < end, "no program is connected to \(id)")
      try frames(480)
    }
  }

  /// A session that activates while its program, silent at first, is louder than -45 dBFS, or was within the last 0.3 s.
  func bySignal(_ id: String, _ options: Options = []) throws {
    try program(id, plays: "silence")
    try session(id, .playback, .default, options)
    try surface.send("/session/\(id)/activate/hold", 0.3)
    try surface.send("/session/\(id)/activate", "signal")
    try awaitProgram(of: id)
    try expectEvents([:])
  }

  /// A session of call class that is active: a voice chat, heard at the receiver.
  func calling() throws { try playing("call", .playAndRecord, .voiceChat, priority: .call) }

  /// Declares whether the client's own input or output runs.
  func declare(_ direction: String, of id: String, running: Bool) throws {
    try surface.send("/session/\(id)/io/\(direction)", running ? "running" : "stopped")
  }

  /// Sets category, mode and options at once.
  func set(
    _ id: String, _ category: Category, _ mode: Mode = .default, _ options: Options = []
  ) throws {
    try surface.send("/session/\(id)/set", Self.configuration(category, mode, options))
  }

  static func configuration(
    _ category: Category, _ mode: Mode = .default, _ options: Options = []
  ) -> [OSCArgument] {
    [category.rawValue, mode.rawValue, options.text].map(OSCArgument.string)
  }

  /// The options that are in force, as AVAudioSession's mask.
  func options(of id: String) throws -> Options {
    Options(rawValue: Int32(try number("/session/\(id)/options/mask")))
  }

  /// Activates a session. Expects its event exactly once, before the reply.
  func activate(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try surface.send("/session/\(id)/active", 1)
    expectOwn(.active(.app), of: id, sourceLocation: sourceLocation)
  }

  /// Deactivates a session. Expects its event exactly once, before the reply.
  func deactivate(_ id: String, notify: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    try surface.send("/session/\(id)/active", 0, notify ? 1 : 0)
    expectOwn(.inactive(.app), of: id, sourceLocation: sourceLocation)
  }

  func isActive(_ id: String) throws -> Bool { try number("/session/\(id)/active") == 1 }

  /// A session `id` that plays until another one interrupts it.
  func interrupted(
    _ id: String, by other: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try playing(id)
    try playing(other)
    try expectEvents([id: [.began(0)]], sourceLocation: sourceLocation)
    try expectHeard(spk: [other: 0], sourceLocation: sourceLocation)
  }

  // MARK: The world

  /// Sets a leaf of the router's until the end of the scenario.
  func change(_ address: String, _ value: OSCArgument) throws {
    let former = try surface.value(address)
    afterwards { [unowned self] in try surface.send(address, former) }
    try surface.send(address, value)
  }

  /// Begins an interruption from outside, or only its ringing.
  func interruption(_ source: String, _ leaf: String, _ isOn: Bool) throws {
    afterwards { [unowned self] in
      try surface.send("/interruption/\(source)/ringing", 0)
      try surface.send("/interruption/clear")
    }
    try surface.send("/interruption/\(source)/\(leaf)", isOn ? 1 : 0)
  }

  /// The stage's words for a program's sine.
  static func sine(_ id: String, _ level: Double = level) -> String { "sine \(sines[id] ?? 0) \(level)" }

  /// Lets a program play something else until the end of the scenario.
  func program(_ id: String, plays signal: String) throws {
    afterwards { [unowned self] in
      try stage.do("play App-\(id) 1 \(Self.sine(id))")
    }
    try stage.do("play App-\(id) 1 \(signal)")
  }

  /// A program as a process of its own, until the end of the scenario; nil while it does not run.
  final class MortalProgram {
    private var process: StageProcess?
    private unowned let rig: Rig
    private let id: String

    init(_ id: String, of rig: Rig) throws {
      (self.rig, self.id) = (rig, id)
      try rig.stage.do("unplug App-\(id)")
      try rig.stage.do("await-port App-\(id):out_1 gone")
    }

    func start() throws {
      let process = try rig.server.stage()
      try process.do("source \(Rig.source(of: id))")
      self.process = process
    }

    /// Kills the program with SIGKILL, so that it cannot end in order.
    func kill() throws {
      process?.kill()
      process = nil
      try rig.stage.do("await-port App-\(id):out_1 gone")
    }
  }

  /// Gives a program a process of its own, which can be killed. In real time only.
  func mortalProgram(_ id: String) throws -> MortalProgram {
    let program = try MortalProgram(id, of: self)
    afterwards { [unowned self] in
      try program.kill()
      try stage.do("replug App-\(id)")
    }
    return program
  }
}
