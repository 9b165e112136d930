import Foundation
import OSC
import TestKit
import Testing

/// The meters that outputs ask for, over OSC, at a server that freewheels and then runs in real time.
@Suite struct OutputMeterTests {
  /// A tone in both channels of the headphones, which ask for all meters. The USB interface asks for none.
  private static let show = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"], "channels": 4, "ceiling": 0 },
      "headphones": { "type": "headphones", "outputs": ["Headphones:playback_*"], "channels": 2,
        "meters": ["ppm", "rms", "loudness", "truePeak", "correlation"] } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
      "streams": { "tone": { "channels": 2, "from": ["Tone:out_*"], "to": { "headphones": 0, "usb:1-2": 0 } } } } } }
    """

  /// Waits for readings of the headphones near some values.
  private func expect(
    _ house: House, _ leaf: String, _ values: [Float], within limit: Float = 0.1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      try house.surface.wait(for: "/meter/output/headphones/\(leaf)") { message in
        let heard = message.arguments.map { if case .float(let value) = $0 { value } else { Float.nan } }
        return heard.count == values.count && zip(heard, values).allSatisfy { abs($0 - $1) <= limit }
      }
    }
  }

  private func threads(_ house: House) throws -> [String] {
    let tasks = "/proc/\(house.router.child.identifier)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).map {
      try String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  @Test(
    "Each meter shows what the output plays: a stereo tone of 1 kHz at -23 dBFS has -23 LUFS (EBU Tech 3341, case 1)"
  )
  func tone() async throws {
    let house = try await House(Self.show, programs: ["source Tone 2 sine 1000 -23"])
    try house.surface.subscribe("/meter/output/{headphones,usb}")
    try house.freewheel()
    try house.stage.do("frames 960000")
    try house.realTime()
    for leaf in ["loudness/momentary", "loudness/short", "loudness/integrated"] { expect(house, leaf, [-23]) }
    expect(house, "ppm", [-23, -23])
    expect(house, "rms", [-26.01, -26.01])
    expect(house, "truePeak", [-23, -23], within: 0.2)
    expect(house, "truePeakMax", [-23, -23], within: 0.2)
    expect(house, "correlation", [1], within: 0.001)
    #expect(try threads(house).filter { $0 == "mr-meter" }.count == 1)
    // The peak is there as before, and the output that asks for none has nothing else.
    #expect(throws: Never.self) {
      try house.surface.wait(for: "/meter/output/usb") { $0.arguments.count == 4 }
    }
    #expect(house.surface.takeInbox().allSatisfy { !$0.address.hasPrefix("/meter/output/usb/") })

    try house.surface.send("/output/headphones/polarity", "2")
    expect(house, "correlation", [-1], within: 0.001)
    try house.surface.send("/session/show/gain", -10.0)
    try house.freewheel()
    try house.stage.do("frames 192000")
    try house.surface.send("/meter/output/headphones/reset")
    try house.stage.do("frames 192000")
    try house.realTime()
    expect(house, "loudness/integrated", [-33])
    expect(house, "loudness/short", [-33])
    expect(house, "truePeakMax", [-33, -33], within: 0.2)

    // An output may ask for less, and then has less.
    try house.surface.send("/output/headphones/meters", "ppm")
    try house.surface.sync()
    _ = try house.surface.takeAll()
    expect(house, "ppm", [-33, -33])
    #expect(try house.surface.value("/meter/output/headphones/ppm") != .float(-160))
    let refusal = #expect(throws: ControlSurface.Refusal.self) {
      try house.surface.value("/meter/output/headphones/loudness/short")
    }
    #expect(refusal?.sentence == "headphones does not ask for loudness; add it to /output/headphones/meters")
  }

  @Test("A PPM measures only while a client subscribes to meters")
  func watched() async throws {
    let house = try await House(Self.show, programs: ["source Tone 2 sine 1000 -23"])
    let ppm = "/meter/output/headphones/ppm"
    try house.surface.send("/output/headphones/meters", "ppm")
    try house.surface.sync()
    #expect(try house.surface.send("/get", .string(ppm)) == [-160.0, -160.0])
    try house.surface.subscribe(ppm)
    expect(house, "ppm", [-23, -23])
    try house.surface.tell("/unsubscribe", .string(ppm))
    let end = ContinuousClock.now + .seconds(20)
    while try house.surface.send("/get", .string(ppm)) != [-160.0, -160.0], .now < end {}
    #expect(try house.surface.send("/get", .string(ppm)) == [-160.0, -160.0])
  }

  @Test("A show whose outputs ask for no meters has no thread for them")
  func none() async throws {
    let house = try await House()
    try house.surface.subscribe("/meter/output/*")
    try house.surface.wait(for: "/meter/output/usb")
    #expect(try !threads(house).contains("mr-meter"))
    let refusal = #expect(throws: ControlSurface.Refusal.self) {
      try house.surface.send("/output/headphones/meters", "ppm", "lowdness")
    }
    #expect(refusal?.sentence == "there is no meter 'lowdness'; did you mean 'loudness'?")
  }
}
