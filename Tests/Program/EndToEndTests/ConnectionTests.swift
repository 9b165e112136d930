import OSC
import TestKit
import Testing

/// Tests which JACK connections the router changes.
@Suite struct ConnectionTests {
  private let band = "/session/show/stream/band"

  @Test(
    "The router neither removes nor takes over a connection that a user made, even if settings of the same port change"
  )
  func handMade() async throws {
    let house = try await House()
    let (stage, surface) = (house.stage, house.surface)
    try house.connect("Band:out_1", to: "multiroute:show.click_1")
    try house.connect("Band:out_2", to: "Speaker:playback_1")
    try house.connect("multiroute:to-usb_1", to: "Speaker:playback_2")
    try surface.send("/session/show/stream/click/from", "Metronome:out_*", "Band:out_1")
    try surface.sync()
    try surface.send("/session/show/stream/click/from", "Nobody:*")
    try stage.do("await-connection Metronome:out_1 multiroute:show.click_1 gone")
    try surface.send("\(band)/route", "none")
    try surface.send("\(band)/route", "usb:3-4")
    try stage.do("unplug Headphones")
    try stage.do("replug Headphones")
    try stage.do("await-connection multiroute:to-headphones_1 Headphones:playback_1")
    #expect(try stage.names("connections multiroute:show.click_1") == ["Band:out_1"])
    #expect(try stage.names("connections Speaker:playback_1").contains("Band:out_2"))
    #expect(try stage.names("connections Speaker:playback_2").contains("multiroute:to-usb_1"))
  }

  @Test(
    "Sources that are no longer wanted fade out before they are disconnected, and fade in when they are back")
  func removedSource() async throws {
    let house = try await House()
    try house.connect()
    try house.freewheel()
    let away = try house.hear {
      try house.surface.send("\(band)/from", "Nobody:*")
      try house.stage.do("await-connection Band:out_1 multiroute:show.band_1 gone")
      try house.stage.do("frames 20000")
    }
    GainTrace(away[0], of: away[3]).expectMove(from: 1, to: 0, frames: 960)
    let back = try house.hear {
      try house.surface.send("\(band)/from", "Band:out_*")
      try house.stage.do("await-connection Band:out_1 multiroute:show.band_1")
      // The gate opens when both channels are connected, which takes its time in freewheel, too.
      try house.stage.do("wait-signal \"USB Interface\" 1 -90")
      try house.stage.do("frames 20000")
    }
    GainTrace(back[0], of: back[3]).expectMove(from: 0, to: 1, frames: 960)
  }

  @Test("Several programs that feed one stream are summed")
  func sum() async throws {
    let house = try await House(
      House.show.replacing("[\"Band:out_*\"]", with: "[\"Band:out_*\", \"Choir:out_*\"]"),
      programs: House.programs + ["source Choir 2 sine 440 -20"])
    try house.connect("Band:out_1")
    try house.connect("Choir:out_1")
    try house.freewheel()
    let usb = try house.hear { try house.stage.do("frames 48000") }
    #expect(SignalCheck.firstDifference(usb[0], usb[3]) == nil)
  }

  @Test(
    "The k-th port of a program feeds channel k, a single port feeds all channels, and surplus ports feed none"
  )
  func channels() async throws {
    let house = try await House(
      House.show.replacing("[\"Band:out_*\"]", with: "[\"Wide:out_*\", \"Narrow:*\"]"),
      programs: ["source Wide 11 ramp", "source Narrow 1 ramp", "source Metronome 1 silence"])
    let stage = house.stage
    try stage.do("await-connection Narrow:out_1 multiroute:show.band_2")
    #expect(try stage.names("connections multiroute:show.band_1").sorted() == ["Narrow:out_1", "Wide:out_1"])
    #expect(try stage.names("connections multiroute:show.band_2").sorted() == ["Narrow:out_1", "Wide:out_2"])
    for port in 3...11 { #expect(try stage.names("connections Wide:out_\(port)").isEmpty) }
    // Numbers are compared as numbers: the tenth port is not the second.
    try house.surface.send("\(band)/from", "Wide:out_1?")
    try stage.do("await-connection Wide:out_11 multiroute:show.band_2")
    #expect(try stage.names("connections multiroute:show.band_1") == ["Wide:out_10"])
  }

  @Test("A glob that matches everything never matches the router's own ports")
  func ownPorts() async throws {
    let house = try await House(House.show.replacing("[\"Band:out_*\"]", with: "[\"*\"]"))
    let stage = house.stage
    try stage.do("await-connection Band:out_2 multiroute:show.band_2")
    try house.surface.sync()
    for port in try stage.names("ports") where port.hasPrefix("multiroute:") {
      #expect(try !stage.names("connections \(port)").contains { $0.hasPrefix("multiroute:") }, "\(port)")
    }
  }

  @Test(
    "An exclusive stream takes away its sources' other connections, and gives them back when it ends or the router stops"
  )
  func exclusive() async throws {
    let house = try await House()
    let stage = house.stage
    try house.connect("Band:out_1", to: "Speaker:playback_1")
    try house.surface.send("\(band)/exclusive", 1)
    try stage.do("await-connection Band:out_1 Speaker:playback_1 gone")
    #expect(try stage.names("connections Band:out_1") == ["multiroute:show.band_1"])
    // Connects again by hand; the router may remove the connection before the stage sees it.
    try? house.connect("Band:out_2", to: "Speaker:playback_2")
    try stage.do("await-connection Band:out_2 Speaker:playback_2 gone")
    try house.surface.send("\(band)/exclusive", 0)
    try stage.do("await-connection Band:out_1 Speaker:playback_1")
    try stage.do("await-connection Band:out_2 Speaker:playback_2")
    try house.surface.send("\(band)/exclusive", 1)
    try stage.do("await-connection Band:out_1 Speaker:playback_1 gone")
    #expect(house.router.terminate().code == 0)
    try stage.expectLeft(["Speaker:playback_1"], at: "Band:out_1")
    try stage.expectLeft(["Speaker:playback_2"], at: "Band:out_2")
  }

  @Test("A stream that is not exclusive lists the other programs and devices that receive its sources")
  func alsoHeard() async throws {
    let house = try await House()
    try house.connect("Band:out_1", to: "Speaker:playback_1")
    try house.surface.sync()
    let end = ContinuousClock.now + .seconds(3)
    var why = ""
    // The router sends no event about connections between other programs, so the stage is asked.
    while !why.contains("also heard directly at"), ContinuousClock.now < end {
      why = try house.surface.text("/session/show/why")
    }
    #expect(why.contains("also heard directly at"), "\(why)")
  }
}
