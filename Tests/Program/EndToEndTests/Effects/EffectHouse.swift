import Foundation
import OSC
import StageKit
import SystemCalls
import TestKit
import Testing
import WildPlugins

/// A house in which a sound goes through effects to a device, where it also arrives past the router.
struct EffectHouse {
  let house: House
  private let plugins: WildPlugins
  let place: Place
  static let stream = "/session/show/stream/band"
  /// Frames by which the effects delay the sound.
  let delay: Int

  /// Where the effects are.
  enum Place: CaseIterable {
    case stream, output, input, capture

    var address: String {
      switch self {
      case .stream: EffectHouse.stream
      case .output: "/output/usb"
      case .input: "/input/mic"
      case .capture: "/session/show/capture"
      }
    }

    /// The device that gets the sound, the channel with the effects, and that past the router; both count from 0.
    var ends: (device: String, heard: Int, direct: Int) {
      self == .capture ? ("Recorder", 0, 1) : ("USB Interface", 0, 3)
    }

    /// The JACK port that the sound comes from.
    var source: String { self == .input ? "Microphone:capture_1" : "Band:out_1" }

    /// A preset with the effects in the place.
    fileprivate func preset(_ keys: String, sessions: String) -> String {
      let stream = self == .stream ? keys : ""
      let capture = """
        , "capture": { "channels": 1, "to": ["Recorder:playback_1"], "mix": { "talk": 0 }\(keys) } },
        "talk": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
          "streams": { "main": { "channels": 1, "from": ["Band:out_1"] } }
        """
      let preset = House.preset(
        """
        \(sessions.isEmpty ? "" : "\(sessions),")
        "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "band": { "channels": 2, "from": ["\(self == .input ? "input:mic" : "Band:out_*")"], "to": { "usb:1-2": 0 }\(stream) } }
          \(self == .capture ? capture : "") }
        """)
      return switch self {
      case .output: preset.replacing("\"channels\": 4", with: "\"channels\": 4\(keys)")
      case .input: preset.replacing("[\"Microphone:capture_*\"]", with: "[\"Microphone:capture_*\"]\(keys)")
      case .stream, .capture: preset
      }
    }
  }

  /// - Parameters:
  ///   - effects: the chain, as JSON.
  ///   - place: what has the effects.
  ///   - band: the signal of the sound.
  ///   - latency: of the plugins, in frames.
  ///   - keys: more keys of what has the effects.
  ///   - sessions: more sessions.
  ///   - programs: more programs, as commands of the stage.
  init(
    _ effects: String, at place: Place = .stream, band: String = "ramp", period: Int = 256, latency: Int = 0,
    keys: String = "", sessions: String = "", programs: [String] = []
  ) async throws {
    plugins = try WildPlugins()
    (delay, self.place) = (period + latency, place)
    house = try await House(
      place.preset(", \"effects\": \(effects)\(keys)", sessions: sessions),
      programs: ["source Band 2 \(band)", "play Microphone 1 \(band)", "device Recorder 2 0"] + programs,
      period: period,
      environment: ["LV2_PATH": plugins.path])
    try house.connect(place.source, to: "\(place.ends.device):playback_\(place.ends.direct + 1)")
  }

  var surface: ControlSurface { house.surface }

  /// Waits until an effect has a state.
  func wait(for state: String, of effect: Int = 1) throws {
    let address = "\(place.address)/effect/\(effect)/state"
    let isThere = try surface.subscribe(address).contains {
      $0.address == address && $0.arguments.first?.text == state
    }
    if !isThere { try surface.wait(for: address) { $0.arguments.first?.text == state } }
    try surface.send("/unsubscribe", .string(address))
  }

  /// The process number of the effects program; nil if none runs.
  func program() -> Int32? {
    let router = house.router.child.identifier
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(router)/task")) ?? []
    return threads.lazy.flatMap { thread -> [Int32] in
      let text =
        (try? String(contentsOfFile: "/proc/\(router)/task/\(thread)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }
    }.first { child in
      ((try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? "").contains(
        "multiroute-effects")
    }
  }

  /// Waits until another effects program runs.
  func waitForAnotherProgram(than old: Int32) throws {
    let end = ContinuousClock.now + .seconds(60)
    var next = program()
    while next == nil || next == old, ContinuousClock.now < end {
      try house.stage.do("frames 480")
      next = program()
    }
    try #require(next != nil && next != old, "no other effects program has started")
  }

  /// Expects that JACK is told so many frames from the program to the device, once the plugins are loaded.
  func expectTold(_ frames: Int) throws {
    func told() throws -> Double {
      try house.stage.value("maximum", of: "latency Band:out_1 playback")
    }
    let end = ContinuousClock.now + .seconds(60)
    while try told() != Double(frames), ContinuousClock.now < end { try house.stage.do("frames 480") }
    #expect(try told() == Double(frames))
  }

  /// Records the device while `body` runs.
  func hear(room: Int = 40, while body: () throws -> Void) throws -> DeviceSound {
    try house.hear([place.ends.device], room: room, while: body)[0]
  }

  /// Records the device while the first effect's plugin crashes, until the second one works again.
  func hearCrash() throws -> DeviceSound {
    // While the program starts again, a freewheeling server does minutes.
    try hear(room: 200) {
      try house.stage.do("frames 4800")
      try surface.send("\(place.address)/effect/1/control/fault", 1)
      try wait(for: "faulty")
      try wait(for: "working", of: 2)
      try house.stage.do("frames 9600")
    }
  }

  /// The sound behind the effects, and the same past the router with the delay of the effects.
  func sounds(_ device: DeviceSound) -> (heard: ArraySlice<Float>, direct: ArraySlice<Float>) {
    let (heard, direct) = (device[place.ends.heard], device[place.ends.direct])
    return (heard[delay...], direct[..<(direct.count - delay)])
  }

  /// By how much the sound behind the effects is louder than that past the router, frame by frame.
  func gains(_ device: DeviceSound) -> [Float] {
    let (heard, direct) = sounds(device)
    return zip(heard, direct).map { $0 / $1 }.filter(\.isFinite)
  }
}
