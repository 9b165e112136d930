import Chance
import ControlInterface
import MixEngine
import MixKernel
import OSC
import Parameters
import ServerInterface
import SessionModel
import Synchronization
import Testing

@testable import OSCSurface
@testable import Router

/// Tests which packets send an early level to the audio thread, with an audio server in memory.
@Suite struct FaderLaneTests {
  private static let me = Peer.local(9_001)
  private static let other = Peer.local(9_002)
  /// A peer with the right `control`, not admin.
  private static let mixer = Peer.remote(HostAddress(0x0a00_0001), 9_003)
  private static let gain = "/session/show/stream/band/gain"
  private static let fader = "/session/show/stream/band/fader"

  /// Runs work on a router with a playing session.
  private static func onStage<Result: Sendable>(
    _ work: @Sendable (isolated Router) throws -> Result
  ) async throws -> Result {
    let admission = Admission(hosts: [HostRule("10.0.0.0/8", right: .control)!])
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.devices + Show.program("Band", 2)),
      listeners: [SurfaceService(admission: admission)], isInline: true)
    defer { router.executor.stop() }
    return try await router.perform { router in
      router.seekServer()
      router.followSearch()
      for event in Show.session { router.happen(event) }
      return try work(router)
    }
  }
}

extension Router {
  /// Does the work of the audio thread for some periods, without buffers.
  fileprivate func play(periods: Int = 1) {
    for _ in 0..<periods {
      engine?.kernel.pointee.adopt()
      engine?.kernel.pointee.run(frames: 64, waits: false)
    }
  }

  /// Receives a packet as from a socket, and runs one period.
  /// - Parameter expected: whether the packet must send an early level; nil allows both.
  /// - Returns: whether the packet sent an early level.
  @discardableResult
  fileprivate func hear(
    _ address: String, _ arguments: OSCArgument..., from peer: Peer, ahead expected: Bool? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    let message = OSCMessage(address, arguments)
    defer { lane.leave() }
    let before = lane.count
    lane.enter(PacketEncoder.encode(message).span, from: peer)
    let isAhead = lane.count > before
    if let expected { #expect(isAhead == expected, "\(message)", sourceLocation: sourceLocation) }
    receive(.message(message), from: peer)
    play()
    return isAhead
  }
}

extension FaderLaneTests {
  @Test(
    "A fader sends early levels from its second packet on, by dB and by position, for each peer separately")
  func known() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.me, ahead: false)
      router.hear(Self.gain, .float(-7), from: Self.me, ahead: true)
      router.hear(Self.gain, .float(-8), from: Self.other, ahead: false)
      router.hear(Self.gain, .float(-9), from: Self.me, ahead: true)
      router.hear(Self.gain, .float(-8), from: Self.other, ahead: true)
      router.hear(Self.fader, .float(0.5), from: Self.me, ahead: false)
      router.hear(Self.fader, .float(0.6), from: Self.me, ahead: true)
      router.hear(Self.gain, .float(-7), from: Self.me, ahead: true)
    }
  }

  @Test("A level that the law would refuse or limit is not sent early")
  func refused() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.me)
      for level: Float in [10.5, -91, .nan, .infinity] {
        router.hear(Self.gain, .float(level), from: Self.me, ahead: false)
        router.hear(Self.gain, .float(-6), from: Self.me)
      }
      // The router accepts other argument types, too, but not as early levels.
      router.hear(Self.gain, .int32(-6), from: Self.me, ahead: false)
    }
  }

  @Test("No level is sent early while earlier packets wait for their decision")
  func waiting() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.me)
      let bytes = PacketEncoder.encode(OSCMessage(Self.gain, .float(-10)))
      router.lane.enter(PacketEncoder.encode(OSCMessage("/ping")).span, from: Self.me)
      router.lane.enter(bytes.span, from: Self.me)
      #expect(router.lane.count == 0)
      router.lane.leave()
      router.lane.leave()
      router.lane.enter(bytes.span, from: Self.me)
      #expect(router.lane.count == 1)
      // A malformed packet has no effect, and the early level still waits for its own packet.
      router.lane.enter([1, 2, 3].span, from: Self.other)
      router.lane.leave()
      #expect(router.lane.takeSent(of: Self.other) == nil)
      #expect(router.lane.takeSent(of: Self.me) == 1)
      #expect(router.lane.takeSent(of: Self.me) == nil)
      router.lane.leave()
    }
  }

  @Test("Any other command or event makes the lane forget its faders")
  func forgetting() async throws {
    try await Self.onStage { router in
      let others: [(String, [OSCArgument])] = [
        ("/ping", []), (Self.gain, []), (Self.gain + "/touch", [.int32(0)]),
        ("/output/usb/mute", [.int32(0)]),
        (Self.gain + "/fade", [.float(-10), .float(1)]), ("/nothing", [.int32(1)]),
        ("/system/ramp", [.float(0.1)]),
      ]
      for (address, arguments) in others {
        router.hear(Self.gain, .float(-6), from: Self.me)
        router.hear(Self.gain, .float(-7), from: Self.me, ahead: true)
        router.receive(.message(OSCMessage(address, arguments)), from: Self.other)
        router.hear(Self.gain, .float(-8), from: Self.me, ahead: false)
      }
      router.hear(Self.gain, .float(-7), from: Self.me, ahead: true)
      router.happen(.router(.panic(true)))
      router.hear(Self.gain, .float(-8), from: Self.me, ahead: false)
      router.hear(Self.gain, .float(-7), from: Self.me, ahead: true)
      router.lose()
      router.hear(Self.gain, .float(-8), from: Self.me, ahead: false)
      router.hear(Self.gain, .float(-8), from: Self.me, ahead: false)
    }
  }

  @Test("If the law refuses a level that was sent early, a new plan corrects the level at once")
  func overtaken() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.mixer)
      let message = OSCMessage(Self.gain, .float(0))
      router.lane.enter(PacketEncoder.encode(message).span, from: Self.mixer)
      #expect(router.lane.count == 1)
      router.play()
      // Only an event during the sending can come between the early level and the decision.
      router.state.isLocked = true
      let plans = router.engine?.serial
      router.receive(.message(message), from: Self.mixer)
      router.lane.leave()
      #expect(router.engine?.serial == plans.map { $0 + 1 })
      #expect(router.state.sessions["show"]?.streams["band"]?.gain.target == -6)
      router.hear(Self.gain, .float(-6), from: Self.mixer, ahead: false)
      router.hear(Self.gain, .float(-6), from: Self.mixer, ahead: false)
    }
  }

  @Test("The lane keeps the 32 faders that moved last")
  func bank() async throws {
    try await Self.onStage { router in
      for number in 0..<40 {
        router.receive(
          .message(OSCMessage("/session/show/stream/create", [.string("s\(number)"), .int32(1)])),
          from: Self.me)
      }
      for number in 0..<40 { router.hear("/session/show/stream/s\(number)/gain", .float(-6), from: Self.me) }
      let ahead = (0..<40).reversed().filter {
        router.hear("/session/show/stream/s\($0)/gain", .float(-7), from: Self.me)
      }
      #expect(ahead.count == 32)
      #expect(ahead.min() == 8)
    }
  }

  @Test(
    "After any sequence of commands, the decided level of a fader equals its early level",
    arguments: 0..<8)
  func agreement(seed: UInt64) async throws {
    let ahead = try await Self.onStage { router in
      var (dice, ahead) = (SeededGenerator(seed: seed), 0)
      let streams = ["band", "click"]
      for _ in 0..<400 {
        let stream = streams.randomElement(using: &dice)!
        let peer = Bool.random(using: &dice) ? Self.me : Self.other
        let address = "/session/show/stream/\(stream)/gain"
        let level = Float.random(in: -100...15, using: &dice).rounded()
        switch Int.random(in: 0..<14, using: &dice) {
        case 0: router.hear(address + "/touch", .int32(Int32.random(in: 0...1, using: &dice)), from: peer)
        case 1: router.hear(address + "/fade", .float(level), .float(0.5), from: peer)
        case 2:
          router.hear(
            "/session/show/stream/\(stream)/mute", .int32(Int32.random(in: 0...1, using: &dice)), from: peer)
        case 3: router.hear("/session/show/active", .int32(Int32.random(in: 0...1, using: &dice)), from: peer)
        default:
          if router.hear(address, .float(level), from: peer) {
            ahead += 1
            let control = router.state.sessions["show"]?.streams[StreamID(stream)!]?.gain
            #expect(control.map { Float($0.target) } == level)
          }
        }
        router.play(periods: Int.random(in: 0...3, using: &dice))
      }
      return ahead
    }
    #expect(ahead > 20)
  }
}
