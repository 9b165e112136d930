import Presets
import Queues
import SessionModel
import SessionPolicy
import SoundFiles
import TestKit
import Testing
import Threads

@testable import Router

/// Players and recorders of presets, on a real server that freewheels.
@Suite struct SceneSoundTests {
  private static func steady(_ level: Float) -> SoundFile {
    SoundFile(
      channels: Array(repeating: Array(repeating: level, count: 100_000), count: 2), sampleRate: 48_000)
  }

  /// - Parameter media: the players and recorders of the preset, below its sessions.
  private static func preset(_ id: PresetID, _ media: String) throws -> Preset {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let text = """
      { multiroute: 1,
        ports: { usb: { type: "usbAudio", outputs: ["USB Interface:playback_*"], channels: 4, ceiling: 0 } },
        sessions: { show: { category: "multiRoute", options: ["mixWithOthers"], activate: "start",
          streams: { music: { channels: 2, to: { "usb:1-2": 0 } }, cues: { channels: 2, to: { "usb:3-4": 0 } } } } },
        \(media) }
      """
    let (preset, problems) = reader.read(PresetSource(id: id, file: "\(id).json", bytes: Array(text.utf8))) {
      id throws(PresetLibraryError) in throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    return try #require(preset, "\(problems)")
  }

  private static func bed(gain: Int) -> String {
    #"bed: { session: "show", stream: "music", queue: ["bed.wav"], loops: -1, playing: true, gain: \#(gain) }"#
  }

  /// A router in whose scene the player `bed` plays.
  private static func house(_ scene: Preset) async throws -> MediaHouse {
    let house = try await MediaHouse([])
    _ = try house.write(steady(0.5), "bed.wav")
    _ = try house.write(steady(0.25), "cue.wav")
    try recall(scene, 0, house)
    _ = try await house.until { $0.players["bed"]?.facts.mark.speed == 1 }
    try house.freewheel()
    return house
  }

  /// Recalls a scene, and finds the files of its players.
  private static func recall(_ scene: Preset, _ fade: Double, _ house: MediaHouse) throws {
    let (done, router) = (Semaphore(), house.router)
    // The router's own thread carries out everything: the common pool may be busy with other tests, and meanwhile the server plays seconds.
    Task(executorPreference: router.executor) {
      #expect(await router.recall(scene, fade: fade) == nil)
      for player in await router.snapshot.players.values where player.search != nil {
        let words = player.contents ?? []
        let items = words.map { QueueItem(name: $0, title: $0) }
        await router.happen(.player(player.id, .queue(.found(items, for: words))))
      }
      done.signal()
    }
    try #require(done.wait(seconds: 20))
  }

  private static func steps(_ samples: [Float]) -> [Float] {
    zip(samples, samples.dropFirst()).map { $1 - $0 }
  }

  @Test("A scene with player and recorder that is recalled again changes nothing: no gap, one file")
  func again() async throws {
    let scene = try Self.preset(
      "one",
      "players: { \(Self.bed(gain: 0)) }, recorders: { desk: { source: \"output:usb\", recording: true } }")
    let house = try await Self.house(scene)
    let file = try await house.until { $0.recorders["desk"]?.facts.file.isEmpty == false }.recorders["desk"]?
      .facts.file
    let before = try #require(await house.router.snapshot.players["bed"])
    let heard = try house.hear {
      try house.stage.do("frames 10000")
      try Self.recall(scene, 0.5, house)
      try house.stage.do("frames 30000")
    }[0][0]
    #expect(heard.allSatisfy { $0 == 0.5 })
    let state = await house.router.snapshot
    #expect(state.players["bed"]?.orders == before.orders && state.players["bed"]?.passes == before.passes)
    #expect(state.recorders["desk"]?.facts.file == file && state.recorders["desk"]?.isRecording == true)
    await house.stop()
  }

  @Test("A player of two scenes goes on with its level moving, and others start and stop, over the fade")
  func fades() async throws {
    let cue = #"cue: { session: "show", stream: "cues", queue: ["cue.wav"], loops: -1, playing: PLAYING }"#
    func scene(_ id: PresetID, gain: Int, playing: Bool) throws -> Preset {
      try Self.preset(
        id, "players: { \(Self.bed(gain: gain)), \(cue.replacing("PLAYING", with: "\(playing)")) }")
    }
    let (one, two) = (
      try scene("one", gain: 0, playing: false), try scene("two", gain: -12, playing: true)
    )
    let house = try await Self.house(one)
    try await house.prepare("cue")
    let fade = 0.5
    for (target, level) in [(two, Float(0.25)), (one, 0)] {
      let heard = try house.hear {
        try house.stage.do("frames 5000")
        try Self.recall(target, fade, house)
        try house.stage.do("frames 40000")
      }[0]
      // The fade has 24,000 frames; a start with the usual fade of a player would have steps a hundred times as great.
      for channel in [0, 2] {
        let greatest = Self.steps(heard[channel]).map(abs).max() ?? 0
        #expect(greatest < 0.001 && greatest > 0, "channel \(channel + 1)")
        let moving = Self.steps(heard[channel]).filter { $0 != 0 }.count
        #expect(moving > 15_000, "channel \(channel + 1)")
      }
      #expect(heard[0].allSatisfy { $0 > 0.1 })
      #expect(heard[2].last == level)
    }
    let bed = try #require(await house.router.snapshot.players["bed"])
    #expect(bed.isPlaying && bed.facts.underruns == 0)
    await house.stop()
  }
}
