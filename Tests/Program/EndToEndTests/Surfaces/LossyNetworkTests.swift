import Chance
import Foundation
import OSC
import TestKit
import Testing

/// Surfaces over a network that loses, doubles and reorders packets.
@Suite struct LossyNetworkTests {
  @Test(
    "After thirty seconds of random moves over a bad network, /resync makes every value right on every surface"
  )
  func resync() async throws {
    try await LossyRun(seed: .random(in: 0...999_999)).expectTruth(seconds: 30)
  }
}

/// Three surfaces that move faders and press buttons at random over a bad network.
struct LossyRun {
  private let house: House
  /// The way of each surface.
  private let networks: [LossyProxy]
  private let surfaces: [Mirror]
  private let seed: UInt64

  init(seed: UInt64) async throws {
    self.seed = seed
    house = try await House(programs: [])
    var weather = LossyProxy.Weather()
    (weather.lost, weather.repeated, weather.late) = (20, 10, 10)
    networks = try (0..<3).map { [house, weather] in
      try LossyProxy(to: house.router.port, seed: seed + $0, weather)
    }
    for number in 0..<6 {
      try house.surface.send("/session/create", .string("s\(number)"), "playback", "default", "mixWithOthers")
    }
    surfaces = try networks.map { try Mirror(port: $0.port) }
    for surface in surfaces { try surface.subscribe() }
  }

  /// Moves for some seconds, and expects that each surface shows what the router has once it has asked for what was lost.
  func expectTruth(seconds: Double) throws {
    var chance = SeededGenerator(seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      for surface in surfaces {
        try move(surface, &chance)
        try surface.receive(seconds: 0.003)
      }
    }
    // Fades that still run would end while the surfaces are compared.
    for number in 0..<6 { try house.surface.send("/session/s\(number)/gain/fade/stop") }
    for surface in surfaces { try surface.resync() }
    for counts in networks.map({ $0.finish() }) {
      #expect(counts.lost > counts.passed / 6 && counts.repeated > counts.passed / 15, "\(counts)")
    }
    let truth = try house.surface.subscribe(
      "/{session,output,input,duck,system,preset,bank,ramp,fade,silent}")
    #expect(truth.count > 500)
    for (number, surface) in surfaces.enumerated() {
      #expect(surface.gaps > 10, "nothing was lost")
      let wrong = truth.filter { surface.picture[$0.address]?.arguments != $0.arguments }
      #expect(
        wrong.isEmpty,
        "surface \(number), seed \(seed): \(wrong.prefix(10)), shown: \(wrong.prefix(10).map { "\(surface.picture[$0.address] as Any)" })"
      )
    }
  }

  private func move(_ surface: Mirror, _ chance: inout SeededGenerator) throws {
    let session = "/session/s\(Int.random(in: 0..<6, using: &chance))"
    let level = Float.random(in: 0...0.7, using: &chance)
    switch Int.random(in: 0..<10, using: &chance) {
    case 0: try surface.tell("\(session)/mute/toggle")
    case 1: try surface.tell("\(session)/active", .int32(.random(in: 0...1, using: &chance)))
    case 2: try surface.tell("\(session)/gain/fade", .float(level * -40), .float(0.5))
    case 3: try surface.tell("/output/usb/fader", .float(level))
    case 4: try surface.tell("\(session)/gain/inc", .float(level - 0.5))
    default: try surface.tell("\(session)/fader", .float(level))
    }
  }
}
