import Chance
import MixEngine
import MixKernel
import SessionModel
import Testing

@testable import Router

/// Tests the sound of a recall's fade: streams that move, rise and fall.
@Suite("Within the fade of a recall")
struct CrossfadeTests {
  /// Plays a constant into every stream's port, far below the limiter's ceiling.
  private final class Player {
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    private var handles: [PortKey: PortHandle] = [:]
    private var frames = 0
    /// The JACK ports that the server has not made yet.
    var missing: Set<PortKey> = []
    /// The streams that no program is connected to yet.
    var unconnected: Set<StreamID> = []
    /// The program's ports behind the first channel of each stream; none if they are not known.
    var programs: [StreamID: Set<String>] = [:]

    private var time: Double { Double(frames) / 48_000 }

    private func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil && !missing.contains(key) {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }

    func take(_ state: RouterState, fade: Double? = nil) {
      var liveness = Liveness()
      liveness.outputs = ["usb", "headphones"]
      for session in state.sessions.values {
        for stream in session.streams.keys where !unconnected.contains(stream) {
          liveness.streams.insert(StreamAddress(session: session.id, stream: stream))
        }
      }
      _ = keeper.update(state, liveness, at: time, margin: 0, fade: fade, feeds: feeds, provide: provide)
    }

    private func feeds(_ state: RouterState) -> [String: Set<String>] {
      var feeds: [String: Set<String>] = [:]
      for session in state.sessions.values {
        for stream in session.streams.keys {
          feeds[PortKey.stream(session.id, stream, 1).name] = programs[stream]
        }
      }
      return feeds
    }

    /// Lets the server make the missing ports.
    func adoptPorts() {
      missing = []
      keeper.refresh(at: time, provide: provide)
    }

    /// Plays some frames. Returns the gain at the last sample of an output's first channel, by output.
    func play(_ count: Int) -> [PortID: Float] {
      var heard: [PortID: Float] = [:]
      let ports = keeper.ports.filter { handles[$0] != nil }
      let (sources, sinks) = (ports.filter(\.isSource), ports.filter { !$0.isSource })
      let (ones, output) = (
        UnsafeMutablePointer<Float>.allocate(capacity: count),
        UnsafeMutablePointer<Float>.allocate(capacity: max(1, sinks.count * count))
      )
      defer {
        ones.deallocate()
        output.deallocate()
      }
      ones.initialize(repeating: 0.125, count: count)
      output.initialize(repeating: 0, count: max(1, sinks.count * count))
      keeper.engine.process(
        frames: count, sources: sources.map { if case .stream = $0 { UnsafePointer(ones) } else { nil } },
        sinks: sinks.indices.map { output + $0 * count })
      for case (let index, .output(let port, 1)) in sinks.enumerated() {
        heard[port] = output[index * count + count - 1] * 8
      }
      frames += count
      return heard
    }
  }

  private static let headphones: [Event] = [
    .destination("show", "band", "usb", .on(false)), .destination("show", "band", "headphones", .on(true)),
    .stream("show", "click", .muted(true)),
  ]

  private func state(_ events: [Event]) throws -> RouterState {
    // A click beside the band would be heard at the headphones, too.
    try Show.state(events, from: try Show.standard(.stream("show", "click", .muted(true))))
  }

  @Test("a stream that moves to another output keeps its power")
  func equalPower() throws {
    let player = Player()
    player.take(try state([]))
    #expect(player.play(9_600) == ["usb": 1, "headphones": 0])
    player.take(try state(Self.headphones), fade: 1)
    for quarter in 1...3 {
      let heard = player.play(12_000)
      let (from, to) = (try #require(heard["usb"]), try #require(heard["headphones"]))
      let way = Float(quarter) / 4
      #expect(abs(from * from + to * to - 1) < 0.01, "\(heard)")
      #expect(quarter == 2 ? abs(from - to) < 0.01 : (from > to) == (way < 0.5))
    }
    #expect(player.play(12_100)["headphones"] == 1)
    #expect(player.play(64)["usb"] ?? 0 == 0)
  }

  /// The band moves from the session "show" to another one, whose program is connected some frames later.
  /// - Returns: the gain of the band at each period of 64 frames of the fade of one second.
  private func change(programs: [StreamID: Set<String>], gain: Double = 0) throws -> [Float] {
    let player = Player()
    player.programs = programs
    player.take(try state([]))
    _ = player.play(9_600)
    player.unconnected = ["band-2"]
    let next: [Event] = [
      .removeSession("show"),
      .createSession("next", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .createStream("next", "band-2", channels: 1, placed: false),
      .destination("next", "band-2", "usb", .channels(.range(1...1))),
      .destination("next", "band-2", "usb", .on(true)), .stream("next", "band-2", .gain(.set(gain))),
      .activate("next"),
    ]
    player.take(try state(next), fade: 1)
    var heard: [Float] = []
    for period in 0..<752 {
      if period == 4 {
        player.unconnected = []
        player.take(try state(next))
      }
      heard.append(player.play(64)["usb"] ?? 0)
    }
    return heard
  }

  @Test(
    "one program that crosses from a session to another one in the same output keeps its level",
    arguments: [0.0, -6])
  func equalGain(gain: Double) throws {
    let programs: [StreamID: Set<String>] = ["band": ["Band:out_1"], "band-2": ["Band:out_1"]]
    let heard = try change(programs: programs, gain: gain)
    let end = Decibels(gain).amplitude
    #expect(heard.last.map { abs($0 - end) < 0.001 } == true)
    for (period, level) in heard.enumerated() {
      #expect(level <= 1.000_1 && level > end - 0.02, "\(level) in period \(period)")
    }
  }

  /// One program in some sessions, each at some outputs with some level.
  private struct Scene {
    var events: [Event]
    /// The program's gain at each output.
    var levels: [PortID: Float]

    init(_ ids: [SessionID], _ generator: inout SeededGenerator) {
      (events, levels) = ([.removeSession("show")], ["usb": 0, "headphones": 0])
      let id = ids.randomElement(using: &generator)!
      events += [
        .createSession(id, SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        .createStream(id, "main", channels: 1, placed: false), .activate(id),
      ]
      // A level of one session does not change: its fade has a shape of its own.
      let gain = [0.0, -3, -20][ids.firstIndex(of: id)!]
      events.append(.stream(id, "main", .gain(.set(gain))))
      for output in ["usb", "headphones"] as [PortID] where Bool.random(using: &generator) {
        let level = output == "usb" ? -6.0 : -1
        events += [
          .destination(id, "main", output, .channels(.range(1...1))),
          .destination(id, "main", output, .gain(.set(level))), .destination(id, "main", output, .on(true)),
        ]
        levels[output] = Decibels(gain + level).amplitude
      }
    }
  }

  @Test(
    "one program is at no moment louder than at the louder end, nor quieter than at the quieter one, in random recalls"
  )
  func randomRecalls() throws {
    var budget = FuzzBudget(rounds: 100)
    while let round = budget.next() {
      var generator = SeededGenerator(seed: FuzzBudget.seed(round))
      let ids: [SessionID] = ["one", "two", "three"]
      let (before, after) = (Scene(ids, &generator), Scene(ids, &generator))
      let player = Player()
      player.programs = ["main": ["Band:out_1"]]
      player.take(try state(before.events))
      _ = player.play(9_600)
      player.take(try state(after.events), fade: 0.25)
      for period in 0..<190 {
        let heard = player.play(64)
        for output in ["usb", "headphones"] as [PortID] {
          let (first, last) = (before.levels[output]!, after.levels[output]!)
          let level = heard[output] ?? 0
          let range = min(first, last) - 0.02...max(first, last) + 0.000_2
          #expect(
            range.contains(level),
            "round \(round), period \(period), \(output): \(level) of \(first) to \(last)")
        }
      }
      let end = player.play(640)
      for output in ["usb", "headphones"] as [PortID] {
        #expect(abs((end[output] ?? 0) - after.levels[output]!) < 0.000_2, "round \(round)")
      }
    }
  }

  @Test("two programs that cross in the same output keep their power")
  func equalPowerOfTwo() throws {
    let heard = try change(programs: ["band": ["Band:out_1"], "band-2": ["Tape:out_1"]])
    // Both play the same constant here, so their gains add up: 1.41 in the middle.
    #expect(abs(heard[375] - 1.414) < 0.01, "\(heard[375])")
  }

  @Test("a stream whose JACK port is made in the middle rises until the end of the fade")
  func latePort() throws {
    let player = Player()
    player.take(try state([]))
    _ = player.play(9_600)
    player.missing = [.stream("show", "voice", 1)]
    let voice: [Event] = [
      .createStream("show", "voice", channels: 1, placed: false),
      .destination("show", "voice", "headphones", .on(true)),
    ]
    player.take(try state(voice), fade: 1)
    #expect(player.play(24_000)["headphones"] == 0)
    player.adoptPorts()
    let rising = try #require(player.play(12_000)["headphones"])
    #expect(rising > 0.6 && rising < 0.8, "\(rising)")
    #expect(player.play(12_100)["headphones"] == 1)
  }

  @Test("a stream whose program is connected in the middle rises until the end of the fade")
  func lateConnection() throws {
    let player = Player()
    player.take(try state([]))
    _ = player.play(9_600)
    player.unconnected = ["voice"]
    let voice: [Event] = [
      .createStream("show", "voice", channels: 1, placed: false),
      .destination("show", "voice", "headphones", .on(true)),
    ]
    player.take(try state(voice), fade: 1)
    #expect(player.play(24_000)["headphones"] == 0)
    player.unconnected = []
    player.take(try state(voice))
    let rising = try #require(player.play(12_000)["headphones"])
    #expect(rising > 0.5 && rising < 0.8, "\(rising)")
    #expect(player.play(12_100)["headphones"] == 1)
  }

  @Test("a mute falls with the fade, and a mute of the operator takes the router's ramp")
  func operatorMute() throws {
    let player = Player()
    player.take(try state([]))
    _ = player.play(9_600)
    let muted = Event.stream("show", "band", .muted(true))
    player.take(try state([muted]), fade: 1)
    let falling = try #require(player.play(24_000)["usb"])
    #expect(abs(falling * falling - 0.5) < 0.01)
    // The operator brings the stream back, and mutes the session.
    player.take(try state([]))
    #expect(player.play(1_000)["usb"] == 1)
    player.take(try state([.session("show", .muted(true))]))
    #expect(player.play(1_000)["usb"] == 0)
  }
}
