import Foundation
import OSC
import StageKit
import SystemCalls
import TestKit
import Testing
import WildPlugins

/// A house whose band goes through effects to the USB interface, where its channel 1 also arrives past the router in channel 4.
struct EffectHouse {
  let house: House
  private let plugins: WildPlugins
  static let stream = "/session/show/stream/band"
  /// Frames by which the effects delay the sound.
  let delay: Int

  /// - Parameters:
  ///   - effects: the chain, as JSON.
  ///   - band: the signal of the band's two channels.
  ///   - latency: of the plugins, in frames.
  init(
    _ effects: String, band: String = "ramp", period: Int = 256, latency: Int = 0, keys: String = ""
  ) async throws {
    plugins = try WildPlugins()
    delay = period + latency
    house = try await House(
      House.preset(
        """
        "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 }, "effects": \(effects)\(keys) } } }
        """), programs: ["source Band 2 \(band)"], period: period,
      environment: ["LV2_PATH": plugins.path])
    try house.connect()
  }

  var surface: ControlSurface { house.surface }

  /// Waits until an effect has a state.
  func wait(for state: String, of effect: Int = 1) throws {
    let address = "\(Self.stream)/effect/\(effect)/state"
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

  /// The band at a channel of the interface, and the same past the router with the delay of the effects.
  func sounds(_ usb: DeviceSound) -> (heard: ArraySlice<Float>, direct: ArraySlice<Float>) {
    (usb[0][delay...], usb[3][..<(usb[3].count - delay)])
  }
}
