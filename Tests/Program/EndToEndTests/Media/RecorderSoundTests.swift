import Encoders
import SessionModel
import SoundFiles
import TestKit
import Testing

/// What recorders write, on a real server that freewheels.
@Suite struct RecorderSoundTests {
  private static let sound = CountedSound.sound(1..<60_000)

  private func recording(_ id: RecorderID, _ house: MediaHouse) async throws -> SoundFile {
    let state = try await house.until {
      $0.recorders[id].map { $0.transport == .stopped && $0.facts.seconds > 0 && !$0.facts.isOpen } ?? false
    }
    let name = try #require(state.recorders[id]?.facts.file)
    return try SoundFile(path: "\(house.folder.path)/recordings/\(name)")
  }

  @Test(
    "Recorders of an output, a session, a stream and an input write what is heard there, from one frame on")
  func sources() async throws {
    let house = try await MediaHouse(programs: ["play Microphone 1 ramp"])
    let file = try house.write(Self.sound, "band.wav")
    try house.player("band", [file])
    let sources: [(RecorderID, RecorderSource)] = [
      ("desk", .output("usb")), ("show", .session("show")), ("stem", .stream("show", "music")),
      ("mic", .input("mic")),
    ]
    for (id, source) in sources {
      try house.send(.recorder(id, .create(source)))
      try house.send(.recorder(id, .set(.bits(32))))
    }
    try house.freewheel()
    try await house.prepare("band")
    // The player activates the session, without which no microphone is recorded.
    try house.send([.player("band", .order(.play()))] + sources.map { .recorder($0.0, .order(.record())) })
    _ = try await house.until { $0.players["band"]?.transport == .stopped }
    try house.send(sources.map { .recorder($0.0, .order(.stop)) })
    let desk = try await recording("desk", house)
    #expect(desk.channels.count == 4)
    // All begin with the period in which the player began.
    for channel in 0..<2 { #expect(desk.channels[channel].starts(with: Self.sound.channels[channel])) }
    for id: RecorderID in ["show", "stem"] {
      let file = try await recording(id, house)
      #expect(file.channels.count == 2)
      #expect(file.channels[0] == desk.channels[0] && file.channels[1] == desk.channels[1])
    }
    let mic = try await recording("mic", house)
    #expect(mic.channels.count == 1 && mic.channels[0].count == desk.channels[0].count)
    let steps = Set(zip(mic.channels[0].dropFirst(), mic.channels[0]).map { $0 - $1 })
    #expect(steps.count == 1 && steps.first ?? 0 > 0)
    await house.stop()
  }

  @Test("A recording begins with what was heard before, and ends at its limit")
  func beforeAndLimit() async throws {
    let house = try await MediaHouse()
    let file = try house.write(Self.sound, "band.wav")
    try house.player("band", [file])
    try house.send(.recorder("desk", .create(.output("usb"))))
    try house.send(.recorder("desk", .set(.channels(1))))
    try house.send(.recorder("desk", .set(.before(0.5))))
    try house.send(.recorder("desk", .set(.limit(1))))
    try house.freewheel()
    try await house.prepare("band")
    try house.stage.do("frames 48000")
    // The recording begins a quarter of a second after the sound, and with the half second before that.
    try house.send([
      .player("band", .order(.play(after: 1))), .recorder("desk", .order(.record(after: 1.25))),
    ])
    let desk = try await recording("desk", house)
    #expect(desk.channels.count == 1 && desk.channels[0].count == 48_000)
    #expect(desk.channels[0][..<12_000].allSatisfy { $0 == 0 })
    #expect(desk.channels[0][12_000...].elementsEqual(Self.sound.channels[0].prefix(36_000)))
    await house.stop()
  }

  @Test(
    "Eight players from files that are not in the page cache, beside two recorders, miss nothing in five seconds"
  )
  func crowd() async throws { try await CrowdOfPlayers(players: 8, recorders: 2).expectWhole(seconds: 5) }
}
