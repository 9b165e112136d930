import MixEngine
import MixKernel
import SessionModel
import Testing

@testable import Router

/// Tests the mix keeper together with the engine: the sound after each change.
@Suite struct MixKeeperTests {
  /// A keeper whose engine plays ones into every stream's port.
  private final class Player {
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    private var handles: [PortKey: PortHandle] = [:]
    var liveness = Liveness()

    init() {
      liveness.outputs = ["usb", "headphones"]
      liveness.streams = [
        StreamAddress(session: "show", stream: "band"), StreamAddress(session: "show", stream: "click"),
      ]
    }

    private func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }

    /// Updates the mix to a state. Returns whether the whole mix was published.
    @discardableResult
    func take(_ state: RouterState) -> Bool {
      keeper.update(state, liveness, at: 0, margin: 0, provide: provide) == .whole
    }

    func release() -> Bool { keeper.release(at: 0, provide: provide) }

    /// Plays some frames. Returns the samples of each output channel.
    func play(_ frames: Int) -> [PortKey: [Float]] {
      let (sources, sinks) = (keeper.ports.filter(\.isSource), keeper.ports.filter { !$0.isSource })
      let ones = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      ones.initialize(repeating: 1, count: frames)
      defer { ones.deallocate() }
      let storage = UnsafeMutablePointer<Float>.allocate(capacity: max(1, sinks.count * frames))
      storage.initialize(repeating: 0, count: sinks.count * frames)
      defer { storage.deallocate() }
      keeper.engine.process(
        frames: frames, sources: sources.map { if case .stream = $0 { UnsafePointer(ones) } else { nil } },
        sinks: sinks.indices.map { storage + $0 * frames })
      var heard: [PortKey: [Float]] = [:]
      for (index, key) in sinks.enumerated() {
        heard[key] = Array(UnsafeBufferPointer(start: storage + index * frames, count: frames))
      }
      return heard
    }
  }

  @Test("New sound fades in, and a change of levels does not publish the whole mix")
  func fadesIn() throws {
    let player = Player()
    let quiet = Event.session("show", .gain(.set(-20)))
    #expect(player.take(try Show.standard(quiet)))
    let heard = player.play(960)[.output("usb", 1)] ?? []
    #expect(heard.first.map { $0 < 0.001 } == true)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(player.play(64)[.output("usb", 1)]?.allSatisfy { $0 == 0.1 } == true)
    #expect(!player.take(try Show.standard(.session("show", .gain(.set(-6))))))
    #expect(!player.take(try Show.standard(.session("show", .gain(.set(-6))))))
  }

  /// A session that plays at the device that was plugged in last, at -20 dB, and headphones at -12 dB.
  private static let music: [Event] =
    Show.ports + [
      .port(.output, "headphones", .gain(.set(-12))),
      .createSession("show", SessionConfiguration(category: .playback)),
      .createStream("show", "band", channels: 2, placed: false), .session("show", .gain(.set(-20))),
      .session("show", .activation(.start)), Show.present,
    ]

  @Test(
    "A session that moves to another port fades in from silence, and never exceeds the level of that port")
  func moves() throws {
    let player = Player()
    let stored = Decibels(-20).amplitude * Decibels(-12).amplitude
    func isRising(_ heard: [Float]) -> Bool { zip(heard, heard.dropFirst()).allSatisfy { $0 <= $1 } }
    player.take(try Show.state(Self.music))
    _ = player.play(2_000)
    #expect(player.play(64)[.output("usb", 1)]?.allSatisfy { $0 == 0.1 } == true)
    // The device is unplugged and plugged in twice. Each move is a ramp.
    for _ in 0..<2 {
      let unplugged = try Show.state(Self.music + [.port(.output, "usb", .plugged(false))])
      player.take(unplugged)
      let moved = player.play(960)
      let (left, reached) = (moved[.output("usb", 1)] ?? [], moved[.output("headphones", 1)] ?? [])
      #expect(left.first.map { $0 > 0.09 } == true && left.last == 0 && isRising(left.reversed()))
      #expect(reached.first.map { $0 < 0.001 } == true && isRising(reached))
      #expect(reached.allSatisfy { $0 <= stored * 1.000_01 })
      #expect(abs(reached[480] - stored / 2) < 0.001)
      #expect(player.release())
      player.take(try Show.state(Self.music))
      let back = player.play(960)
      #expect(back[.output("usb", 1)].map { $0[0] < 0.001 && isRising($0) && $0[959] == 0.1 } == true)
      #expect(back[.output("headphones", 1)]?.last == 0)
      #expect(player.release())
    }
  }

  @Test("A crosspoint that is no longer wanted fades out before it is removed")
  func fadesOut() throws {
    let player = Player()
    let quiet = Event.session("show", .gain(.set(-20)))
    player.take(try Show.standard(quiet))
    _ = player.play(2_000)
    player.take(try Show.standard(quiet, .destination("show", "band", "usb", .on(false))))
    #expect(player.keeper.isFadingOut)
    #expect(!player.release())
    let heard = player.play(960)[.output("usb", 1)] ?? []
    #expect(heard.first.map { $0 > 0.09 } == true)
    #expect(heard.last == 0)
    #expect(player.release())
    #expect(!player.keeper.isFadingOut)
    #expect(player.play(64)[.output("usb", 1)]?.allSatisfy { $0 == 0 } == true)
  }

  @Test("A crosspoint that returns fades in with one ramp, not with its gates' ramps as well")
  func comesBack() throws {
    let player = Player()
    let quiet = Event.session("show", .gain(.set(-20)))
    player.take(try Show.standard(quiet))
    _ = player.play(2_000)
    player.take(try Show.standard(quiet, .destination("show", "band", "usb", .on(false))))
    _ = player.play(2_000)
    #expect(player.release())
    _ = player.play(64)
    player.take(try Show.standard(quiet))
    let heard = player.play(960)[.output("usb", 1)] ?? []
    // After half of the ramp the level is one half. Two ramps would give one quarter.
    #expect(abs(heard[480] - 0.05) < 0.001)
    #expect(heard[959] == 0.1)
  }

  @Test("A crosspoint that is wanted again while it fades out rises from its present level")
  func turnsBack() throws {
    let player = Player()
    let quiet = Event.session("show", .gain(.set(-20)))
    player.take(try Show.standard(quiet))
    _ = player.play(2_000)
    player.take(try Show.standard(quiet, .destination("show", "band", "usb", .on(false))))
    let down = player.play(480)[.output("usb", 1)] ?? []
    player.take(try Show.standard(quiet))
    let up = player.play(960)[.output("usb", 1)] ?? []
    #expect(abs(down[479] - up[0]) < 0.001)
    #expect(up[959] == 0.1)
    #expect(!player.keeper.isFadingOut)
  }

  @Test(
    "A session that is removed while it sounds fades out",
    arguments: [Event.removeSession("show"), .removeStream("show", "band")])
  func removed(event: Event) throws {
    let player = Player()
    let quiet = Event.session("show", .gain(.set(-20)))
    player.take(try Show.standard(quiet))
    _ = player.play(2_000)
    player.take(try Show.standard(quiet, event))
    let heard = player.play(960)[.output("usb", 1)] ?? []
    #expect(heard.first.map { $0 > 0.09 } == true)
    #expect(abs(heard[480] - 0.05) < 0.001)
    #expect(heard.last == 0)
    #expect(player.release())
    #expect(!player.keeper.ports.contains(.stream("show", "band", 1)))
  }
}
