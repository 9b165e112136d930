import Chance
import Foundation
import OSC
import TestKit
import Testing

/// Long versions of tests in other suites; `make soak` runs them.
@Suite(.enabled(if: Soak.isRunning))
struct SoakTests {
  private static let programs = ["source Band 2 ramp", "source Metronome 1 ramp"]

  @Test(
    "Twenty plugs in two seconds, a hundred times over, end with the right routes, and no stream loses a sample"
  )
  func storms() async throws { try await HotplugStorm().expectCalm(storms: 100) }

  @Test("Two hundred recalls of 64 sessions make no click and no xrun, and every level is right")
  func recalls() async throws {
    var recalls = try await CrowdedRecalls(seed: .random(in: 0...999_999))
    try recalls.expectClean(rounds: 200)
  }

  @Test("The measured rate is within 20 ppm of what the server truly runs at over a minute")
  func rate() async throws {
    let house = try await House(programs: Self.programs)
    try LoopTests.expectRate(of: house, seconds: 60, within: 20e-6)
  }

  @Test("Ten thousand commands on one stream cost another not one sample")
  func commands() async throws {
    let house = try await House(programs: Self.programs)
    try house.connect()
    var dice = SystemRandomNumberGenerator()
    let usb = try house.hear {
      for round in 0..<10_000 {
        let level = Double.random(in: -40...0, using: &dice)
        switch round % 4 {
        case 0: try house.surface.send("/session/show/stream/click/gain", .float(Float(level)))
        case 1: try house.surface.send("/session/show/stream/click/mute/toggle")
        case 2: try house.surface.send("/session/show/stream/click/gain/fade", .float(Float(level)), 0.2)
        default: try house.surface.send("/session/show/stream/click/to/headphones/on/toggle")
        }
        if round % 50 == 0 { try house.surface.sync() }
      }
    }
    usb.expectSame(0, as: 3)
  }

  @Test("Fifty deaths of jackd leak nothing, and sound returns within a second each time")
  func jackdDeaths() async throws {
    let server = try await PrivateServer()
    let run = try RestartRun(.jackd(server), preset: House.show)
    for round in 0..<50 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 1, restarts: 50)
  }

  @Test("Fifty deaths of PipeWire leak nothing, and sound returns within a second each time")
  func pipeWireDeaths() async throws {
    let server = try await PrivatePipeWire()
    let run = try RestartRun(.pipeWire(server), preset: RestartTests.cardShow)
    for round in 0..<50 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 1, restarts: 50)
  }

  @Test(
    "Two hundred kills during stores and state writes leave each file whole, and all that was kept is back")
  func kills() async throws {
    let run = try await KillRun(seed: .random(in: 0...999_999))
    #expect(try run.kill(times: 200) < 1)
  }

  @Test("A99: a hundred changes in five minutes among eight sessions make no click and no xrun")
  func continuity() async throws { try ContinuityRun(try await Rig(.realTime), seconds: 300).expectClean() }

  @Test("Ten minutes of a live show beside jobs in four sessions lose nothing")
  func jobs() async throws {
    let show = try await LiveShowBesideJobs()
    for _ in 0..<20 { try show.expectWhole(seconds: 30, attempts: 3) }
  }

  @Test(
    "An hour of 64 players from files that are not in the page cache, beside eight recorders, misses nothing")
  func players() async throws {
    try await CrowdOfPlayers(players: 64, recorders: 8).expectWhole(seconds: 3_600)
  }

  @Test(
    "After five minutes of random moves over a bad network, /resync makes every value right on every surface")
  func lossyNetwork() async throws {
    try await LossyRun(seed: .random(in: 0...999_999)).expectTruth(seconds: 300)
  }

  @Test("JACK's own torture test has the same result with and without the router at the server")
  func torture() async throws {
    let without = try await JackTorture.run(withRouter: false)
    let with = try await JackTorture.run(withRouter: true)
    #expect(without.code == 0 && without.lines.contains { $0.contains("stress test") }, "\(without)")
    #expect(with == without)
  }
}
