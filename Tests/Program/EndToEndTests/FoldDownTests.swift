import SessionModel
import SoundFiles
import TestKit
import Testing

/// A surround program in a stereo stream, on a real server that freewheels.
@Suite struct FoldDownTests {
  private static let levels: [(speaker: String, level: Float)] = [
    ("FC", 0.05), ("FL", 0.1), ("FR", 0.2), ("LFE", 0.3), ("SL", 0.04), ("SR", 0.08),
  ]

  @Test("5.1 is folded down into a stereo stream by ITU-R BS.775, whatever order its ports have")
  func surround() async throws {
    let house = try await MediaHouse()
    // The order of the alphabet, as a server may list them.
    let names = Self.levels.map { "output_\($0.speaker)" }.joined(separator: ",")
    try house.stage.do("client Film program - \(names)")
    let film = try house.write(
      SoundFile(channels: Self.levels.map { Array(repeating: $0.level, count: 4_800) }, sampleRate: 48_000),
      "film.wav")
    for channel in 1...Self.levels.count {
      try house.stage.do("play Film \(channel) file \(house.folder.file(film))")
    }
    try house.send([
      .stream("show", "music", .sources([.ports(try #require(ProgramPorts("Film:*")))])),
      .activate("show"),
    ])
    /// Waits for the cable of each loudspeaker; those that are heard lower have ports of their own.
    func awaitCables() throws {
      for (channel, speaker) in [(1, "FL"), (2, "FR"), (3, "FC"), (4, "SL"), (5, "SR")] {
        let port = "multiroute:show.music_\(channel)"
        // A program makes its ports one after the other, and the first ones alone are no 5.1.
        let wanted = ["Film:output_\(speaker)"]
        #expect(
          try house.stage.ask({ try house.stage.names("connections \(port)") }) { $0 == wanted } == wanted)
      }
    }
    try awaitCables()
    try house.freewheel()
    let heard = try house.hear { try house.stage.do("frames 8192") }[0]
    let lower = Float(0.5).squareRoot()
    let expected = [0.1 + lower * (0.05 + 0.04), 0.2 + lower * (0.05 + 0.08)]
    for channel in 0..<2 {
      #expect(heard[channel].suffix(4_096).allSatisfy { abs($0 - expected[channel]) < 1e-5 }, "\(channel)")
    }
    let state = try await house.until { !($0.sessions["show"]?.streams["music"]?.gaps.ports.isEmpty ?? true) }
    #expect(state.sessions["show"]?.streams["music"]?.gaps.ports == ["Film:output_LFE"])

    // The program may go and come back.
    try house.stage.do("freewheel off")
    try house.stage.do("unplug Film")
    _ = try await house.until { $0.sessions["show"]?.streams["music"]?.gaps.ports.isEmpty == true }
    try house.stage.do("replug Film")
    try awaitCables()
    await house.stop()
  }
}
