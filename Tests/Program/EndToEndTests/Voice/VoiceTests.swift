import OSC
import SpeechSounds
import StageKit
import TestKit
import Testing

/// Voice modes on a real server, with a microphone beside a loudspeaker.
@Suite struct VoiceTests {
  @Test(
    "A guest hears the echo of the loudspeakers at least 30 dB lower from the third second on",
    arguments: [(delay: 1_440, playback: 800, capture: 500), (delay: 5_760, playback: 4_000, capture: 1_400)])
  func echo(room: (delay: Int, playback: Int, capture: Int)) async throws {
    let call = try await CallHouse(delay: room.delay, declared: (room.playback, room.capture))
    let surface = call.house.surface
    try call.await("working")
    try call.await(delay: room.playback + room.capture)
    try call.house.freewheel()
    let line = try call.hear(seconds: 10)
    let rest = 144_000..<470_000
    let (guest, desk) = (Decibels.level(line.guest[rest]), Decibels.level(line.desk[rest]))
    #expect(desk > -40 && desk - guest >= 30, "\(desk) dBFS at the microphone, \(guest) dBFS at the guest")
    try call.house.realTime()
    // The library estimates it: 1.x never more than 6 dB, whatever it takes away.
    let enhancement = try surface.number("/session/phone/voice/erle")
    #expect(enhancement > 3, "\(enhancement)")
    #expect(try surface.text("/session/phone/voice/state") == "working")
  }

  // How much it costs depends on which words meet. The tests of the library have always the same ones, and allow 6 dB.
  @Test("In double talk the voice at the microphone comes through")
  func doubleTalk() async throws {
    let call = try await CallHouse(keys: "\"voice\": { \"level\": false },")
    try call.await("working")
    try call.await(delay: 1_300)
    try call.house.freewheel()
    var near: [Float] = []
    let line = try call.hear(seconds: 11) {
      // The canceller learns the room while the guest speaks alone.
      try call.house.stage.do("frames 192000")
      near = try call.talk()
    }
    try call.house.realTime()
    let latency = Int((try call.house.surface.number("/session/phone/latency/in") * 48_000).rounded()) - 500
    let begin = try #require(line.desk.firstIndex { $0 > CallHouse.mark / 2 })
    let rest = 0..<min(near.count, line.guest.count - begin - latency)
    let heard = Likeness.level(of: near, in: line.guest, at: begin + latency, range: rest)
    let spoken = Likeness.level(of: near, in: line.desk, at: begin, range: rest)
    #expect(abs(spoken + 3.3) < 1, "the speech was not found: \(spoken) dB")
    #expect(heard - spoken >= -12, "\(heard - spoken) dB")
  }

  @Test("In every mode without voice processing the capture is the microphone, bit for bit")
  func otherModes() async throws {
    let call = try await CallHouse(mode: "measurement", guest: "silence")
    let (house, surface) = (call.house, call.house.surface)
    try house.stage.do("play Desk 1 ramp")
    try house.freewheel()
    var heard: Set<String> = []
    for mode in [
      "default", "videoRecording", "measurement", "moviePlayback", "spokenAudio", "voicePrompt",
      "shortFormVideo", "dualRoute",
    ] {
      // The law refuses some modes in this category; the mode before stays.
      _ = try? surface.send("/session/phone/mode", .string(mode))
      try surface.sync()
      try house.stage.do("frames 20000")
      heard.insert(try surface.text("/session/phone/mode"))
      #expect(try surface.text("/session/phone/voice/state") == "off")
      let line = try house.hear("Line") { try house.stage.do("frames 9600") }
      line.expectSame(0, as: 1, "\(mode)")
    }
    #expect(heard.isSuperset(of: ["default", "measurement", "videoRecording", "spokenAudio"]))
    #expect(
      try house.stage.value("maximum", of: "latency multiroute:phone.capture_1 capture") == 500)
    #expect(abs(try surface.number("/session/phone/latency/in") - 500.0 / 48_000) < 1e-6)
  }

  @Test("The capture has the latency that its port, the session and the sound say")
  func latency() async throws {
    let call = try await CallHouse(keys: "\"voice\": { \"level\": false },", guest: "silence")
    let (house, surface) = (call.house, call.house.surface)
    try call.await("working")
    _ = try call.talk()
    for change in [nil, "echo", "noise"] {
      if let change { try call.turnOff(change) }
      try house.freewheel()
      let line = try call.hear(seconds: 4)
      try house.realTime()
      let reported = Int((try surface.number("/session/phone/latency/in") * 48_000).rounded())
      #expect(
        try house.stage.value("maximum", of: "latency multiroute:phone.capture_1 capture")
          == Double(reported))
      let delays = max(0, reported - 1_000)..<reported
      let found = Likeness.delay(of: line.desk, in: line.guest, among: delays, range: 48_000..<96_000)
      #expect(abs(found + 500 - reported) <= 3, "\(String(describing: change)): \(found + 500), \(reported)")
    }
  }

  @Test("To enter and to leave voice processing makes no click")
  func clicks() async throws {
    // The high-pass alone keeps a tone as it is.
    let call = try await CallHouse(
      keys: "\"voice\": { \"echo\": false, \"noise\": false, \"level\": false },", guest: "silence")
    let (house, surface) = (call.house, call.house.surface)
    try house.stage.do("play Desk 1 sine 300 -12")
    try call.await("working")
    try house.freewheel()
    let line = try house.hear("Line") {
      for index in 0..<40 {
        try surface.send("/session/phone/voice/highpass", .int32(Int32(index % 2)))
        try surface.sync()
        try house.stage.do("frames \(index % 3 == 0 ? 500 : 9_600)")
      }
      try house.stage.do("frames 48000")
    }
    // The tone's greatest step is 0.0099. A ramp of 20 ms adds 0.0004, and two at once the same again.
    let step = zip(line[0], line[0].dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.0115, "\(step)")
    let silent = line[0].split { abs($0) > 1e-4 }.map(\.count).max() ?? 0
    #expect(silent > 200, "it was never left")
    #expect(line[0].suffix(20_000).contains { abs($0) > 0.2 })
  }

  @Test("100 changes of modes and switches under load change nothing else, and the worker is never late")
  func changes() async throws {
    let call = try await CallHouse()
    let (house, surface) = (call.house, call.house.surface)
    try call.await("working")
    try house.stage.do("play Guest 1 ramp")
    try house.connect("Guest:out_1", to: "Headphones:playback_1")
    try house.freewheel()
    let changes: [(String, OSCArgument)] = [
      ("mode", "default"), ("mode", "voiceChat"), ("voice/noise", 0), ("mode", "videoChat"),
      ("voice/level", 0), ("mode", "measurement"), ("voice/echo", 0), ("mode", "voiceChat"),
      ("voice/echo", 0), ("voice/noise", "inherit"),
    ]
    let heard = try house.hear(["PA", "Headphones"]) {
      for index in 0..<100 {
        let (leaf, value) = changes[index % changes.count]
        try surface.send("/session/phone/\(leaf)", value)
        for fader in 0..<20 { try surface.send("/input/desk/gain", .float(Float(fader % 2))) }
        try house.stage.do("frames \(index % 3 == 0 ? 500 : 4_800)")
      }
    }
    // One recording may be longer than the other one.
    let length = min(heard[0][0].count, heard[1][0].count)
    #expect(
      length > 400_000
        && SignalCheck.firstDifference(Array(heard[0][0].prefix(length)), Array(heard[1][0].prefix(length)))
          == nil
    )
    try house.realTime()
    try call.await("working")
    #expect(try !surface.text("/health/list").contains("voice"))
  }

  @Test("The loudspeakers of a microphone are the route's, except ears, unless the operator names others")
  func loudspeakers() async throws {
    let call = try await CallHouse()
    let surface = call.house.surface
    try call.await("working")
    try call.await(delay: 1_300)
    // At headphones there is no echo: the canceller alone is off.
    try surface.send("/session/phone/output/preferred", "phones")
    try surface.sync()
    try call.await("working")
    try call.await(delay: 0)
    #expect(try surface.text("/session/phone/capture/why").contains("no loudspeaker"))
    // The loudspeaker plays something else, which the operator knows.
    try surface.send("/input/desk/echo", "pa")
    try surface.sync()
    try call.await(delay: 1_300)
  }

  @Test("The delay follows the output's delay and the period, and the echo stays low")
  func delays() async throws {
    let call = try await CallHouse()
    let (house, surface) = (call.house, call.house.surface)
    try call.await("working")
    try surface.send("/output/pa/delay", .float(0.2))
    try surface.sync()
    try call.await(delay: 9_600 + 1_300)
    try house.freewheel()
    let before = try call.hear(seconds: 8)
    let rest = 200_000..<360_000
    // With a wrong delay the echo would be lower by 3 dB at most. How low it is after 3 s is the matter of `echo`.
    #expect(Decibels.level(before.desk[rest]) - Decibels.level(before.guest[rest]) >= 25)
    try house.realTime()
    try house.stage.do("period 1024")
    // In freewheel seconds of sound would pass until the processing for the new period is there.
    try call.await("/session/phone/latency/in") { (2_572..<2_692).contains(Int($0 * 48_000)) }
    try house.freewheel()
    let after = try call.hear(seconds: 8)
    #expect(Decibels.level(after.desk[rest]) - Decibels.level(after.guest[rest]) >= 25)
  }

  @Test("Of two routers that call each other, the one with the loudspeaker returns no echo")
  func twoRouters() async throws {
    let (delay, declared) = (CallHouse.echo.delay, CallHouse.echo.declared)
    // Each router takes the other one's capture as its guest.
    func preset(_ other: String, pa: String, desk: String) -> String {
      CallHouse.preset(mode: "voiceChat").replacing("PA:", with: "\(pa):").replacing(
        "Desk:", with: "\(desk):"
      )
      .replacing("Guest:out_1", with: "\(other):phone.capture_1")
      .replacing("Line:playback_1", with: "\(other):phone.main_1")
    }
    let folder = try TemporaryFolder()
    try CallHouse.writeSpeech(.man, at: folder.file("talk.wav"))
    let house = try await House(
      preset("farside", pa: "PA", desk: "Desk"),
      programs: [
        "device PA 2 0 \(declared.playback) 0", "device Desk 0 1 0 \(declared.capture)", "device Line 2 0",
        "device PA2 2 0 \(declared.playback) 0", "device Desk2 0 1 0 \(declared.capture)",
        "play Desk 1 file \(folder.file("talk.wav"))", "room Desk2 PA2 \(delay)",
      ], period: 256, flags: ["--name", "hall"])
    let far = try RouterProcess(
      preset: folder.write(preset("hall", pa: "PA2", desk: "Desk2"), to: "far.json"),
      server: house.server.name, in: folder, flags: ["--name", "farside"],
      owners: [house.stage, house.server])
    let surface = try ControlSurface(port: far.port)
    try house.connect("farside:phone.capture_1", to: "Line:playback_1")
    try house.connect("Desk2:capture_1", to: "Line:playback_2")
    try CallHouse.await("working", at: surface)
    try CallHouse.await("working", at: house.surface)
    try house.freewheel()
    let line = try house.hear("Line") { try house.stage.do("frames 480000") }
    let rest = 144_000..<470_000
    let (returned, echo) = (Decibels.level(line[0][rest]), Decibels.level(line[1][rest]))
    #expect(echo > -45 && echo - returned >= 30, "\(echo) dBFS in the room, \(returned) dBFS returned")
  }

  @Test("A server at a rate that the library refuses has no voice processing, and says why")
  func refusedRate() async throws {
    let call = try await CallHouse(rate: 11_025)
    let surface = call.house.surface
    try surface.subscribe("/health/*")
    #expect(try surface.text("/session/phone/voice/state") == "off")
    let why = try surface.text("/session/phone/capture/why")
    #expect(why.contains("not processed: no voice processing at 11025 Hz"), "\(why)")
    try call.house.freewheel()
    let line = try call.hear(seconds: 1)
    #expect(line.guest == line.desk && line.desk.contains { $0 != 0 })
  }
}
