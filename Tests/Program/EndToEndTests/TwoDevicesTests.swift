import Checkout
import TestKit
import Testing

/// The main job: two streams of one session to two devices at once.
@Suite struct TwoDevicesTests {
  @Test(
    "The band reaches the USB interface bit for bit, the click the headphones, and other channels are silent")
  func exact() async throws {
    let house = try await House()
    try house.connect()
    try house.freewheel()
    let heard = try house.hear(["USB Interface", "Headphones", "Speaker"]) {
      try house.stage.do("frames 240000")
    }
    let (usb, headphones, speaker) = (heard[0], heard[1], heard[2])
    #expect(usb[0].count > 240_000)
    #expect(SignalCheck.firstDifference(usb[0], usb[3]) == nil)
    #expect(SignalCheck.breaks(inRamp: usb[0]).isEmpty)
    #expect(SignalCheck.breaks(inRamp: usb[1]).isEmpty)
    // The band's second channel counts from another start than the first.
    #expect(usb[1][0] - usb[0][0] == 0.0625)
    #expect(usb[2].allSatisfy { $0.bitPattern == 0 })
    let clicks = headphones[0].indices.filter { headphones[0][$0] != 0 }
    #expect(clicks.count >= 490)
    #expect(zip(clicks, clicks.dropFirst()).allSatisfy { $1 - $0 == 480 })
    #expect(clicks.allSatisfy { headphones[0][$0] == 1 })
    #expect(SignalCheck.firstDifference(headphones[0], headphones[1]) == nil)
    #expect(speaker.allSatisfy { $0.allSatisfy { $0.bitPattern == 0 } })
  }

  @Test("In real time, too, no sample is lost or changed")
  func realTime() async throws {
    let house = try await House()
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    let usb = try house.hear { try house.stage.do("frames 96000") }
    #expect(usb[0].count >= 96_000)
    usb.expectSame(0, as: 3)
    usb.expectUnbrokenRamp(0)
  }

  @Test("The shipped preset plays the shipped sounds to the devices it names")
  func shipped() async throws {
    // The band is heard directly as well, to compare.
    let house = try await House(
      Checkout.text("presets/usb-and-headphones.json").replacing("\"exclusive\": true", with: ""),
      programs: [
        "source Band file \(Checkout.file("presets/media/music.ogg"))",
        "source Metronome file \(Checkout.file("presets/media/click.flac"))",
        "source Announcer file \(Checkout.file("presets/media/announcement.flac"))",
      ])
    for (source, channel) in [("Band:out_1", 4), ("Band:out_2", 3)] {
      try house.connect(source, to: "USB Interface:playback_\(channel)")
    }
    try house.freewheel()
    let heard = try house.hear(["USB Interface", "Headphones", "Speaker"]) {
      try house.stage.do("frames 96000")
    }
    #expect(SignalCheck.firstDifference(heard[0][0], heard[0][3]) == nil)
    #expect(SignalCheck.firstDifference(heard[0][1], heard[0][2]) == nil)
    #expect(heard[0][0].contains { abs($0) > 0.1 })
    #expect(heard[1][0].contains { abs($0) > 0.1 })
    #expect(SignalCheck.firstDifference(heard[1][0], heard[1][1]) == nil)
    #expect(heard[2].allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
