import Encoders
import SessionModel
import SoundFiles
import TestKit
import Testing

/// What a device gets from players, on a real server.
@Suite struct PlayerSoundTests {
  @Test(
    "A file of a lossless format reaches the device bit for bit, from a session that its player activates",
    arguments: Encoders.Format.lossless)
  func exact(format: Encoders.Format) async throws {
    let house = try await MediaHouse()
    let sound = CountedSound.sound(1..<50_000)
    let path = try Encoders.write(sound, format, in: house.folder.path)
    try house.player("walkin", [String(path.dropFirst(house.folder.path.count + 1))])
    try house.freewheel()
    try await house.prepare("walkin")
    let heard = try house.hear {
      try house.order("walkin", .play())
      try house.stage.do("frames 80000")
    }[0]
    let start = sound.channels[0].place(in: heard[0])
    #expect(start != nil)
    #expect(sound.channels[1].place(in: heard[1]) == start)
    if let start {
      #expect(heard[0][..<start].allSatisfy { $0 == 0 })
      #expect(heard[0][(start + 49_999)...].allSatisfy { $0 == 0 })
    }
    await house.stop()
  }
}
