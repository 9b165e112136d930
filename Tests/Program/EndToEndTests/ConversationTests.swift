import Foundation
import OSC
import TestKit
import Testing

/// How the router answers: the E rows of the vectors over each transport, and over UDP bundles, requests, subscriptions, events and errors.
@Suite struct ConversationTests {
  @Test("Every kind of well-formed packet is understood", arguments: ["udp", "tcp", "unix"])
  func encodings(transport: String) async throws {
    let house = try await House(flags: ["--osc", "127.0.0.1:0", "--osc", "tcp:127.0.0.1:0"])
    let places = [
      "udp": Endpoint.udp(host: "127.0.0.1", port: house.router.port),
      "tcp": .tcp(host: "127.0.0.1", port: house.router.tcpPort), "unix": .unix(path: house.router.socket),
    ]
    let surface = try ControlSurface(at: #require(places[transport]))
    func expectPong(_ bytes: [UInt8], _ arguments: [OSCArgument], _ row: String) throws {
      try surface.client.send(bytes: bytes)
      #expect(try surface.wait(for: "/pong").arguments == arguments, "\(row)")
    }
    // E3, E4: without arguments a set is a get, with or without type tags.
    for text in ["/output/usb/gain....,...", "/output/usb/gain...."] {
      try surface.client.send(bytes: Wire.text(text))
      #expect(try surface.wait(for: "/output/usb/gain").arguments == [0.0], "\(text)")
    }
    // E5: all types come back as they were sent.
    let all: [OSCArgument] = [
      .int32(7), .float(1), .string("st"), .int64(0x1_0000_0002),
      .timetag(OSCTimetag(seconds: 3, fraction: 4)),
      .double(1.5), .symbol("sym"), .character(0x41), .boolean(true), .boolean(false), .null, .impulse,
      .blob([1, 2, 3]), .colour(0x1122_3344), .midi(0x0590_3c7f),
    ]
    try expectPong(PacketEncoder.encode(OSCMessage("/ping", all)), all, "E5")
    // E6: arrays are flattened.
    try expectPong(
      Wire.text("/ping...,[i][[ss]][[i][i[s]]]..") + [0] + Wire.words(1) + Wire.text("a...b...")
        + Wire.words(2, 3) + Wire.text("c..."), [1, "a", "b", 2, 3, "c"], "E6")
    // E7: strings of every padding.
    for length in 0...4 {
      let text = OSCArgument.string(String(repeating: "x", count: length))
      try expectPong(PacketEncoder.encode(OSCMessage("/ping", text)), [text], "E7")
    }
    // E9: an empty bundle; E11, E12: any timetag is applied at once; bundles in bundles.
    try surface.client.send(bytes: Wire.bundle())
    for seconds: UInt32 in [0, 0xe13d_4254, 0xffff_ffff] {
      let ping = PacketEncoder.encode(OSCMessage("/ping", .int32(Int32(bitPattern: seconds))))
      try expectPong(
        Wire.bundle(Wire.bundle(ping, seconds: 9), seconds: seconds), [.int32(Int32(bitPattern: seconds))],
        "E12")
    }
    try expectPong(
      (0..<8).reduce(PacketEncoder.encode(OSCMessage("/ping", 8))) { bytes, _ in Wire.bundle(bytes) }, [8],
      "8 nested")
    // E10: bundles within bundles, in the order of time, for a client that asks for it.
    try surface.subscribe("/ramp")
    try surface.send("/client/timetags", "honour")
    let now = Date().timeIntervalSince1970
    func bundle(_ seconds: Double, _ number: Int32, _ inner: OSCPacket...) -> OSCPacket {
      let ping = OSCPacket.message(OSCMessage("/ping", .int32(number)))
      return .bundle(OSCBundle(timetag: OSCTimetag(unixTime: now + seconds), [ping] + inner))
    }
    try surface.client.send(bundle(0.6, 4, bundle(-1, 1), bundle(0.4, 3, bundle(0.2, 2))))
    for number in 1...4 as ClosedRange<Int32> {
      #expect(try surface.wait(for: "/pong").arguments == [.int32(number)], "E10")
    }
    // M22: far ahead.
    try surface.client.send(bundle(3_600, 5))
    #expect(try surface.wait(for: "/error").arguments.prefix(3) == ["#bundle", 13, "tooFar"])
    try surface.send("/client/timetags", "now")
    // A packet of exactly 8 KiB.
    let blob = OSCArgument.blob([UInt8](repeating: 1, count: 8_192 - 20))
    let large = PacketEncoder.encode(OSCMessage("/ping", 1, blob))
    #expect(large.count == 8_192)
    try expectPong(large, [1, blob], "8 KiB")
    #expect(try surface.takeAll().isEmpty)
  }

  @Test("M28: numbers, switches and texts of every type are accepted, and surplus arguments ignored")
  func coercions() async throws {
    let house = try await House()
    let surface = house.surface
    for (argument, value) in [
      (OSCArgument.int32(-6), -6.0), (.int64(-7), -7), (.double(-8.5), -8.5), (.boolean(true), 1),
      (.boolean(false), 0),
      ("-9.5", -9.5), ("off", -90), ("-inf", -90), (0.0, 0),
    ] {
      try surface.send("/output/speaker/gain", argument)
      #expect(try surface.number("/output/speaker/gain") == value, "\(argument)")
    }
    try surface.send("/output/speaker/gain", -3.0, "surplus", 5)
    #expect(try surface.number("/output/speaker/gain") == -3)
    for (argument, value) in [
      (OSCArgument.float(0.5), 1.0), (.float(0.4), 0), (.boolean(true), 1), ("off", 0), ("TRUE", 1),
      (.int32(0), 0),
    ] {
      try surface.send("/output/speaker/mute", argument)
      #expect(try surface.number("/output/speaker/mute") == value, "\(argument)")
    }
    try surface.send("/session/show/capture/channels", 1.6)
    #expect(try surface.value("/session/show/capture/channels") == 2)
    // Fader, gain and the gain's text are three forms of one value.
    try surface.send("/output/speaker/fader", 0.5)
    #expect(try surface.number("/output/speaker/gain") == -10)
    #expect(try surface.text("/output/speaker/gain/text") == "-10.0 dB")
  }

  @Test("A bundle is heard in one period, on all devices in the same frame, or not at all")
  func bundles() async throws {
    let house = try await House(programs: ["source Band 2 ramp", "source Metronome 1 ramp"])
    try house.connect()
    try house.connect("Metronome:out_1", to: "USB Interface:playback_3")
    try house.freewheel()
    let surface = house.surface
    let half = GainTrace.amplitude(-6)
    let heard = try house.hear(["USB Interface", "Headphones"]) {
      try surface.client.send(
        .bundle(
          OSCBundle([
            .message(OSCMessage("/session/show/stream/band/gain", -6.0)),
            .message(OSCMessage("/session/show/stream/click/gain", -6.0)), .message(OSCMessage("/ping", 1)),
          ])))
      try surface.wait(for: "/pong")
      try surface.sync()
      try house.stage.do("frames 20000")
    }
    let band = GainTrace(heard[0][0], of: heard[0][3])
    let click = GainTrace(heard[1][0], of: heard[0][2])
    band.expectMove(from: 1, to: half, frames: 960)
    #expect(band.move(from: 1, to: half)?.lowerBound == click.move(from: 1, to: half)?.lowerBound)

    let refused = try house.hear {
      try surface.client.send(
        .bundle(
          OSCBundle([
            .message(OSCMessage("/session/show/stream/band/gain", 0.0)),
            .message(OSCMessage("/session/show/stream/band/gain", 99.0)),
            .message(OSCMessage("/session/absent/gain", 0.0)),
            .message(OSCMessage("/output/usb/mute", 1)), .message(OSCMessage("/ping", 2)),
          ])))
      try surface.sync()
      try house.stage.do("frames 20000")
    }
    #expect(GainTrace(refused[0], of: refused[3]).gains.allSatisfy { GainTrace.equal($0, half) })
    let answers = try surface.takeAll()
    let errors = answers.filter { $0.address == "/error" }
    #expect(errors.map { $0.arguments[1] } == [4, 1], "\(errors)")
    // The sender gets the true value, because its display may be wrong. A get in a refused bundle gets no answer.
    #expect(answers.contains(OSCMessage("/session/show/stream/band/gain", -6.0)))
    #expect(!answers.contains { $0.address == "/pong" })
  }

  @Test("A sync is answered when the audio thread has adopted all earlier commands")
  func sync() async throws {
    let house = try await House()
    try house.surface.send("/ramp", 0.005)
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.freewheel()
    for isMuted in [1, 0, 1, 0, 1] as [Int32] {
      try house.surface.tell("/output/usb/mute", .int32(isMuted))
      try house.surface.sync()
      // A ramp of 240 frames is over within the period that adopted it.
      let samples = try house.hear {}[0]
      #expect(samples.allSatisfy { ($0 == 0) == (isMuted == 1) })
    }
  }

  @Test("A subscriber gets a snapshot with its count, then changes by others; a repeated request runs once")
  func subscription() async throws {
    let house = try await House()
    let (surface, other) = (house.surface, try ControlSurface(port: house.router.port))
    try surface.tell("/subscribe")
    let end = try surface.wait(for: "/snapshot/end")
    let snapshot = surface.inbox
    #expect(end.arguments[0] == "/*")
    #expect(end.arguments[1] == .int32(Int32(snapshot.count)))
    for address in [
      "/output/usb/gain", "/output/usb/fader", "/session/show/stream/band/route", "/system/panic", "/ramp",
    ] {
      #expect(snapshot.contains { $0.address == address }, "\(address)")
    }
    #expect(!snapshot.contains { $0.address.hasPrefix("/meter/output") || $0.address.hasSuffix("/list") })
    _ = try surface.takeAll()
    try other.send("/output/usb/gain", -10.0)
    try surface.wait(for: "/output/usb/gain") { $0.arguments == [-10.0] }
    try surface.wait(for: "/output/usb/fader") { $0.arguments == [0.5] }
    try surface.wait(for: "/output/usb/gain/text") { $0.arguments == ["-10.0 dB"] }
    try other.send("/session/show/stream/band/gain/fade", -20.0, 0.2)
    try surface.wait(for: "/session/show/stream/band/gain") { $0.arguments == [-20.0] }

    try surface.tell("/request", 77, "/output/usb/mute/toggle")
    try surface.wait(for: "/response") { $0.arguments.first == 77 }
    try surface.tell("/request", 77, "/output/usb/mute/toggle")
    #expect(try surface.wait(for: "/response") { $0.arguments.first == 77 }.arguments[1] == 0)
    #expect(try surface.number("/output/usb/mute") == 1)
    try surface.tell("/unsubscribe")
    _ = try surface.takeAll()
    try other.send("/output/usb/gain", -20.0)
    #expect(try surface.takeAll().isEmpty)
  }

  @Test(
    "A surface that reads 2,000 values in bursts gets every answer, while it sets faders and has feedback")
  func manyReads() async throws {
    let house = try await House()
    let surface = house.surface
    try surface.subscribe("/output")
    let addresses = [
      "/ramp", "/session/show/stream/band/gain", "/session/show/stream/band/mute", "/duck/level",
    ]
    for burst in 0..<20 as Range<Int32> {
      for index in 0..<100 {
        try surface.tell(addresses[index % addresses.count])
        if index.isMultiple(of: 10) { try surface.tell("/output/usb/gain", .float(-Float(index))) }
      }
      try surface.tell("/ping", .int32(burst))
      try surface.wait(for: "/pong") { $0.arguments == [.int32(burst)] }
    }
    let answers = surface.takeInbox().filter { addresses.contains($0.address) }
    #expect(answers.count == 2_000)
    #expect(answers.allSatisfy { !$0.arguments.isEmpty })
    #expect(try surface.counters()["overflow"] == 0)
  }

  @Test("Events are numbered without gaps, precede the answer to their cause, and can be replayed")
  func events() async throws {
    let house = try await House()
    let surface = house.surface
    try surface.subscribe("/event/*")
    try surface.tell("/request", 1_000, "/session/create", "more", "playback")
    try surface.wait(for: "/response") { $0.arguments.first == 1_000 }
    let created = try #require(surface.inbox.first { $0.address == "/event/session" })
    #expect(created.arguments.dropFirst() == ["more", "created"])
    try surface.send("/session/more/active", 1)
    #expect(try surface.event("active") == ["more", 1, "app"])
    try surface.send("/session/remove", "more")
    #expect(try surface.event("active") == ["more", 0, "app"])
    guard case .int32(let serial) = created.arguments[0] else { return }
    _ = try surface.takeAll()
    try surface.tell("/event/since", .int32(serial - 1))
    let replayed = try surface.takeAll()
    #expect(replayed.first == created)
    #expect(replayed.map { $0.arguments[0] } == replayed.indices.map { .int32(serial + Int32($0)) })
    try surface.tell("/event/since", 100_000)
    let lost = try surface.wait(for: "/event/lost")
    #expect(lost.arguments.first == 1)
  }

  @Test("Errors have the documented code, symbol and sentence")
  func errors() async throws {
    let house = try await House()
    let surface = house.surface
    try surface.send("/session/create", "announce", "playback")
    let table: [(Int32, String, String, [OSCArgument])] = [
      (1, "unknownAddress", "/nowhere", [1]), (1, "unknownAddress", "/output/absent/gain", [0.0]),
      (1, "unknownAddress", "/nothing/*", [0.0]), (2, "badType", "/output/usb/name", [1]),
      (3, "badValue", "/output/usb/mute", ["perhaps"]), (3, "badValue", "/session/show/category", ["loud"]),
      (4, "outOfRange", "/output/usb/gain", [10.5]),
      (4, "outOfRange", "/session/show/capture/channels", [65]),
      (5, "notFound", "/session/remove", ["absent"]), (6, "exists", "/session/create", ["show"]),
      (7, "readOnly", "/output/usb/available", [1]),
      (8, "denied", "/session/show/stream/click/route", ["speaker"]),
      (11, "noWildcard", "/session/*/stream/remove", ["band"]),
      (-50, "badParam", "/session/show/mode", ["moviePlayback"]),
      (-50, "badParam", "/session/announce/mode", ["voiceChat"]),
      (-50, "badParam", "/session/show/stream/band/route", ["usb:9"]),
      (-50, "badParam", "/session/show/stream/band/route", ["absent"]),
      (560_161_140, "!cat", "/session/announce/stream/main/route", ["usb"]),
    ]
    for (code, symbol, address, arguments) in table {
      try surface.client.send(OSCMessage(address, arguments))
      let answer = try surface.wait(for: "/error") { $0.arguments.first == .string(address) }
      #expect(
        Array(answer.arguments[1...2]) == [.int32(code), .string(symbol)],
        "\(address) \(arguments): \(answer)")
      #expect((answer.arguments[3].text ?? "").count > 10)
    }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/output/absent/gain", 0.0) }
    // So many errors that the last says how many are left out.
    _ = try surface.takeAll()
    for round in 0..<300 {
      try surface.tell("/nowhere", 1)
      if round % 50 == 49 { try surface.tell("/ping", .int32(Int32(round))); try surface.wait(for: "/pong") }
    }
    let flood = try surface.takeAll()
    #expect(flood.count <= 102, "\(flood.count)")
  }

  @Test("Meters show the level that is heard, and are sent only to subscribers")
  func meters() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 -12", "source Metronome 1 silence"])
    try house.stage.do("wait-signal \"USB Interface\" 1 -13")
    let surface = house.surface
    try surface.subscribe("/meter/output/usb")
    func close(_ message: OSCMessage, _ wanted: [Double]) -> Bool {
      message.arguments.count == wanted.count
        && zip(message.arguments, wanted).allSatisfy {
          if case .float(let value) = $0 { abs(Double(value) - $1) < 0.1 } else { false }
        }
    }
    let silence = -200.0
    let meter = try surface.wait(for: "/meter/output/usb") { message in
      close(OSCMessage(message.address, Array(message.arguments.prefix(2))), [-12, -12])
    }
    guard case .float(let third) = meter.arguments[2] else { return }
    #expect(Double(third) <= -90 && Double(third) >= silence)
    try surface.send("/output/usb/gain", -10.0)
    try surface.wait(for: "/meter/output/usb") {
      close(OSCMessage($0.address, Array($0.arguments.prefix(2))), [-22, -22])
    }
    let other = try ControlSurface(port: house.router.port)
    try other.subscribe("/meter/stream/show/band")
    // Before fader and mute.
    try other.send("/session/show/stream/band/mute", 1)
    try other.wait(for: "/meter/stream/show/band") { close($0, [-12, -12]) }
    try surface.wait(for: "/meter/output/usb") {
      if case .float(let value) = $0.arguments[0] { value <= -90 } else { false }
    }
  }
}
