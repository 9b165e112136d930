import OSC
import SoundFiles
import TestKit
import Testing

/// What the router does when PipeWire throws its client out, and lives on.
@Suite struct ThrownOutTests {
  @Test("A router whose client is thrown out is back in a moment, and no session ends")
  func back() async throws {
    let rack = try await Rack.band()
    try rack.surface.subscribe("/event/session")
    let period = Int(try rack.stage.value("period", of: "period"))
    var silences: [Int] = []
    for _ in 1...5 {
      let heard = try DeviceRecorder(stage: rack.stage, folder: rack.folder).hear(["Ear"], clock: .realTime) {
        try rack.stage.do("frames 9600")
        try rack.pipewire.throwOut("multiroute")
        try rack.stage.do("frames 24000")
      }[0]
      // The sine is below a thousandth of its amplitude for less than a frame, and the router fades in.
      silences.append(heard.channels[0].split { abs($0) > 0.000_25 }.map(\.count).max() ?? 0)
      #expect(heard.channels[0].suffix(4_800).contains { abs($0) > 0.24 })
    }
    TestNotes.remark("silent frames of a router that PipeWire throws out, \(period) a period: \(silences)")
    // Two periods on an idle machine. A search for a lost server would take 0.4 s, and the session would end.
    #expect(silences.sorted()[2] < 9_600, "\(silences)")
    #expect(try rack.surface.number("/session/show/active") == 1)
    #expect(try !rack.surface.takeAll().contains { $0.address == "/event/session" })
    let said = rack.router.child.errors.text
    #expect(said.contains("the audio server has thrown the router out, which joins it anew"), "\(said)")
  }
}
