import Encoders
import SessionModel
import SoundFiles
import TestKit
import Testing

/// Players and recorders when the server goes and comes.
@Suite struct MediaServerTests {
  @Test(
    "A server that dies leaves a whole recording, and afterwards the player goes on at its place into a new file"
  )
  func dies() async throws {
    let house = try await MediaHouse(MediaHouse.show + [.session("show", .activation(.start))])
    let file = try house.write(CountedSound.sound(1..<2_000_000), "long.wav")
    try house.player("band", [file])
    try house.send(.recorder("desk", .create(.stream("show", "music"))))
    try await house.prepare("band")
    try house.send([.recorder("desk", .order(.record())), .player("band", .order(.play()))])
    let before = try await house.until {
      $0.recorders["desk"]?.facts.file.isEmpty == false && $0.players["band"]?.facts.mark.speed == 1
    }
    try house.stage.do("frames 48000")
    let name = try #require(before.recorders["desk"]?.facts.file)
    try await house.restart()
    let after = try await house.until {
      $0.server.isRunning && $0.players["band"]?.facts.mark.speed == 1
        && $0.recorders["desk"].map { $0.facts.file != name } ?? false
    }
    let first = try SoundFile(path: "\(house.folder.path)/recordings/\(name)")
    #expect(first.channels[0].count > 40_000)
    #expect(first.channels[0].starts(with: CountedSound.sound(1..<40_000).channels[0]))
    #expect(after.players["band"]?.facts.mark.seconds ?? 0 > 0.9)
    await house.stop()
    let next = try #require(after.recorders["desk"]?.facts.file)
    let second = try SoundFile(path: "\(house.folder.path)/recordings/\(next)")
    // The sound goes on where it was lost, to a few periods.
    let place = Int((second.channels[0].first { $0 != 0 } ?? 0) * 8_388_608)
    #expect(place > first.channels[0].count - 10_000)
  }
}
