import Foundation
import OSC
import StageKit
import TestKit
import Testing

/// Programs that connect themselves, as players, telephones and cue players do.
@Suite struct SelfConnectingTests {
  /// Cues at the USB interface. Each cue is a program of its own.
  private static let cues = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "cue": { "channels": 2, "from": ["Cue*:out_*"], "to": { "usb:1-2": 0 } } } }
    """)

  private static let starts = 20

  /// A click in the headphones alone, and a guest on the telephone.
  private static let guest = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "click": { "channels": 1, "from": ["Player:out_*"], "to": { "headphones": 0 }, "exclusive": true } } },
    "guest": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
      "capture": { "to": ["Phone:in_*"], "mix": { "show": 0 } },
      "streams": { "main": { "channels": 2, "from": ["Phone:out_*"], "to": { "usb:3-4": 0 } } } }
    """)

  /// Waits until the router says something, or no longer says it. The router sends no event about cables of other programs, so it is
  /// asked after each period.
  private func ask(_ house: House, _ address: String, _ isRight: (String) -> Bool) throws -> String {
    var text = ""
    for _ in 0..<600 {
      text = try house.surface.text(address)
      if isRight(text) { break }
      try house.stage.do("frames 256")
    }
    return text
  }

  /// The programs that play past the router, as the router lists them.
  private func direct(_ house: House) throws -> [[OSCArgument]] {
    try house.surface.tell("/system/direct")
    return try house.surface.takeAll().filter { $0.address == "/system/direct" }.map(\.arguments)
  }

  // MARK: The beginning of a sound

  @Test("A source that has just appeared begins at its level: a ramp would cut its attack")
  func attack() async throws {
    let house = try await House(Self.cues, programs: [], period: 256)
    let sound = try house.hear {
      for number in 1...Self.starts {
        try house.stage.do("source Cue\(number) 2 ramp")
        try house.stage.do("frames 9600")
        try house.stage.do("unplug Cue\(number)")
        try house.stage.do("frames 4800")
      }
    }
    let cues = sound.channels[0].split { $0 == 0 }.filter { $0.count > 1_000 }
    #expect(cues.count >= Self.starts)
    guard sound.continuity.stretches.isEmpty else { return TestNotes.excuse("the server's time jumped") }
    #expect(cues.count == Self.starts)
    for cue in cues {
      // The mix moves a gain in blocks of eight frames.
      #expect(
        SignalCheck.breaks(inRamp: Array(cue.dropFirst(8))) == [], "the cue does not begin at its level")
    }
    let lost = cues.map { Int($0[$0.startIndex + 8] * 16_777_216) - 8 }.sorted()
    TestNotes.remark("frames that \(Self.starts) cues lost: \(lost)")
  }

  @Test("A source that already plays when it is connected begins with a ramp")
  func ramp() async throws {
    let house = try await House(Self.cues, programs: ["source Band 2 sine 997 -20"])
    let sound = try house.hear {
      try house.surface.send("/session/show/stream/cue/from", "Band:out_*")
      try house.surface.sync()
      try house.stage.do("frames 9600")
    }
    let samples = sound.channels[0]
    let begin = try #require(samples.firstIndex { $0 != 0 })
    // A raised cosine of 20 ms is at 0.6 % of its way after a millisecond.
    #expect(samples[begin..<begin + 48].allSatisfy { abs($0) < 0.002 })
  }

  @Test("Both ports of a program are connected to their own channels, however far apart they appear")
  func twoPorts() async throws {
    let house = try await House(Self.cues, programs: [])
    try house.stage.do("source Cue 2 silence")
    for channel in 1...2 {
      try house.stage.do("await-connection Cue:out_\(channel) multiroute:show.cue_\(channel)")
      #expect(try house.stage.names("connections Cue:out_\(channel)") == ["multiroute:show.cue_\(channel)"])
    }
  }

  // MARK: Past the router

  @Test("An exclusive mono stream frees both ports of a stereo player that connects itself")
  func exclusive() async throws {
    let house = try await House(Self.guest, programs: [])
    try house.stage.do("player Player 2 sine 997 -20 Speaker")
    for channel in 1...2 {
      try house.stage.do("await-connection Player:out_\(channel) Speaker:playback_\(channel) gone")
    }
    #expect(try house.stage.names("connections Player:out_2") == [])
    try house.stage.do("wait-signal Headphones 1 -40 5")
    #expect(house.router.terminate().code == 0)
    #expect(try house.stage.names("connections Player:out_2") == ["Speaker:playback_2"])
  }

  @Test("An exclusive program that connects itself to the wrong device leaves it at JACK's notice")
  func leak() async throws {
    let preset = Self.cues.replacing(
      "\"to\": { \"usb:1-2\": 0 }", with: "\"to\": { \"usb:1-2\": 0 }, \"exclusive\": true")
    let house = try await House(preset, programs: [], period: 256)
    let sound = try house.hear(["Speaker", "USB Interface"]) {
      for number in 1...Self.starts {
        try house.stage.do("player Cue\(number) 2 ramp Speaker")
        try house.stage.do("await-connection Cue\(number):out_1 Speaker:playback_1 gone")
        try house.stage.do("frames 9600")
        try house.stage.do("unplug Cue\(number)")
        try house.stage.do("frames 4800")
      }
    }
    let leaks = sound[0].channels[0].split { $0 == 0 }.map(\.count).sorted()
    TestNotes.remark("frames that \(Self.starts) players were heard past the router: \(leaks)")
    #expect(leaks.count <= Self.starts, "a player was heard past the router twice")
    #expect(sound[1].channels[0].split { $0 == 0 }.filter { $0.count > 1_000 }.count >= Self.starts)
  }

  @Test("A sole capture frees its ports from microphones, again and again, and gives them back at the end")
  func sole() async throws {
    let house = try await House(Self.guest, programs: ["duplex Phone 2"])
    let (stage, surface) = (house.stage, house.surface)
    try stage.do("await-connection multiroute:guest.capture_1 Phone:in_1")
    for _ in 0..<3 {
      // The router may remove the cable before the stage sees it.
      _ = try? stage.do("connect Microphone:capture_1 Phone:in_1")
      try stage.do("await-connection Microphone:capture_1 Phone:in_1 gone")
    }
    #expect(try stage.names("connections Phone:in_1") == ["multiroute:guest.capture_1"])
    #expect(try surface.value("/session/guest/direct") == 0)

    try surface.send("/session/guest/capture/sole", 0)
    try stage.do("await-connection Microphone:capture_1 Phone:in_1")
    let why = try ask(house, "/session/guest/why") { $0.contains("directly") }
    #expect(why.contains("also receives directly from Microphone:capture_1"), "\(why)")
    #expect(
      try surface.text("/session/guest/capture/why").contains(
        "also receives directly from Microphone:capture_1"))
    #expect(try surface.value("/session/guest/direct") == 1)

    try surface.send("/session/guest/capture/sole", 1)
    try stage.do("await-connection Microphone:capture_1 Phone:in_1 gone")
    _ = try ask(house, "/session/guest/why") { !$0.contains("directly") }
    #expect(house.router.terminate().code == 0)
    #expect(try stage.names("connections Phone:in_1") == ["Microphone:capture_1"])
  }

  @Test("Cables of other ports of a session's program are named, and programs of no session are listed")
  func pastTheRouter() async throws {
    let house = try await House(Self.guest, programs: ["source Phone 4 silence", "source Game 2 silence"])
    try house.surface.send("/session/guest/stream/main/from", "Phone:out_1", "Phone:out_2")
    try house.connect("Phone:out_4", to: "Speaker:playback_1")
    try house.connect("Game:out_1", to: "Speaker:playback_2")
    let why = try ask(house, "/session/guest/why") { $0.contains("directly") }
    #expect(why.contains("also heard directly at Speaker:playback_1"), "\(why)")
    #expect(try direct(house) == [[0, 1, "Game", "Speaker:playback_2"]])
    let status = try Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output
    #expect(
      status.contains("PAST THE ROUTER\nGame plays at Speaker:playback_2 and belongs to no session"),
      "\(status)")
    try house.stage.do("unplug Game")
    try house.stage.do("frames 2048")
    try house.surface.sync()
    #expect(try direct(house) == [[0, 0]])
  }

  // MARK: Silent and gone

  @Test("A program that plays nothing is connected and silent, and a program that was killed is not there")
  func silentAndGone() async throws {
    let house = try await House(Self.cues, programs: ["source Cue 2 silence"])
    var why = try ask(house, "/session/show/why") { $0.hasPrefix("connected") }
    #expect(why.hasPrefix("connected, silent; goes to usb"), "\(why)")
    try house.stage.do("play Cue 1 sine 997 -20")
    why = try ask(house, "/session/show/why") { $0.hasPrefix("heard") }
    #expect(why.hasPrefix("heard at usb"), "\(why)")
    let killed = try StageProcess(server: house.server.name, clientName: "Other")
    try house.stage.do("unplug Cue")
    try killed.do("source Cue 2 sine 997 -20")
    why = try ask(house, "/session/show/why") { $0.hasPrefix("heard") }
    killed.kill()
    try house.stage.do("await-port Cue:out_1 gone")
    try house.surface.sync()
    try house.stage.do("frames 256")
    why = try house.surface.text("/session/show/why")
    #expect(why.hasPrefix("silent: no program is connected to show"), "\(why)")
  }
}
