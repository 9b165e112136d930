import Encoders
import Router
import SessionModel
import SoundFiles
import TestKit
import Testing

/// Interruptions of players, on a real server.
@Suite struct InterruptionSoundTests {
  /// Ten seconds, each of whose frames tells its place.
  private static let sound = CountedSound.sound(1..<480_000)

  /// The place in `sound` of a sample that is heard unchanged.
  private static func place(_ sample: Float) -> Int { Int((sample * 8_388_608).rounded()) }

  /// - Parameter freewheels: not where the sound depends on reports, which take their time.
  private static func house(freewheels: Bool = false, _ events: [Event]) async throws -> MediaHouse {
    let house = try await MediaHouse(
      [
        .createSession("music", SessionConfiguration(category: .playback)),
        .createStream("music", "main", channels: 2, placed: true),
        .session("music", .preferredOutput("headphones")),
      ] + events)
    try house.player("bed", [try house.write(sound, "bed.wav")], in: "music", "main")
    if freewheels {
      // Otherwise the server might reach the end of the file before the test looks.
      try house.send(.player("bed", .set(.loops(-1))))
      try house.freewheel()
    } else {
      try house.stage.do("frames 4096")
    }
    try await house.prepare("bed")
    return house
  }

  /// The frames of a sound as runs that are not silent.
  private static func runs(_ samples: [Float]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (frame, sample) in samples.enumerated() where sample != 0 {
      if let last = runs.last, last.upperBound == frame {
        runs[runs.count - 1] = last.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    return runs
  }

  /// Expects two runs of sound without a click, the second of which goes on at the place where the first one stopped.
  private static func expectPause(_ samples: [Float], sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let runs = runs(samples)
    try #require(runs.count == 2, "\(runs)", sourceLocation: sourceLocation)
    // Where the fades are over.
    let last = place(samples[runs[0].upperBound - 3_000]) + 3_000
    let first = place(samples[runs[1].lowerBound + 3_000]) - 3_000
    #expect(abs(first - last) < 3_000, "\(last) \(first)", sourceLocation: sourceLocation)
    let step = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(step < 0.001, sourceLocation: sourceLocation)
  }

  @Test("A call pauses a player at its place, and its end resumes the player as the session says")
  func call() async throws {
    for resumption in [Resumption.recommended, .never] {
      let house = try await Self.house(freewheels: true, [.session("music", .resumption(resumption))])
      let heard = try house.hear(["Headphones"]) {
        try house.order("bed", .play())
        try house.stage.do("frames 30000")
        try house.send(.beginInterruption("phone"))
        try house.stage.do("frames 20000")
        try house.send(.endInterruption("phone"))
        try house.stage.do("frames 30000")
      }[0][0]
      let player = try #require(await house.router.snapshot.players["bed"])
      if resumption == .never {
        #expect(Self.runs(heard).count == 1 && player.transport != .playing)
      } else {
        try Self.expectPause(heard)
        #expect(player.transport == .playing)
      }
      await house.stop()
    }
  }

  @Test("Headphones that are pulled pause a player whose session says so, and their return resumes it")
  func unplug() async throws {
    let house = try await Self.house([
      .session("music", .unplug(.interrupt)), .session("music", .resumption(.always)),
    ])
    let heard = try house.hear {
      try house.order("bed", .play())
      try house.stage.do("frames 30000")
      try house.stage.do("unplug Headphones")
      try house.stage.do("frames 20000")
    }[0]
    // Nothing moves to the speaker of a room where everybody would hear it.
    #expect(heard[0].allSatisfy { $0 == 0 })
    let paused = try await house.until { $0.players["bed"]?.transport == .interrupted }
    let place = try #require(paused.players["bed"]?.facts.mark.seconds)
    #expect(place > 0.6)
    try house.stage.do("replug Headphones")
    _ = try await house.until { $0.players["bed"]?.transport == .playing }
    let after = try house.hear(["Headphones"]) { try house.stage.do("frames 20000") }[0][0]
    let first = try #require(after.last { $0 != 0 })
    #expect(Self.place(first) > Int(place * 48_000))
    await house.stop()
  }

  @Test(
    "A player that deactivates its session at its end lets the session that it interrupted go on at its place"
  )
  func finish() async throws {
    let house = try await Self.house([.session("music", .resumption(.recommended))])
    try house.send(.createSession("jingles", SessionConfiguration(category: .playback)))
    try house.send(.createStream("jingles", "main", channels: 2, placed: true))
    try house.send(.session("jingles", .preferredOutput("usb")))
    let jingle = CountedSound.sound(1..<20_000)
    try house.player("jingle", [try house.write(jingle, "jingle.wav")], in: "jingles", "main")
    try house.send(.player("jingle", .set(.finish(.deactivate))))
    try await house.prepare("jingle")
    let heard = try house.hear(["USB Interface", "Headphones"]) {
      try house.order("bed", .play())
      try house.stage.do("frames 30000")
      try house.order("jingle", .play())
      try house.stage.do("frames 60000")
    }
    heard[0].expectCounted(1..<20_000, in: 0)
    try Self.expectPause(heard[1][0])
    let state = await house.router.snapshot
    #expect(state.sessions["jingles"]?.isActive == false && state.players["bed"]?.transport == .playing)
    await house.stop()
  }
}
