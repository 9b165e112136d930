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

  /// A click in the headphones alone, and a guest on the telephone.
  private static let guest = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "click": { "channels": 1, "from": ["Player:out_*"], "to": { "headphones": 0 }, "exclusive": true } } },
    "guest": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
      "capture": { "to": ["Phone:in_*"], "mix": { "show": 0 } },
      "streams": { "main": { "channels": 2, "from": ["Phone:out_*"], "to": { "usb:3-4": 0 } } } }
    """)

  private func ask(_ house: House, _ address: String, _ isRight: (String) -> Bool) throws -> String {
    try house.stage.ask({ try house.surface.text(address) }, until: isRight)
  }

  /// The programs that play past the router, as the router lists them.
  private func direct(_ house: House) throws -> [[OSCArgument]] {
    try house.surface.tell("/system/direct")
    return try house.surface.takeAll().filter { $0.address == "/system/direct" }.map(\.arguments)
  }

  // MARK: The beginning of a sound

  @Test("A source that has just appeared begins at its level: a ramp would cut its attack")
  func attack() async throws {
    let house = try await House(Self.cues, programs: [])
    let sound = try house.hear {
      for number in 1...5 {
        try house.stage.do("source Cue\(number) 2 ramp")
        try house.stage.do("wait-signal \"USB Interface\" 1 -200")
        try house.stage.do("frames 9600")
        try house.stage.do("unplug Cue\(number)")
        try house.stage.do("frames 9600")
      }
    }
    let samples = sound.channels[0]
    let begins = samples.indices.filter {
      samples[$0] != 0 && samples[max(0, $0 - 2_000)..<$0].allSatisfy { $0 == 0 }
    }
    #expect(begins.count == 5)
    for begin in begins { expectWithoutRamp(sound, begin..<begin + 2_000) }
  }

  @Test("A cue player that removes all connections of a new cue is heard again at once, without a ramp")
  func pulledCables() async throws {
    let house = try await House(Self.cues, programs: [])
    let sound = try house.hear {
      for number in 1...5 {
        try house.stage.do("source Cue\(number) 2 ramp")
        for channel in 1...2 {
          try house.stage.do("await-connection Cue\(number):out_\(channel) multiroute:show.cue_\(channel)")
        }
        for channel in 1...2 {
          try house.stage.do("disconnect Cue\(number):out_\(channel) multiroute:show.cue_\(channel)")
        }
        try house.stage.do("await-connection Cue\(number):out_1 multiroute:show.cue_1")
        try house.stage.do("frames 19200")
        try house.stage.do("unplug Cue\(number)")
        try house.stage.do("frames 9600")
      }
    }
    let samples = sound.channels[0]
    let rises = samples.indices.dropFirst(2_000).filter {
      samples[$0] != 0 && samples[$0 - 8..<$0].allSatisfy { $0 == 0 }
    }
    // The last rise of each cue is the one after its connections were removed.
    let starts = rises.map { $0..<min(samples.count, $0 + 4_000) }.filter {
      samples[$0].allSatisfy { $0 != 0 }
    }
    #expect(starts.count >= 5)
    for start in starts { expectWithoutRamp(sound, start) }
  }

  /// Expects that a cue, which counts its frames, begins without a ramp if it is heard within 0.1 s after its program has begun or has removed the
  /// connections. Later it is no new source any more. A start tells nothing if the server itself left out frames in it.
  private func expectWithoutRamp(_ sound: DeviceSound, _ start: Range<Int>) {
    let samples = sound.channels[0]
    let age = Int(samples[start.upperBound - 1] * 16_777_216) - (start.count - 1)
    let silence = samples[..<start.lowerBound].reversed().prefix { $0 == 0 }.count
    let isExcused = sound.continuity.stretches.contains {
      $0.overlaps(start.lowerBound - age..<start.upperBound)
    }
    guard min(age, silence) < 4_800, !isExcused else { return }
    // The mix moves a gain in blocks of eight frames.
    #expect(
      SignalCheck.breaks(inRamp: Array(samples[start].dropFirst(8))) == [],
      "a cue begins with a ramp, \(age) frames after its program and after \(silence) silent frames")
  }

  @Test("A source that already plays when it is connected begins with a ramp")
  func ramp() async throws {
    let house = try await House(Self.cues, programs: ["source Band 2 sine 997 -20"])
    try house.freewheel()
    let sound = try house.hear {
      try house.surface.send("/session/show/stream/cue/from", "Band:out_*")
      try house.stage.do("wait-signal \"USB Interface\" 1 -40")
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
    try house.stage.do("wait-signal Headphones 1 -40")
    #expect(house.router.terminate().code == 0)
    try house.stage.expectLeft(["Speaker:playback_2"], at: "Player:out_2")
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
    try stage.expectLeft(["Microphone:capture_1"], at: "Phone:in_1")
  }

  @Test("Cables of other ports of a session's program are named, and programs of no session are listed")
  func pastTheRouter() async throws {
    let house = try await House(Self.guest, programs: ["source Phone 4 silence", "source Game 2 silence"])
    try house.surface.send("/session/guest/stream/main/from", "Phone:out_1", "Phone:out_2")
    try house.connect("Phone:out_4", to: "Speaker:playback_1")
    try house.connect("Game:out_1", to: "Speaker:playback_2")
    let why = try ask(house, "/session/guest/why") { $0.contains("directly") }
    #expect(why.contains("also heard directly at Speaker:playback_1"), "\(why)")
    let game: [[OSCArgument]] = [[0, 1, "Game", "Speaker:playback_2"]]
    #expect(try house.stage.ask({ try direct(house) }, until: { $0 == game }) == game)
    let status = try Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output
    #expect(
      status.contains("PAST THE ROUTER\nGame plays at Speaker:playback_2 and belongs to no session"),
      "\(status)")
    try house.stage.do("unplug Game")
    let none: [[OSCArgument]] = [[0, 0]]
    #expect(try house.stage.ask({ try direct(house) }, until: { $0 == none }) == none)
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
    why = try ask(house, "/session/show/why") { $0.hasPrefix("silent") }
    #expect(why.hasPrefix("silent: no program is connected to show"), "\(why)")
  }
}
