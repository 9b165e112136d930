import TestKit
import Testing

/// Headphones and a program that go and come twenty times in two seconds, while somebody else's interface is listened to.
///
/// Both are JACK clients of their own that disappear and appear. The band at the interface counts frames.
final class HotplugStorm {
  private static let plugs = 20
  /// Frames from one change to the next: twenty times in and out take two seconds then, with the time that JACK itself needs.
  private static let pause = 240

  /// The main job, and a session that follows the last one in, but never to the interface.
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
    try house.cable()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90 5")
  }

  /// Storms so often; the headphones are out at the end of every second storm, and in at the end of the others.
  ///
  /// Where samples are missing after a storm in which the server reported an xrun, that is not the router's doing unless it happens
  /// again: such a storm is repeated.
  func expectCalm(storms: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for storm in 0..<storms {
      let endsPlugged = storm.isMultiple(of: 2)
      var outcome = try rage(endingPlugged: endsPlugged)
      for _ in 0..<3 where outcome.difference != nil && outcome.hasXruns {
        outcome = try rage(endingPlugged: endsPlugged)
      }
      #expect(
        outcome.difference == nil, "first sample that the interface lost, storm \(storm)",
        sourceLocation: sourceLocation)
      try expectRight("storm \(storm)", sourceLocation: sourceLocation)
    }
  }

  /// One storm; where the interface heard anything but the band, and whether the server reported an xrun.
  private func rage(endingPlugged: Bool) throws -> (difference: Int?, hasXruns: Bool) {
    let before = try house.surface.counters()["xruns"]
    let usb = try house.hear(allowingJumps: true) {
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
    return (SignalCheck.firstDifference(usb[0], usb[3]), try house.surface.counters()["xruns"] != before)
  }

  private func change(_ client: String, isPlugged: Bool) throws {
    try house.stage.do("\(isPlugged ? "replug" : "unplug") \(client)")
  }

  /// Expects that every session has the right route and is heard there, and that no port is connected twice.
  private func expectRight(_ storm: String, sourceLocation: SourceLocation) throws {
    let (stage, surface) = (house.stage, house.surface)
    try stage.do("wait-signal \(isPlugged ? "Headphones" : "Speaker") 1 -30 5")
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
