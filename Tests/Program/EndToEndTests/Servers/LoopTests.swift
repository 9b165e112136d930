import Foundation
import JackClient
import JackServer
import OSC
import TestKit
import Testing
import Threads

@testable import Router

/// What the router measures of a real server and of bridges, and which cause it names when the sound stops.
@Suite struct LoopTests {
  static let programs = ["source Band 2 sine 997 -12", "source Metronome 1 silence"]

  /// Waits for the glitch of a cause, told on standard error with a reason.
  private func awaitGlitch(_ cause: String, because reason: String, at house: House) throws {
    try house.surface.event("glitch", seconds: 40) { $0.dropFirst().contains(.string(cause)) }
    #expect(house.router.child.errors.line(containing: reason, seconds: 40) != nil)
  }

  @Test(
    "If a program that feeds the router is stopped, the server is named as the cause of the glitch, and the program too"
  )
  func client() async throws {
    let house = try await House(programs: ["source Metronome 1 silence"])
    let band = try house.server.stage()
    try band.do("source Band 2 sine 997 -12")
    try house.stage.do("wait-signal \"USB Interface\" 1 -13")
    try house.surface.subscribe("/event/*")
    band.send(signal: SIGSTOP)
    defer { band.send(signal: SIGCONT) }
    try awaitGlitch("server", because: "the server waited for Band, which hangs", at: house)
    let (glitches, lost) = (
      try house.surface.number("/health/glitches"), try house.surface.number("/health/lost")
    )
    #expect(glitches >= 1 && lost >= 1_024)
  }

  @Test("If the router is stopped, the machine is named as the cause, and the lost frames are counted")
  func router() async throws {
    let house = try await House(programs: Self.programs)
    try house.stage.do("wait-signal \"USB Interface\" 1 -13")
    try house.surface.subscribe("/event/*")
    let before = try house.surface.number("/health/lost")
    house.router.child.send(signal: SIGSTOP)
    try house.stage.do("frames 48000")
    house.router.child.send(signal: SIGCONT)
    try awaitGlitch("machine", because: "the whole router stood still", at: house)
    try house.surface.subscribe("/health/lost")
    let lost = try house.surface.number("/health/lost") - before
    // The stop began and ended somewhere in a period of the server.
    #expect(lost > 40_000 && lost < 96_000, "\(lost)")
    #expect(try house.surface.text("/media/state") == "running")
  }

  @Test("If another program takes the processor from the audio thread, the machine is named as the cause")
  func hog() async throws {
    let house = try await House(programs: Self.programs)
    // Without real-time threads any program takes the processor, and no priority decides.
    guard case .realTime = house.server.server.settings.scheduling else { return }
    try house.stage.do("wait-signal \"USB Interface\" 1 -13")
    try house.surface.subscribe("/event/*")
    // The router may use one processor only, which a program of higher priority then keeps for 0.4 s. The server has the other one.
    let pinning = try ChildProcess(
      "taskset", ["-a", "-c", "-p", "0", "\(house.router.child.identifier)"])
    #expect(pinning.wait(seconds: 10) == 0)
    let hog = try ChildProcess(
      "timeout", ["0.4", "chrt", "-f", "90", "taskset", "-c", "0", "sh", "-c", "while :; do :; done"])
    try house.surface.event("glitch", seconds: 40) { $0.dropFirst().contains("machine") }
    _ = hog.wait(seconds: 10)
    #expect(try house.surface.number("/health/lost") > 0)
  }

  @Test("The measured rate is within 150 ppm of what the server truly runs at over 10 s")
  func rate() async throws {
    let house = try await House(programs: Self.programs)
    try Self.expectRate(of: house, seconds: 11, within: 150e-6)
  }

  /// Compares the router's rate with that of the server's own frame times, read at the times at which they change.
  static func expectRate(of house: House, seconds: Double, within bound: Double) throws {
    let truth = try JackClient(name: "truth", server: house.server.name)
    defer { truth.close() }
    var meter = RateMeter(nominal: 48_000)
    let end = ContinuousClock.now + .seconds(seconds)
    var (last, frames) = (UInt32(truncatingIfNeeded: truth.cycle.pointee.progress), 0.0)
    while ContinuousClock.now < end {
      let time = UInt32(truncatingIfNeeded: truth.cycle.pointee.progress)
      if time != last {
        frames += Double(time &- last)
        last = time
        meter.note(frames: frames, time: MonotonicTime.now)
      }
      usleep(100)
    }
    let (rate, exact) = (try house.surface.number("/health/rate/out"), try #require(meter.rate))
    #expect(abs(rate / exact - 1) < bound, "\(rate) Hz, truly \(exact) Hz")
    #expect(try house.surface.number("/health/rate/in") > 0)
  }

  @Test("The drift of a bridge is the ratio that its program prints, and only bridged ports have one")
  func bridge() async throws {
    let tools = try TemporaryFolder()
    try tools.writeScript(
      """
      #!/bin/sh
      while :; do echo ' 47   28.350  1.000100      189'; sleep 0.25; done
      """, to: "zita-j2n")
    let preset = """
      { "multiroute": 1, "ports": { "far": { "type": "avb", "channels": 2,
        "bridge": { "tool": "zita-j2n", "address": "127.0.0.1", "port": 30042 } },
        "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"], "channels": 4 } } }
      """
    let house = try await House(preset, programs: [], flags: ["--bridge-path", tools.path])
    try house.surface.subscribe("/output/*")
    let message = try house.surface.wait(for: "/output/far/drift", seconds: 10) {
      $0.arguments != [.float(0)]
    }
    #expect(message.arguments == [.float(Float(1.0001 - 1))])
    #expect(abs(try house.surface.number("/output/far/drift") - 1e-4) < 1e-8)
    let lamp = "/health/drift/on"
    if try house.surface.subscribe(lamp).first(where: { $0.address == lamp })?.arguments != [1] {
      try house.surface.wait(for: lamp, seconds: 10) { $0.arguments == [1] }
    }
    #expect(try house.surface.send("/get", "/output/usb/drift").isEmpty)
    #expect(try !house.surface.takeAll().contains { $0.address == "/output/usb/drift" })
  }

  @Test("Load and stage times are told twice a second at most to subscribers of /health")
  func feedback() async throws {
    let house = try await House(programs: Self.programs)
    try house.surface.subscribe("/health/*")
    try house.surface.wait(for: "/health/load/now")
    let start = ContinuousClock.now
    var count = 0
    while start.secondsSince < 3 {
      try house.surface.wait(for: "/health/load/now")
      count += 1
    }
    #expect((2...7).contains(count))
    let load = try house.surface.number("/health/load/now")
    #expect(load > 0 && load < 1)
    #expect(try house.surface.number("/health/stage/sinks/mean") > 0)
    let worst = try house.surface.number("/health/stage/sinks/worst")
    #expect(try worst >= house.surface.number("/health/stage/sinks/mean"))
  }
}
