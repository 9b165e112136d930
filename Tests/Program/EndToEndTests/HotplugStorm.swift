import TestKit
import Testing

/// Headphones and a program that disappear and return twenty times in two seconds, while a test records another interface.
///
/// Both are JACK clients of their own that disappear and appear. The band at the interface counts frames.
final class HotplugStorm {
  private static let plugs = 20
  /// Frames from one change to the next: twenty times in and out take two seconds then, with the time that JACK itself needs.
  private static let pause = 240

  /// The main job, and a session that plays at the device that was plugged in last, but never at the interface.
  private static let preset = House.show.replacing(
    "\"sessions\": {",
    with: """
      "sessions": {
      "music": { "category": "playback", "options": ["mixWithOthers"], "activate": "start", "unplug": "continue",
        "streams": { "main": { "channels": 1, "from": ["Choir:out_1"], "never": ["usb"] } } },
      """)

  private let house: House
  private var isPlugged = true

  init() async throws {
    house = try await House(
      Self.preset,
      programs: ["source Band 2 ramp", "source Metronome 1 sine 400 -20", "source Choir 1 sine 700 -20"],
      // JACK itself needs several periods for each change.
      period: 512)
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
  }

  /// Runs several storms. The headphones are unplugged at the end of every second storm, and plugged in at the end of the others.
  func expectCalm(storms: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for storm in 0..<storms {
      let usb = try rage(endingPlugged: storm.isMultiple(of: 2))
      usb.expectSame(
        0, as: 3, "first sample that the interface lost, storm \(storm)", sourceLocation: sourceLocation)
      try expectRight("storm \(storm)", sourceLocation: sourceLocation)
    }
  }

  /// One storm, and the sound of the interface during the storm.
  private func rage(endingPlugged: Bool) throws -> DeviceSound {
    try house.hear {
      for plug in 0..<Self.plugs {
        for isSecond in [false, true] {
          try change("Headphones", isPlugged: isSecond == isPlugged)
          if plug.isMultiple(of: 5) { try change("Choir", isPlugged: isSecond) }
          try house.stage.do("frames \(Self.pause)")
        }
      }
      if isPlugged != endingPlugged { try change("Headphones", isPlugged: endingPlugged) }
      isPlugged = endingPlugged
    }
  }

  private func change(_ client: String, isPlugged: Bool) throws {
    try house.stage.do("\(isPlugged ? "replug" : "unplug") \(client)")
  }

  /// Expects that every session has the right route and is heard there, and that no port is connected twice.
  private func expectRight(_ storm: String, sourceLocation: SourceLocation) throws {
    let (stage, surface) = (house.stage, house.surface)
    try stage.do("wait-signal \(isPlugged ? "Headphones" : "Speaker") 1 -30")
    try stage.do("frames 9600")
    let routes = try ["show", "music"].map { try surface.text("/session/\($0)/route") }
    let expected =
      isPlugged
      ? ["in:line out:usb,headphones", "in:none out:headphones"] : ["in:line out:usb", "in:none out:speaker"]
    #expect(routes == expected, "\(storm)", sourceLocation: sourceLocation)
    func tone(_ device: String, _ frequency: Int) throws -> Double {
      try stage.value("tone", of: "level \(device) 1 \(frequency) 0.1").rounded()
    }
    if isPlugged {
      #expect(try tone("Headphones", 400) == -20, "\(storm)", sourceLocation: sourceLocation)
      #expect(try tone("Headphones", 700) == -20, "\(storm)", sourceLocation: sourceLocation)
    }
    #expect((try tone("Speaker", 700) == -20) != isPlugged, "\(storm)", sourceLocation: sourceLocation)
    for port in try stage.names("ports") where port.hasPrefix("multiroute:") {
      let others = try stage.names("connections \(port)")
      #expect(
        others.count <= 1, "\(port) is connected to \(others), \(storm)", sourceLocation: sourceLocation)
    }
    for channel in isPlugged ? [1, 2] : [] {
      let others = try stage.names("connections Headphones:playback_\(channel)")
      #expect(others == ["multiroute:to-headphones_\(channel)"], "\(storm)", sourceLocation: sourceLocation)
    }
  }
}
