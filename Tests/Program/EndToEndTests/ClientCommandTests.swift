import Encoders
import Foundation
import OSC
import SoundFiles
import TestKit
import Testing

/// The client commands and other people's OSC programs against a running router.
@Suite struct ClientCommandTests {
  @Test("Send applies and prints a value, get reads one, ports and status report, and refusals end with 1")
  func commands() async throws {
    let house = try await House()
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    func run(_ arguments: String...) throws -> Program.Result { try Program.run(arguments + to) }
    #expect(try run("send", "/output/usb/gain", "-6").output == "-6.0")
    #expect(try run("get", "/output/usb/gain").output == "-6.0")
    #expect(try run("get", "/output/*/gain").output.split(separator: "\n").count == 3)
    #expect(try run("send", "/session/show/stream/band/route", "usb:3-4").output == "usb:3-4")
    // A number is clamped, and the applied value printed.
    #expect(try run("send", "/ramp", "9").output == "1.0")
    let refused = try run("send", "/output/usb/gain", "11")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("outOfRange"), "\(refused.errors)")
    #expect(try run("get", "/output/usb/gain").output == "-6.0")
    let unknown = try run("get", "/output/usb/gian")
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("unknownAddress"))
    let ports = try run("ports")
    for word in ["usb", "usbAudio", "headphones", "mic", "named by the preset"] {
      #expect(ports.output.contains(word))
    }
    let status = try run("status")
    for word in ["show", "multiRoute", "heard at", "usb"] {
      #expect(status.output.contains(word), "\(status.output)")
    }
    let json = try run("status", "--json")
    #expect((try JSONSerialization.jsonObject(with: Data(json.output.utf8))) is [String: Any])
    let watch = try Program.start(["watch", "/output/usb/mute"] + to, in: house.folder)
    #expect(watch.output.line(containing: "/output/usb/mute 0") != nil)
    try house.surface.send("/output/usb/mute", 1)
    #expect(watch.output.line(containing: "/output/usb/mute 1") != nil)
    watch.send(signal: SIGINT)
    #expect(watch.wait() == 0)
    for signal in [SIGINT, SIGTERM] {
      let status = try Program.start(["status", "--watch"] + to, in: house.folder)
      #expect(status.output.line(containing: "show") != nil)
      status.send(signal: signal)
      #expect(status.wait() == 0)
    }
  }

  @Test("Send and record end with 1 and the reason if a recorder's or player's file cannot be made or read")
  func orders() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let preset = try folder.write(
      """
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:playback_*"] } },
        "sessions": { "s": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
          "streams": { "m": { "channels": 2, "to": { "usb": 0 } } } } },
        "players": { "good": { "session": "s", "stream": "m", "queue": ["good.wav"] },
          "bad": { "session": "s", "stream": "m", "queue": ["bad.wav"] } },
        "recorders": { "tape": { "source": "session:s" } } }
      """, to: "show.json")
    let media = folder.file("media")
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
    for name in ["good", "bad"] { try CountedSound.sound(0..<48_000).write(path: "\(media)/\(name).wav") }
    let router = try RouterProcess(
      preset: preset, server: server.name, in: folder, flags: ["--media", media], owners: [server])
    let to = ["--to", "127.0.0.1:\(router.port)"]
    // Something that is no folder has the name of the folder of recordings.
    try Data().write(to: URL(filePath: "\(media)/recordings"))
    for command in [["send", "/recorder/tape/record"], ["record", "tape", "--start"]] {
      let refused = try Program.run(command + to)
      #expect(refused.code == 1)
      #expect(refused.errors.contains("io (15): recorder tape: cannot write"), "\(refused.errors)")
    }
    try FileManager.default.removeItem(atPath: "\(media)/recordings")
    #expect(try Program.run(["send", "/recorder/tape/record"] + to).code == 0)
    #expect(try Program.run(["send", "/recorder/tape/record"] + to).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(media)/recordings").count == 1)
    try Data("no sound".utf8).write(to: URL(filePath: "\(media)/bad.wav"))
    let broken = try Program.run(["send", "/player/bad/play"] + to)
    #expect(broken.code == 1 && broken.errors.contains("bad cannot play bad.wav"), "\(broken.errors)")
    for order in ["prepare", "prepare", "play", "play"] {
      #expect(try Program.run(["send", "/player/good/\(order)"] + to).code == 0)
    }
    _ = router.terminate()
  }

  @Test("oscsend turns a level, and oscdump hears the feedback it subscribed to")
  func strangers() async throws {
    let house = try await House()
    let port = try UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
    let dump = try ChildProcess("stdbuf", ["-oL", "oscdump", "\(port)"])
    // oscdump does not print that it is ready, so the test sends until oscdump prints a message.
    let greeting = try OSCClient(port: port)
    while dump.output.line(containing: "/ready", seconds: 0.1) == nil {
      try? greeting.send(OSCMessage("/ready", []))
    }
    try house.surface.tell("/subscribe", "/output/usb/gain", 30.0, .int32(Int32(port)))
    #expect(dump.output.line(containing: "/snapshot/end") != nil, "\(dump.output.text)")
    let send = try ChildProcess(
      "oscsend", ["127.0.0.1", "\(house.router.port)", "/output/usb/gain", "f", "-12"])
    #expect(send.wait() == 0)
    #expect(dump.output.line(containing: "/output/usb/gain f -12.0") != nil, "\(dump.output.text)")
    #expect(try house.surface.number("/output/usb/gain") == -12)
    dump.send(signal: SIGTERM)
    _ = dump.wait()
  }

  @Test("A router with several addresses answers from the address at which a message arrived")
  func severalAddresses() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: nil, server: server.name, in: folder, flags: ["--osc", "127.0.0.1:0", "--osc", "127.0.0.2:0"],
      owners: [server])
    // The last port of the line is that of the second address.
    let words = router.child.errors.text.split(whereSeparator: { " ,=".contains($0) })
    let first = try #require(words.first { $0.hasPrefix("127.0.0.1:") }.flatMap { UInt16($0.dropFirst(10)) })
    let surfaces = [
      try ControlSurface(port: first), try ControlSurface(host: "127.0.0.2", port: router.port),
      try ControlSurface(port: first),
    ]
    for surface in surfaces { try surface.subscribe("/ramp") }
    for round in 0..<3 {
      for surface in surfaces {
        #expect(try surface.send("/ping", .int32(Int32(round))) == [.int32(Int32(round))])
      }
    }
    try surfaces[0].send("/ramp", 0.25)
    for surface in surfaces { try surface.wait(for: "/ramp") { $0.arguments == [0.25] } }
  }
}
