import OSC
import TestKit
import Testing

/// The scenarios of ports and routes that need no special type of port, under PipeWire, with sinks named like real cards.
@Suite struct PipeWireScenarios {
  /// A card, and the port types that the preset gives to it.
  private struct Card {
    var id: String
    var type: String
    var node: String
    var name: String
    var channels = "FL FR"
    /// The ear's channel that records the card.
    var ear: Int
  }

  private static let speaker = Card(
    id: "spk", type: "builtInSpeaker", node: "alsa_output.pci-0000_00_1f.3.analog-stereo",
    name: "Built-in Audio Analog Stereo", ear: 1)
  private static let phones = Card(
    id: "phones", type: "headphones", node: "alsa_output.pci-0000_00_1f.3.headphones",
    name: "Built-in Audio Headphones", ear: 3)
  private static let line = Card(
    id: "line", type: "lineOut", node: "alsa_output.pci-0000_05_00.0.analog-stereo", name: "Xonar Line Out",
    ear: 5)
  private static let usb = Card(
    id: "usb", type: "usbAudio", node: "alsa_output.usb-Acme_Quad-00.analog-surround-40", name: "Acme Quad",
    channels: "FL FR RL RR", ear: 7)
  private static let cards = [speaker, phones, line, usb]

  private static let preset =
    "{ \"multiroute\": 1, \"ports\": {"
    + cards.map {
      "\"\($0.id)\": { \"type\": \"\($0.type)\", \"outputs\": [\"\($0.name):playback_*\"] }"
    }.joined(separator: ",") + "} }"

  /// The tones of the programs in Hz.
  private static let tones = ["a": 997, "b": 400]

  /// A rack with the speaker and these programs, which play at -20 dBFS; sessions and what they are told are the test's.
  private static func rack() async throws -> Rack {
    let rack = try await Rack(preset) { pipewire, stage in
      try stage.do("device Ear 10 0")
      for (id, tone) in tones { try stage.do("source App-\(id) 1 sine \(tone) -20") }
      try pipewire.plug(speaker.node, speaker.name)
      _ = try stage.monitors(of: speaker.name)
    }
    try listen(to: speaker, rack)
    try rack.surface.subscribe("/event/*")
    return rack
  }

  private static func listen(to card: Card, _ rack: Rack) throws {
    let monitors = try rack.stage.monitors(of: card.name)
    // In the order of the channels, which is not that of their names.
    let ordered = card.channels.split(separator: " ").compactMap { channel in
      monitors.first { $0.hasSuffix("_\(channel)") }
    }
    try rack.listen(to: ordered, from: card.ear)
  }

  private static func plug(_ card: Card, _ rack: Rack) throws {
    try rack.pipewire.plug(card.node, card.name, channels: card.channels)
    #expect(try rack.surface.event("port") == ["out", .string(card.id), 1])
    try listen(to: card, rack)
  }

  private static func unplug(_ card: Card, _ rack: Rack) throws {
    try rack.pipewire.unplug(card.node)
    #expect(try rack.surface.event("port") == ["out", .string(card.id), 0])
  }

  /// Waits until exactly the expected tones are heard at a channel of the ear.
  private static func expectHeard(
    _ id: String?, at channel: Int, _ rack: Rack, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if id != nil { try rack.stage.do("wait-signal Ear \(channel) -21") }
    try rack.stage.do("frames 9600")
    for (other, tone) in tones {
      let level = try rack.tone(tone, at: channel)
      #expect(
        other == id ? abs(level + 20) <= 0.5 : level <= -80, "\(other) at \(channel): \(level) dBFS",
        sourceLocation: sourceLocation)
    }
  }

  @Test("A51, A52: the last in wins, and the device before it returns afterwards")
  func lastIn() async throws {
    let rack = try await Self.rack()
    let surface = rack.surface
    try surface.send("/session/create", "a", "playback")
    try surface.send("/session/a/stream/main/from", "App-a:out_1")
    try surface.send("/session/a/active", 1)
    func expectRoute(_ reason: Int32, from left: String, to card: Card) throws {
      let told = try surface.event("route")
      #expect(told[0] == "a" && told[1] == .int32(reason))
      #expect(told[3] == .string("in:none out:\(left)") && told[4] == .string("in:none out:\(card.id)"))
      try Self.expectHeard("a", at: card.ear, rack)
      for other in Self.cards where other.id != card.id { try Self.expectHeard(nil, at: other.ear, rack) }
    }
    try Self.expectHeard("a", at: Self.speaker.ear, rack)
    try Self.plug(Self.phones, rack)
    try expectRoute(1, from: "spk", to: Self.phones)
    try Self.plug(Self.line, rack)
    try expectRoute(1, from: "phones", to: Self.line)
    try Self.unplug(Self.line, rack)
    try expectRoute(2, from: "line", to: Self.phones)
    try Self.unplug(Self.phones, rack)
    try expectRoute(2, from: "phones", to: Self.speaker)
    #expect(try !surface.takeAll().contains { $0.address == "/event/route" })
  }

  @Test(
    "A69, A70, A79: two streams of one session play at two cards, and a card that disappears silences only its own"
  )
  func multiRoute() async throws {
    let rack = try await Self.rack()
    let surface = rack.surface
    try Self.plug(Self.phones, rack)
    try Self.plug(Self.usb, rack)
    try surface.send("/session/create", "a", "multiRoute")
    try surface.send("/session/a/stream/remove", "main")
    for (stream, program, route) in [("p1", "a", "phones:1-2"), ("p2", "b", "usb:3-4")] {
      try surface.send("/session/a/stream/create", .string(stream), 1)
      try surface.send("/session/a/stream/\(stream)/from", .string("App-\(program):out_1"))
      try surface.send("/session/a/stream/\(stream)/route", .string(route))
    }
    try surface.send("/session/a/active", 1)
    #expect(try surface.text("/session/a/route") == "in:none out:phones,usb")
    func expectBoth() throws {
      for channel in [3, 4] { try Self.expectHeard("a", at: channel, rack) }
      for channel in [9, 10] { try Self.expectHeard("b", at: channel, rack) }
      for channel in [1, 2, 7, 8] { try Self.expectHeard(nil, at: channel, rack) }
    }
    try expectBoth()
    try Self.unplug(Self.usb, rack)
    #expect(
      try surface.event("route") == [
        "a", 2, "oldDeviceUnavailable", "in:none out:phones,usb", "in:none out:phones",
      ])
    try Self.expectHeard("a", at: 3, rack)
    for channel in [1, 7, 9] { try Self.expectHeard(nil, at: channel, rack) }
    #expect(try surface.text("/session/a/stream/p2/route") == "usb:3-4")
    try Self.plug(Self.usb, rack)
    try expectBoth()
    #expect(rack.router.terminate().code == 0)
  }
}
