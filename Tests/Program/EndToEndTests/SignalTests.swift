import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// The effects of signals on a running router.
@Suite struct SignalTests {
  @Test("SIGTERM and SIGINT fade out and end with 0 within a second", arguments: [SIGTERM, SIGINT])
  func fadesOut(signal: Int32) async throws {
    let house = try await House()
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    var end: (code: Int32?, seconds: Double) = (nil, .infinity)
    let usb = try house.hear { end = house.router.terminate(by: signal) }
    #expect(end.code == 0)
    #expect(end.seconds < 1)
    usb.gain(of: 0, against: 3).expectMove(from: 1, to: 0, frames: 2_400)
    // The server removes the ports of a client that has left a moment after the client's end.
    let ports = try house.stage.ask({ try house.stage.names("ports").filter { $0.hasPrefix("multiroute:") } })
    { $0.isEmpty }
    #expect(ports.isEmpty)
  }

  @Test("SIGHUP reads the preset again, and a broken one changes nothing")
  func rereads() async throws {
    let house = try await House()
    let (surface, router) = (house.surface, house.router)
    try surface.subscribe("/event/*")
    try surface.send("/output/headphones/gain", -3.0)
    try surface.send("/preset/fade", 0.0)
    try house.folder.write(
      House.show.replacing("\"usb:1-2\": 0", with: "\"usb:1-2\": -12").replacing(
        "\"show\": {", with: "\"more\": { \"category\": \"playback\" }, \"show\": {"), to: "show.json")
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "reloaded") != nil)
    #expect(try surface.number("/session/show/stream/band/to/usb/gain") == -12)
    #expect(try surface.event("session") == ["more", "created"])
    // Settings that the preset does not contain stay.
    #expect(try surface.number("/output/headphones/gain") == -3)
    #expect(try surface.number("/session/show/active") == 1)
    _ = try surface.takeAll()

    try house.folder.write(House.show.replacing("\"usb:1-2\": 0", with: "\"usb:1-9\": -20"), to: "show.json")
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "usb has 4 channels") != nil)
    #expect(router.child.errors.line(containing: "nothing was changed") != nil)
    #expect(try surface.number("/session/show/stream/band/to/usb/gain") == -12)
    let told = try surface.takeAll().filter(\.isEventOfTheLaw)
    #expect(told.isEmpty, "\(told)")
  }

  @Test("A second SIGINT ends at once, even if the server hangs")
  func secondInterrupt() async throws {
    let house = try await House()
    let child = house.router.child
    let server = try #require(house.server.server.processIdentifier)
    kill(server, SIGSTOP)
    defer { kill(server, SIGCONT) }
    // Signals that arrive before the first is handled merge with it, so the test sends more until the router ends.
    var code: Int32?
    let end = ContinuousClock.now + .seconds(10)
    while code == nil, ContinuousClock.now < end {
      child.send(signal: SIGINT)
      code = child.wait(seconds: 0.02)
    }
    #expect(code == -SIGINT)
  }

  @Test("A FIFO as preset is refused by name at once, because a program that writes it may never come")
  func presetIsNoFile() throws {
    let folder = try TemporaryFolder()
    let preset = folder.file("show.json")
    #expect(mkfifo(preset, 0o600) == 0)
    let result = try Program.run(
      ["run", preset, "--server", "mrtest-absent", "--config", "none", "--osc", "127.0.0.1:0"], in: folder)
    #expect(result.code != 0)
    #expect(result.errors.contains("show.json") && result.errors.contains("FIFO"), "\(result.errors)")
  }

  @Test("SIGTERM ends a router soon although the server of --start-server never answers")
  func startWaitsForServer() throws {
    let folder = try TemporaryFolder()
    let started = folder.file("started")
    #expect(mkfifo(started, 0o600) == 0)
    // The program keeps the FIFO open, so that its end can be read.
    try folder.writeScript("#!/bin/sh\nexec 9> \(started)\necho up >&9\nexec sleep 100\n", to: "jackd")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let child = try Program.start(
      ["run", "--start-server", "--server", "mrtest-absent", "--config", "none", "--osc", "127.0.0.1:0"],
      in: folder, environment: ["PATH": "\(folder.file("")):\(path)"])
    let end = try #require(FileHandle(forReadingAtPath: started))
    #expect(end.availableData == Data("up\n".utf8))
    let start = Date()
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 10) == 0)
    // Of the second that an end may take, the router gives 0.6 s to its start; beside other suites the rest may be too short.
    #expect(-start.timeIntervalSinceNow < 2)
    // Returns when the program has ended, too.
    #expect(try end.readToEnd() ?? Data() == Data())
  }

  @Test("With --start-server the router starts its own server, and ends it when it ends")
  func startsServer() async throws {
    // The test provides the name and place; the router starts the server.
    let place = try await PrivateServer()
    place.server.stop()
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: nil, server: place.name, in: folder, flags: ["--start-server"])
    #expect(router.child.errors.text.contains("started a dummy JACK server"))
    do {
      let stage = try StageProcess(server: place.name)
      try stage.do("device Headphones 2 0")
      let surface = try ControlSurface(port: router.port)
      #expect(try surface.send("/output/list").count > 0)
    }
    #expect(router.terminate().code == 0)
    #expect(!place.server.answers)
  }

  @Test("A server of --start-server that dies is started again, and still ends with the router")
  func restartsServer() async throws {
    let place = try await PrivateServer()
    place.server.stop()
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: nil, server: place.name, in: folder, flags: ["--start-server"])
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/media")
    for _ in 1...2 {
      let server = try #require(ServerPlaces().taken.first { $0.server == place.name })
      #expect(kill(server.process, SIGKILL) == 0)
      #expect(try surface.event("media") == ["lost"])
      #expect(try surface.event("media", seconds: 10) == ["reset"])
      #expect(router.child.errors.line(containing: "has ended") != nil)
      #expect(router.child.errors.line(containing: "started a dummy JACK server") != nil)
    }
    #expect(router.terminate().code == 0)
    #expect(!place.server.answers)
  }

  @Test("The events file has one JSON object per event, in order, and one for each setting that came to rest")
  func eventFile() async throws {
    let folder = try TemporaryFolder()
    let house = try await House(flags: ["--events", folder.file("events.jsonl")])
    try house.surface.send("/session/create", "more", "playback")
    try house.surface.send("/session/more/name", "Mehr \"Töne\"")
    try house.surface.send("/session/more/active", 1)
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/session/show/gain", 99) }
    try house.surface.send("/session/more/fader/fade", 0.5, 0.2)
    // The policy thread waits until the fader has been at rest for a second.
    let settled = #""set": "/session/more/gain""#
    let patience = ContinuousClock.now + .seconds(20)
    func text() throws -> String { try String(contentsOfFile: folder.file("events.jsonl"), encoding: .utf8) }
    while try !text().contains(settled), ContinuousClock.now < patience { try house.stage.do("frames 4800") }
    let gain = try Double(house.surface.number("/session/more/gain"))
    #expect(house.router.terminate().code == 0)
    let lines = try text().split(separator: "\n")
    var serial = 0
    var names: [String] = []
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let arguments = try #require(object["arguments"] as? [Any])
      #expect((object["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
      guard object["set"] == nil else {
        #expect((object["client"] as? String)?.hasPrefix("127.0.0.1:") == true)
        if line.contains(settled) { #expect(try abs(#require(arguments.first as? Double) - gain) < 0.001) }
        continue
      }
      serial += 1
      #expect(arguments.first as? Int == serial)
      names.append(try #require(object["event"] as? String))
    }
    for name in ["/event/media", "/event/port", "/event/session", "/event/active", "/event/error"] {
      #expect(names.contains(name), "\(name)")
    }
  }
}
