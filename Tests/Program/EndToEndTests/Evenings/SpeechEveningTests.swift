import TestKit
import Testing

/// The shipped presets for speech do what their pages in `docs/guide/shows` promise.
@Suite struct SpeechEveningTests {
  @Test(
    "Podcast: guest and caller hear everybody but themselves, the recording hears everybody, and one who hangs up leaves the others alone"
  )
  func podcast() async throws {
    let desk = "Scarlett 2i2 USB"
    let (host, cohost, guest, caller, jingle) = (500, 700, 900, 1_100, 1_300)
    let evening = try await Evening(
      "podcast",
      [
        "client \"\(desk)\" device playback_FL,playback_FR capture_FL,capture_FR",
        "client Guest program send_1,send_2 receive_1,receive_2",
        "client baresip program - output_1,output_2", "client baresip-01 program input_1,input_2 -",
        "source Jingles 2 sine \(jingle) -20", "client Feed program input_1,input_2 -",
      ])
    try evening.stage.do("play \"\(desk)\" 1 sine \(host) -20")
    try evening.stage.do("play \"\(desk)\" 2 sine \(cohost) -20")
    for channel in [1, 2] {
      try evening.stage.do("play Guest \(channel) sine \(guest) -20")
      try evening.stage.do("play baresip \(channel) sine \(caller) -20")
    }
    try evening.expectAddresses(on: "podcast")
    // Voice processing takes a steady tone for noise. CallEveningTests has it on, with speech.
    try evening.leaveVoices(of: ["guest", "caller"])
    let (silence, full): ([Int?], [Int?]) = ([nil, nil], [-20, -20])
    try evening.expect(
      at: desk,
      [host: [-26, -26], cohost: [-26, -26], guest: full, caller: full, jingle: [-26, -26]])
    try evening.expect(
      at: "Guest", [host: full, cohost: full, guest: silence, caller: full, jingle: [-32, -32]])
    try evening.expect(
      at: "baresip-01", [host: full, cohost: full, guest: full, caller: silence, jingle: [-38, -38]])
    try evening.expect(
      at: "Feed", [host: full, cohost: full, guest: full, caller: full, jingle: [-26, -26]])
    // A cough button.
    try evening.send("/session/host/mute", 1)
    for listener in ["Guest", "baresip-01", "Feed", desk] {
      try evening.expect(at: listener, [host: silence, cohost: listener == desk ? [-26, -26] : full])
    }
    try evening.send("/session/host/mute", 0)
    // The interface is pulled out: the guests hear each other, and the recording goes on.
    try evening.happen("unplug \"\(desk)\"", until: "port", "out", "desk", 0)
    try evening.expect(at: "Guest", [host: silence, caller: full])
    try evening.expect(at: "baresip-01", [host: silence, guest: full])
    try evening.expect(at: "Feed", [guest: full, caller: full, jingle: [-26, -26]])
    try evening.happen("replug \"\(desk)\"", until: "port", "out", "desk", 1)
    try evening.expect(at: desk, [host: [-26, -26], guest: full, caller: full])
    // The caller hangs up.
    try evening.happen("unplug baresip", until: "active", "caller", 0)
    try evening.expect(at: "Feed", [host: full, guest: full, caller: silence])
    try evening.expect(at: "Guest", [host: full, cohost: full])
  }

  @Test(
    "Church: house and stream have mixes of their own, the choir is in the stream alone, and the balcony is 25 ms late"
  )
  func churchStream() async throws {
    let box = "UMC404HD 192k Pro"
    let (sermon, choir, music) = (500, 700, 900)
    let evening = try await Evening(
      "church-stream",
      [
        "client \"\(box)\" device playback_AUX0,playback_AUX1,playback_AUX2,playback_AUX3 capture_AUX0,capture_AUX1",
        "source Music 2 sine \(music) -20", "listener \"Stream Mix\" 2",
      ])
    try evening.expectAddresses(on: "church-stream")
    try evening.stage.do("play \"\(box)\" 1 sine \(sermon) -20")
    try evening.play(box, 2, "sine \(choir) -20")
    try evening.expect(
      at: box,
      [
        sermon: [-23, -23, -26, -26], choir: [nil, nil, nil, nil], music: [-26, -26, -29, -29],
      ])
    try evening.expect(at: "Stream Mix", [sermon: [-20, -20], choir: [-26, -26], music: [-32, -32]])
    try evening.expectRefusal("/session/service/stream/choir/to/house/on", 1, symbol: "denied")
    // Steps at the pulpit, and a shout, with the effects and without.
    func hear(_ frequency: Int, _ level: Int) throws -> Double {
      try evening.play(box, 1, "sine \(frequency) \(level)")
      return try evening.stage.tones(frequency, at: [box])[0][0]
    }
    #expect(try hear(40, -20) < -35)
    let shout = try hear(sermon, -2)
    #expect(shout < -7 && shout > -15, "\(shout)")
    try evening.send("/effects/bypass", 1)
    #expect(abs(try hear(40, -20) + 23) < 0.5)
    #expect(abs(try hear(sermon, -2) + 5) < 0.5)
    try evening.send("/effects/bypass", 0)
    #expect(abs(try hear(sermon, -20) + 23) < 0.5)
    // OBS crashes, and is started anew.
    try evening.happen("unplug \"Stream Mix\"", until: "port", "out", "stream", 0)
    try evening.expect(at: box, [sermon: [-23, -23, -26, -26]])
    try evening.happen("replug \"Stream Mix\"", until: "port", "out", "stream", 1)
    try evening.expect(at: "Stream Mix", [sermon: [-20, -20], choir: [-26, -26]])
    // The interface is pulled out: the stream goes on with the music.
    try evening.happen("unplug \"\(box)\"", until: "port", "out", "house", 0)
    try evening.expect(at: "Stream Mix", [sermon: [nil, nil], music: [-32, -32]])
    try evening.happen("replug \"\(box)\"", until: "port", "out", "balcony", 1)
    // A clap at the pulpit.
    try evening.stage.do("play Music 1 silence")
    try evening.stage.do("play Music 2 silence")
    try evening.play(box, 1, "impulse 9600")
    let sound = try evening.record(box) { try evening.stage.do("frames 48000") }
    func claps(_ channel: Int) -> [Int] { sound[channel].indices.filter { abs(sound[channel][$0]) > 0.3 } }
    let delays = claps(2).compactMap { late in claps(0).last { $0 <= late }.map { late - $0 } }
    #expect(delays.count >= 3 && Set(delays) == [1_200], "the balcony is late by \(delays) frames")
  }

  @Test(
    "Conference: everything in the room gives way to the chair, the far end hears the room and the film but not itself"
  )
  func conference() async throws {
    let box = "Scarlett 2i2 USB"
    let (chair, floor, film, far) = (500, 700, 900, 1_100)
    let evening = try await Evening(
      "conference",
      [
        "client \"\(box)\" device playback_FL,playback_FR capture_FL,capture_FR",
        "source Film 2 sine \(film) -20", "client baresip program - output_1,output_2",
        "client baresip-01 program input_1,input_2 -",
      ])
    try evening.expectAddresses(on: "conference")
    // Voice processing takes a steady tone for noise. CallEveningTests has it on, with speech.
    try evening.leaveVoices(of: ["far"])
    for channel in [1, 2] { try evening.stage.do("play baresip \(channel) sine \(far) -20") }
    try evening.play(box, 2, "sine \(floor) -20")
    try evening.expect(
      at: box, [chair: [nil, nil], floor: [-30, -30], film: [-26, -26], far: [-20, -20]])
    try evening.expect(
      at: "baresip-01", [chair: [nil, nil], floor: [-20, -20], film: [-32, -32], far: [nil, nil]])
    try evening.happen("play \"\(box)\" 1 sine \(chair) -20", until: "active", "chair", 1)
    try evening.expect(
      at: box, [chair: [-30, -30], floor: [-45, -45], film: [-41, -41], far: [-35, -35]])
    try evening.expect(
      at: "baresip-01", [chair: [-20, -20], floor: [-20, -20], far: [nil, nil]],
      "ducks are for the room; the far end hears the chair and the floor")
    try evening.happen("play \"\(box)\" 1 silence", until: "active", "chair", 0)
    try evening.expect(
      at: box, [chair: [nil, nil], floor: [-30, -30], film: [-26, -26], far: [-20, -20]])
    // The interface is pulled out: the far end goes on with the film.
    try evening.happen("unplug \"\(box)\"", until: "port", "out", "room", 0)
    try evening.expect(at: "baresip-01", [floor: [nil, nil], film: [-32, -32]])
    try evening.happen("replug \"\(box)\"", until: "port", "out", "room", 1)
    try evening.expect(at: box, [floor: [-30, -30], film: [-26, -26], far: [-20, -20]])
    // The far end hangs up.
    try evening.happen("unplug baresip", until: "active", "far", 0)
    try evening.expect(at: box, [floor: [-30, -30], film: [-26, -26], far: [nil, nil]])
  }
}
