import Encoders
import Foundation
import SoundFiles
import TestKit
import Testing

/// Players and recorders as a client of PipeWire.
@Suite struct PipeWirePlayerTests {
  private static let preset = """
    { "multiroute": 1, "ports": {
      "desk": { "type": "lineOut", "outputs": ["Desk:playback_*"], "channels": 2, "ceiling": 0 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
      "left": { "channels": 1, "to": { "desk:1": 0 } }, "right": { "channels": 1, "to": { "desk:2": 0 } } } } },
    "players": { "one": { "session": "show", "stream": "left", "file": "count.wav" },
      "two": { "session": "show", "stream": "right", "file": "count.wav" } },
    "recorders": { "tape": { "source": "output:desk", "bits": 32 } } }
    """

  @Test(
    "Two players of one command reach the device on one frame, bit for bit, and a recorder's file equals that"
  )
  func exact() async throws {
    let rack = try await Rack.desk(Self.preset)
    let media = rack.folder.file("XDG_DATA_HOME/multiroute/media")
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: true)
    let sound = CountedSound.sound(1..<96_000, channels: 1)
    try sound.write(path: "\(media)/count.wav")
    let surface = rack.surface
    for player in ["one", "two"] { try surface.send("/player/\(player)/file", "count.wav") }
    try surface.send("/recorder/tape/record")
    let heard = try DeviceRecorder(stage: rack.stage, folder: rack.folder).hear(["Ear"], clock: .realTime) {
      try surface.send("/player/{one,two}/playing", 1)
      try rack.stage.do("frames 144000")
    }[0]
    let xruns = try #require(surface.counters()["xruns"])
    let name = try surface.text("/recorder/tape/file/now")
    #expect(rack.router.terminate().code == 0)
    let tape = try SoundFile(path: "\(media)/recordings/\(name)")
    guard xruns == 0 else { return TestNotes.excuse("\(xruns) late periods at PipeWire") }
    for channels in [[heard[0], heard[1]], tape.channels] {
      let start = try #require(sound.channels[0].place(in: channels[0]))
      #expect(sound.channels[0].place(in: channels[1]) == start)
    }
  }
}
