import Encoders
import Foundation
import Queues
import SessionModel
import SoundFiles
import TestKit
import Testing

/// What a device gets from players, on a real server that freewheels, except where a test sets the pace of the files itself.
@Suite struct PlayerSoundTests {
  /// A counted sound that begins with its first frame that is not silent.
  private static let sound = CountedSound.sound(1..<50_000)
  private static let steady = SoundFile(
    channels: Array(repeating: Array(repeating: 0.25, count: 150_000), count: 2), sampleRate: 48_000)

  @Test(
    "A file of a lossless format reaches the device bit for bit, from a session that its player activates",
    arguments: Encoders.Format.lossless)
  func exact(format: Encoders.Format) async throws {
    let house = try await MediaHouse()
    let path = try Encoders.write(Self.sound, format, in: house.folder.path)
    try house.player("walkin", [String(path.dropFirst(house.folder.path.count + 1))])
    try house.freewheel()
    try await house.prepare("walkin")
    let heard = try house.hear {
      try house.order("walkin", .play())
      try house.stage.do("frames 80000")
    }[0]
    let start = try #require(Self.sound.channels[0].place(in: heard[0]), "\(house.changes.errors)")
    #expect(Self.sound.channels[1].place(in: heard[1]) == start)
    #expect(heard[0][..<start].allSatisfy { $0 == 0 })
    #expect(heard[0][(start + 49_999)...].allSatisfy { $0 == 0 })
    await house.stop()
  }

  @Test(
    "The length of an item is known as soon as it is set or becomes the present one, before it is prepared")
  func length() async throws {
    let house = try await MediaHouse()
    let long = try house.write(CountedSound.sound(0..<144_000), "long.wav")
    try house.player("walkin", [try house.write(Self.sound, "short.wav"), long])
    let length = Double(Self.sound.frames) / 48_000
    let set = try await house.until { $0.players["walkin"]?.facts.duration == length }
    #expect(set.players["walkin"]?.facts.isReady == false)
    try house.order("walkin", .next)
    let next = try await house.until { $0.players["walkin"]?.facts.duration == 3 }
    #expect(next.players["walkin"]?.facts.isReady == false)
    await house.stop()
  }

  @Test("Players of one command start on one frame, also those that start later, to the sample")
  func together() async throws {
    let house = try await MediaHouse(
      MediaHouse.show + [
        .createStream("show", "click", channels: 1, placed: false),
        .destination("show", "click", "usb", .channels(.range(3...3))),
        .destination("show", "click", "usb", .on(true)),
        .createStream("show", "cue", channels: 2, placed: false),
        .destination("show", "cue", "headphones", .on(true)),
      ])
    let file = try house.write(Self.sound, "band.wav")
    let mono = try house.write(CountedSound.sound(1..<50_000, channels: 1), "click.wav")
    try house.player("band", [file])
    try house.player("click", [mono], "click")
    try house.player("cue", [file], "cue")
    try house.freewheel()
    try await house.prepare("band", "click", "cue")
    for delay in [0, 0.35] {
      let heard = try house.hear(["USB Interface", "Headphones"]) {
        try house.send(["band", "click", "cue"].map { .player($0, .order(.play(after: delay))) })
        try house.stage.do("frames 100000")
      }
      let band = try #require(Self.sound.channels[0].place(in: heard[0][0]))
      #expect(Self.sound.channels[0].place(in: heard[0][2]) == band)
      #expect(Self.sound.channels[0].place(in: heard[1][0]) == band)
      _ = try await house.until { $0.players["band"]?.isPlaying == false }
      try await house.prepare("band", "click", "cue")
    }
    await house.stop()
  }

  @Test(
    "Players of one command that are not prepared wait for each other, also for files that are found later")
  func unprepared() async throws {
    let house = try await MediaHouse(
      MediaHouse.show + [
        .createStream("show", "click", channels: 2, placed: false),
        .destination("show", "click", "usb", .channels(.range(3...4))),
        .destination("show", "click", "usb", .on(true)),
      ])
    let file = try house.write(Self.sound, "band.wav")
    let item = QueueItem(name: file, title: file)
    let streams: [(PlayerID, StreamID)] = [("band", "music"), ("click", "click")]
    for (player, stream) in streams { try house.send(.player(player, .create("show", stream, seed: 1))) }
    let heard = try house.hear {
      try house.send(
        streams.flatMap { player, _ -> [Event] in
          [.player(player, .queue(.contents([file]))), .player(player, .order(.play()))]
        })
      for (player, _) in streams {
        try house.send(.player(player, .queue(.found([item], for: [file]))))
        // Long enough for the first one to begin, if it did not wait.
        try house.stage.do("frames 9600")
      }
      try house.stage.do("frames 60000")
    }[0]
    #expect(heard[0].contains { $0 != 0 }, "\(house.changes.errors)")
    heard.expectSame(2, as: 0)
    await house.stop()
  }

  @Test("A player that is made and started while others of its session sound begins with its first sample")
  func newcomer() async throws {
    let house = try await MediaHouse()
    let silence = SoundFile(
      channels: Array(repeating: Array(repeating: 0, count: 150_000), count: 2), sampleRate: 48_000)
    try house.player("first", [try house.write(silence, "silence.wav")])
    let file = try house.write(Self.sound, "sound.wav")
    try house.freewheel()
    try await house.prepare("first")
    let heard = try house.hear {
      try house.order("first", .play())
      try house.stage.do("frames 9600")
      try house.player("second", [file])
      try house.order("second", .play())
      try house.stage.do("frames 80000")
    }[0]
    let start = try #require(Self.sound.channels[0].place(in: heard[0]), "\(house.changes.errors)")
    #expect(Self.sound.channels[1].place(in: heard[1]) == start)
    await house.stop()
  }

  @Test(
    "Loops and items follow each other without a wrong sample, and a broken file between them is left out")
  func joins() async throws {
    let house = try await MediaHouse()
    let parts = [1..<20_000, 20_000..<45_000, 45_000..<60_000]
    var files: [String] = []
    for (index, part) in parts.enumerated() {
      files.append(try house.write(CountedSound.sound(part), "\(index).\(index == 1 ? "flac" : "wav")"))
    }
    try house.folder.write("no sound", to: "broken.wav")
    files.insert("broken.wav", at: 2)
    try house.player("set", files)
    try house.send(.player("set", .set(.loops(1))))
    try house.freewheel()
    try await house.prepare("set")
    let heard = try house.hear {
      try house.order("set", .play())
      try house.stage.do("frames 200000")
    }[0]
    let expected = parts.flatMap { part in
      let once = part.map { CountedSound.sample($0) }
      return once + once
    }
    #expect(expected.place(in: heard[0]) != nil, "\(house.changes.errors)")
    await house.stop()
  }

  @Test("A pause fades out and goes on at its place, and a seek does not click")
  func pauses() async throws {
    let house = try await MediaHouse()
    let cycle = (0..<48).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 48)) }
    let wave = Array(repeatElement(cycle, count: 5_000).joined())
    let sine = SoundFile(channels: [wave, wave], sampleRate: 48_000)
    try house.player("tone", [try house.write(sine, "tone.wav")])
    // It goes on until its place is reported.
    try house.send(.player("tone", .set(.loops(MediaPlayer.endless))))
    try house.freewheel()
    try await house.prepare("tone")
    let heard = try house.hear {
      try house.order("tone", .play())
      try house.stage.do("frames 20000")
      try house.order("tone", .pause)
      try house.stage.do("frames 10000")
      try house.order("tone", .play())
      try house.stage.do("frames 20000")
      try house.order("tone", .seek(2))
      try house.stage.do("frames 20000")
    }[0]
    // The sine's own steps are at most 2 pi 1000 / 48000 of its amplitude. The seek's crossfade, which keeps the power of unlike sounds, makes
    // them half as great again where it blends a sine with itself. A cut would be up to fifteen times as great.
    let step = zip(heard[0], heard[0].dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(step < 0.5 * 0.131 * 1.51)
    #expect(heard[0].contains { abs($0) > 0.49 })
    let state = try await house.until { ($0.players["tone"]?.facts.mark.seconds ?? 0) > 2 }
    #expect(state.players["tone"]?.facts.underruns == 0)
    await house.stop()
  }

  @Test("Normalisation brings a file to the wanted loudness, and no sample above -1 dBFS")
  func normalises() async throws {
    let house = try await MediaHouse()
    // A quiet sine has one sample that is nearly at full scale.
    let cycle = (0..<48).map { Float(0.05 * sin(2 * Double.pi * Double($0) / 48)) }
    let wave = Array(repeatElement(cycle, count: 5_000).joined())
    for (name, peak) in [("quiet.wav", Float(0.05)), ("peaky.wav", 0.8)] {
      var samples = wave
      samples[200_000] = peak
      try house.player(
        name == "quiet.wav" ? "quiet" : "peaky",
        [try house.write(SoundFile(channels: [samples, samples], sampleRate: 48_000), name)])
    }
    for (id, gain) in [("quiet", 12.0), ("peaky", 20 * log10(0.891_251 / 0.8))] as [(PlayerID, Double)] {
      try house.send(.player(id, .order(.prepare)))
      let loudness = try #require(
        try await house.until { $0.players[id]?.facts.loudness != nil }.players[id]?.facts.loudness)
      try house.send(.player(id, .set(.normalisation(loudness + 12))))
      try house.freewheel()
      try await house.prepare(id)
      let heard = try house.hear {
        try house.order(id, .play())
        try house.stage.do("frames 60000")
        try house.order(id, .stop)
      }[0]
      let peak = heard[0].map { abs($0) }.max() ?? 0
      #expect(abs(20 * log10(Double(peak) / 0.05) - gain) < 0.1, "\(id)")
      _ = try await house.until { $0.players[id]?.isPlaying == false }
    }
    await house.stop()
  }

  @Test("A player whose session moves to another output is heard without a gap")
  func moves() async throws {
    let house = try await MediaHouse([
      .createSession("music", SessionConfiguration(category: .playback)),
      .createStream("music", "main", channels: 2, placed: true),
      .session("music", .preferredOutput("usb")),
    ])
    try house.player("bed", [try house.write(Self.steady, "bed.wav")], in: "music", "main")
    // In freewheel any number of frames passes before an order has its effect.
    try house.send(.player("bed", .set(.loops(-1))))
    try house.freewheel()
    try await house.prepare("bed")
    let heard = try house.hear(["USB Interface", "Headphones"]) {
      try house.order("bed", .play())
      try house.stage.do("wait-signal \"USB Interface\" 1 -12.1")
      try house.send(.session("music", .preferredOutput("headphones")))
      try house.stage.do("wait-signal Headphones 1 -12.1")
      try house.stage.do("frames 50000")
    }
    let sum = zip(heard[0][0], heard[1][0]).map { $0 + $1 }
    let start = try #require(sum.firstIndex(of: 0.25), "\(house.changes.errors)")
    #expect(sum[start...].prefix(50_000).allSatisfy { abs($0 - 0.25) < 0.001 })
    #expect(heard[1][0].suffix(3_000).allSatisfy { $0 == 0.25 })
    await house.stop()
  }

  @Test("A removed player fades out, and a new one of its id begins")
  func removes() async throws {
    let house = try await MediaHouse()
    let file = try house.write(Self.steady, "bed.wav")
    try house.player("bed", [file])
    try house.freewheel()
    try await house.prepare("bed")
    let heard = try house.hear {
      try house.order("bed", .play())
      try house.stage.do("frames 20000")
      try house.send(.player("bed", .remove))
      try house.stage.do("frames 10000")
    }[0]
    let start = try #require(heard[0].firstIndex(of: 0.25))
    let steps = zip(heard[0][start...], heard[0][start...].dropFirst()).map { $0 - $1 }
    #expect(steps.allSatisfy { (0..<0.001).contains($0) })
    #expect(heard[0].last == 0)
    try house.player("bed", [file])
    try await house.prepare("bed")
    await house.stop()
  }

  @Test("A name that leads out of the media folders is refused by an error that names player and file")
  func outside() async throws {
    let house = try await MediaHouse()
    try house.player("thief", ["../secret.wav"])
    try house.order("thief", .prepare)
    try house.order("thief", .play())
    let error =
      "thief cannot play ../secret.wav: ../secret.wav leads out of the media folder; only files in the media folders have names"
    _ = try await house.until { _ in house.changes.errors.contains(error) }
    await house.stop()
  }
}
