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
      $0.recorders[id].map { $0.transport == .stopped && $0.facts.seconds > 0 && $0.facts.speed == 0 }
        ?? false
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
    let heard = try house.hear {
      try house.send(
        // The player activates the session, without which no microphone is recorded.
        [.player("band", .order(.play()))] + sources.map { .recorder($0.0, .order(.record())) })
      try house.stage.do("frames 90000")
      try house.send(sources.map { .recorder($0.0, .order(.stop)) })
      try house.stage.do("frames 4096")
    }[0]
    let desk = try await recording("desk", house)
    #expect(desk.channels.count == 4)
    // All begin with the period in which the player began.
    #expect(Self.sound.channels[0].place(in: desk.channels[0]) == 0)
    let offset = try #require(Array(desk.channels[0].prefix(59_999)).place(in: heard[0]))
    for channel in 0..<2 {
      #expect(heard[channel].dropFirst(offset).starts(with: desk.channels[channel]))
    }
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
    try house.send(.player("band", .order(.play())))
    try house.stage.do("frames 12000")
    try house.send(.recorder("desk", .order(.record())))
    try house.stage.do("frames 60000")
    let desk = try await recording("desk", house)
    #expect(desk.channels.count == 1 && desk.channels[0].count == 48_000)
    let start = try #require(desk.channels[0].firstIndex { $0 != 0 })
    #expect(start < 24_000)
    #expect(
      Array(desk.channels[0][start...].prefix(20_000)).elementsEqual(Self.sound.channels[0].prefix(20_000)))
    await house.stop()
  }

  @Test(
    "Eight players from files that are not in the page cache, beside two recorders, miss nothing in five seconds"
  )
  func crowd() async throws { try await CrowdOfPlayers(players: 8, recorders: 2).expectWhole(seconds: 5) }
}
