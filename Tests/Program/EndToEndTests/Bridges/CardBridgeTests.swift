import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// A second card through zita-j2a. A script replaces zita-j2a: it starts a device of the `stage` program, or refuses.
@Suite struct CardBridgeTests {
  private let house: House
  private let tools: TemporaryFolder

  private static let preset = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"], "channels": 4 },
      "second": { "type": "usbAudio", "channels": 2, "bridge": { "tool": "zita-j2a", "device": "hw:Second" } } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0, "second": 0 } } } } } }
    """

  /// Makes the script refuse the card, by creating a file with the name `refuse`.
  init() async throws {
    tools = try TemporaryFolder()
    try tools.write("", to: "refuse")
    try tools.writeScript(
      """
      #!/bin/sh
      folder='\(tools.path)'
      [ -e "$folder/refuse" ] && { echo "Can't open ALSA playback device '$4'." >&2; exit 1; }
      echo $$ > "$folder/pid"
      mkfifo "$folder/lines.$$"
      exec 3<> "$folder/lines.$$"
      echo "device $2 $8 0" >&3
      exec '\(ChildProcess.product("stage"))' --server "$JACK_DEFAULT_SERVER" <&3
      """, to: "zita-j2a")
    house = try await House(
      Self.preset, programs: ["source Band 2 ramp"], flags: ["--bridge-path", tools.path])
  }

  private func allow() throws { try FileManager.default.removeItem(atPath: tools.file("refuse")) }

  private func pid() throws -> Int32 {
    let text = try String(contentsOfFile: tools.file("pid"), encoding: .utf8)
    return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Starts the card and waits until sound arrives there.
  private func start() throws {
    try house.surface.subscribe("/event/port")
    try allow()
    #expect(try house.surface.event("port") == ["out", "second", 1])
    try house.stage.do("await-connection multiroute:to-second_2 j2a-second:playback_2")
  }

  @Test("If a card cannot be opened, the router reports the reason and waits; later the card plays")
  func refusal() throws {
    let (surface, router) = (house.surface, house.router)
    let reason = "zita-j2a ended with 1: Can't open ALSA playback device 'hw:Second'."
    let text = try surface.text("/output/second/bridge")
    #expect(text.hasPrefix(reason + "; next try after ") || text == "zita-j2a runs", "\(text)")
    #expect(try surface.number("/output/second/available") == 0)
    #expect(router.child.errors.text.contains("second: \(reason)"))
    try start()
    #expect(try surface.text("/output/second/bridge") == "zita-j2a runs")
    #expect(try surface.text("/session/show/route").hasSuffix(" out:usb,second"))
    let status = try Program.run(["status", "--to", "127.0.0.1:\(router.port)"]).output
    #expect(status.contains("zita-j2a runs"), "\(status)")
    // The router has tried several times and reported once.
    #expect(router.child.errors.text.ranges(of: reason).count == 1)
  }

  @Test("A bridge that dies is started again and plays again, and the other output loses no sample")
  func death() throws {
    try start()
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    let first = try pid()
    let usb = try house.hear {
      kill(first, SIGKILL)
      #expect(try house.surface.event("port") == ["out", "second", 0])
      #expect(try house.surface.event("port") == ["out", "second", 1])
      try house.stage.do("await-connection multiroute:to-second_1 j2a-second:playback_1")
    }
    usb.expectSame(0, as: 3)
    #expect(try pid() != first)
  }

  @Test(
    "The bridge goes on when the same preset is read again, and is replaced when the preset names another card"
  )
  func recall() throws {
    try start()
    let first = try pid()
    house.router.child.send(signal: SIGHUP)
    #expect(house.router.child.errors.line(containing: "reloaded") != nil)
    try house.surface.sync()
    #expect(try pid() == first)
    #expect(try house.surface.number("/output/second/available") == 1)
    try house.folder.write(Self.preset.replacing("hw:Second", with: "hw:Third"), to: "show.json")
    house.router.child.send(signal: SIGHUP)
    #expect(try house.surface.event("port") == ["out", "second", 0])
    #expect(try house.surface.event("port") == ["out", "second", 1])
    #expect(try pid() != first)
  }

  @Test(
    "The bridge ends with the router, whether the router is stopped or killed", arguments: [SIGTERM, SIGKILL])
  func end(signal: Int32) throws {
    try start()
    let bridge = try pid()
    _ = house.router.terminate(by: signal)
    try house.stage.do("await-port j2a-second:playback_1 gone")
    #expect(!isAlive(bridge))
  }

  @Test("The bridge ends with the server and starts again when the server returns")
  func server() throws {
    try start()
    let first = try pid()
    for pattern in ["/event/media", "/output/second/bridge"] { try house.surface.subscribe(pattern) }
    house.server.server.kill()
    #expect(try house.surface.event("media") == ["lost"])
    try house.surface.event("port") { $0 == ["out", "second", 0] }
    try house.surface.wait(for: "/output/second/bridge") {
      $0.arguments == ["zita-j2a waits for the audio server"]
    }
    try house.server.server.start()
    #expect(try house.surface.event("media") == ["reset"])
    try house.surface.event("port", seconds: 10) { $0 == ["out", "second", 1] }
    #expect(try pid() != first)
    #expect(!isAlive(first))
  }
}
