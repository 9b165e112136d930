import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// Event reports of a router at a real server, over OSC and in the events file (docs/operate/health.md#event-reports).
@Suite struct EventReportTests {
  @Test(
    "Pulled headphones, a call, an output's fader and a new category are reported over OSC and in the file")
  func reports() async throws {
    let folder = try TemporaryFolder()
    let house = try await House(
      House.preset(
        """
        "music": { "category": "playback", "activate": "start",
          "streams": { "main": { "channels": 2, "from": ["Band:out_*"] } } }
        """), flags: ["--events", folder.file("events.jsonl")])
    let surface = house.surface
    try surface.subscribe("/event/*")
    func report(_ key: String) throws -> [OSCArgument] {
      try surface.event("report") { $0[1] == .string(key) }
    }
    try surface.send("/session/music/output/preferred", "headphones")
    try surface.send("/session/music/unplug", "continue")
    #expect(try report("OutputDeviceChange") == ["music", "OutputDeviceChange", "Headphones"])
    try house.stage.do("unplug Headphones")
    let pulled = try report("OutputDeviceChange")
    #expect(pulled.first == "music" && pulled.last != "Headphones")
    try surface.send("/interruption/begin", "phone")
    #expect(try report("audioInterruptionBegin") == ["music", "audioInterruptionBegin", "0"])
    try surface.send("/interruption/end", "phone")
    #expect(try report("audioInterruptionEnd").last == "1")
    let route = try surface.text("/session/music/route")
    let output = try #require(route.split(separator: ":").last.map(String.init), "\(route)")
    for level in [-1.0, -2, -3] as [Float] { try surface.send("/output/\(output)/gain", .float(level)) }
    // The fader is at 0.675 of its travel; only where it comes to rest is reported.
    #expect(try report("SystemVolumeChange") == ["music", "SystemVolumeChange", "68"])
    try surface.send("/session/music/category", "ambient")
    #expect(try report("CategoryChange").last == "AVAudioSessionCategoryAmbient")

    // A report has the serial number after its event, and the file has the same lines as the router.
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    let live = try Program.run(["events", "--json"] + to).output.split(separator: "\n").map(String.init)
    #expect(house.router.terminate().code == 0)
    let file = try Program.run(["events", folder.file("events.jsonl"), "--json"])
    let written = file.output.split(separator: "\n").map(String.init)
    #expect(live.count > 10 && live.allSatisfy(written.contains))
    let index = try #require(live.firstIndex { $0.contains("\"OutputDeviceChange\"") })
    #expect(live[index - 1].contains("\"/event/route\""))
    let person = try Program.run(["events", folder.file("events.jsonl"), "--kind", "CategoryChange"]).output
    #expect(person.contains("report of music: CategoryChange AVAudioSessionCategoryAmbient"), "\(person)")
    #expect(person.split(separator: "\n").count == 1)
  }

  @Test(
    "A killed server and one that returns with another rate are reported, and the changed rate is an alarm")
  func server() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let stage = try server.stage()
    for device in House.devices { try stage.do(device) }
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    server.server.kill()
    func report(_ key: String) throws -> [OSCArgument] {
      try surface.event("report", seconds: 20) { $0[1] == .string(key) }
    }
    #expect(try report("audioMediaServicesWereLost") == ["", "audioMediaServicesWereLost", "2"])
    let alarm = try surface.event("health", seconds: 10) { $0[0] == "server" }
    #expect(alarm[1] == 1)
    #expect(try surface.text("/health/state").contains("there is no audio server"))
    stage.kill()
    var settings = server.server.settings
    settings.sampleRate = 44_100
    let next = DummyServer(settings)
    try next.start()
    defer { next.stop() }
    let host = try server.stage()
    for device in House.devices { try host.do(device) }
    #expect(try report("audioMediaServicesWereReset").last == "3")
    #expect(try surface.event("health", seconds: 10) { $0[0] == "server" }[1] == 0)
    #expect(try report("PlayoutSampleRateChange") == ["show", "PlayoutSampleRateChange", "44100"])
    #expect(try surface.event("health", seconds: 10) { $0[0] == "rate" }[1] == 1)
    #expect(try surface.number("/health/rate/on") == 1)
  }
}
