import TestKit
import Testing

/// A house with a guest at the far end of a line. Programs of other people make the line: one here, which takes every device that it
/// finds, and one at the far end.
///
/// The guest hears the band, and the house hears the guest. The microphones of the house are not for the guest.
struct GuestHouse {
  let house: House

  /// - Parameters:
  ///   - send: the ports of the program here that take what the guest hears.
  ///   - receive: its ports that play the guest.
  init(send: String, receive: String) async throws {
    house = try await House(
      House.preset(
        """
        "show": { "category": "multiRoute", "activate": "start", "streams": {
          "band": { "channels": 2, "from": ["Band:out_*"], "to": { "headphones": 0 } } } },
        "guest": { "category": "multiRoute", "activate": "start",
          "capture": { "channels": 2, "to": ["\(send)"], "mix": { "show": 0 } },
          "streams": { "main": {
            "channels": 2, "from": ["\(receive)"], "to": { "usb:3-4": -6 }, "exclusive": true } } }
        """),
      programs: [
        "source Band 2 sine 700 -20", "source Guest 2 sine 400 -20", "listener Ear 2",
        "play Microphone 1 sine 1000 -20", "play \"USB Interface\" 1 sine 1000 -20",
        "play \"USB Interface\" 2 sine 1000 -20",
      ])
  }

  /// Connects the guest to the program at the far end.
  func joinGuest(mouth: [String], ear: [String]) throws {
    for port in mouth + ear { try house.stage.do("await-port \(port)") }
    for channel in 0...1 {
      try house.connect("Guest:out_\(channel + 1)", to: mouth[channel])
      try house.connect(ear[channel], to: "Ear:in_\(channel + 1)")
    }
  }

  /// Expects that each side hears the other one at its level, and nothing that is not for it.
  ///
  /// - Parameters:
  ///   - send: the ports here that take what the guest hears.
  ///   - receive: the ports here that play the guest.
  func expectConversation(send: [String], receive: [String]) throws {
    let stage = house.stage
    for (device, channel) in [("Ear", 1), ("Ear", 2), ("USB Interface", 3), ("USB Interface", 4)] {
      try stage.do("wait-signal \"\(device)\" \(channel) -30")
    }
    // A program connects itself a moment after the router has connected it, and sound is on its way through the network.
    try stage.do("frames 24000")
    for channel in 1...2 {
      try stage.do("await-connection \"USB Interface:capture_\(channel)\" \(send[channel - 1]) gone")
      try stage.do("await-connection \(receive[channel - 1]) \"USB Interface:playback_\(channel)\" gone")
      #expect(
        try stage.names("connections \(send[channel - 1])") == ["multiroute:guest.capture_\(channel)"])
      #expect(try stage.names("connections \(receive[channel - 1])") == ["multiroute:guest.main_\(channel)"])
    }
    func expect(
      _ frequency: Int, at device: String, _ levels: [Double?],
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for (index, level) in levels.enumerated() {
        let measure = "level \"\(device)\" \(index + 1) \(frequency) "
        guard let level else {
          let heard = try stage.value("tone", of: measure + "0.2")
          #expect(heard < -60, "\(frequency) Hz at \(device) \(index + 1)", sourceLocation: sourceLocation)
          continue
        }
        // A program that got no processor leaves packets out, which makes a stretch quieter, but never louder.
        let heard = try (0..<10).map { _ in try stage.value("tone", of: measure + "0.02") }.max() ?? 0
        #expect(
          abs(heard - level) < 0.5, "\(frequency) Hz at \(device) \(index + 1)",
          sourceLocation: sourceLocation)
      }
    }
    try expect(700, at: "Ear", [-20, -20])
    for frequency in [400, 1_000] { try expect(frequency, at: "Ear", [nil, nil]) }
    try expect(400, at: "USB Interface", [nil, nil, -26, -26])
    for device in ["Headphones", "Speaker"] { try expect(400, at: device, [nil, nil]) }
    #expect(try house.surface.value("/session/guest/direct") == 0)
  }

  /// Ends the router. The program here is then connected as it had connected itself, and the guest hears the microphones.
  func expectOwnConnections(send: String, receive: String) throws {
    #expect(house.router.terminate().code == 0)
    try house.stage.do("await-connection \"USB Interface:capture_1\" \(send)")
    try house.stage.do("await-connection \(receive) \"USB Interface:playback_1\"")
    try house.stage.do("frames 48000")
    let heard = try house.stage.tones(1_000, at: ["Ear"])[0][0]
    #expect(abs(heard + 20) < 1, "\(heard)")
  }
}
