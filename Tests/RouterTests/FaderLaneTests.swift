import Chance
import MixEngine
import MixKernel
import OSC
import Parameters
import SessionModel
import Surface
import Synchronization
import Testing

@testable import Router

/// Which packets send a level ahead of the policy, on a server in memory.
@Suite struct FaderLaneTests {
  private static let me = PeerAddress(host: PeerAddress.loopbackHost, port: 9_001)
  private static let other = PeerAddress(host: PeerAddress.loopbackHost, port: 9_002)
  /// Who may control, and is not admin.
  private static let mixer = PeerAddress(host: 0x0a00_0001, port: 9_003)
  private static let gain = "/session/show/stream/band/gain"
  private static let fader = "/session/show/stream/band/fader"

  /// Does something on a router that plays a session.
  private static func onStage<Result: Sendable>(
    _ work: @Sendable (isolated Router) throws -> Result
  ) async throws -> Result {
    var settings = Router.Settings(version: "0", address: "memory", epoch: 1)
    settings.admission.hosts = [HostRule("10.0.0.0/8", right: .control)!]
    let router = Router(
      settings, backend: MemoryBackend(Show.devices + Show.program("Band", 2)), send: { _ in })
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
  fileprivate func perform<Result: Sendable>(_ work: @Sendable (isolated Router) throws -> Result) throws
    -> Result
  {
    try work(self)
  }

  /// The audio thread's part, without buffers.
  fileprivate func play(periods: Int = 1) {
    for _ in 0..<periods {
      mix?.engine.kernel.pointee.adopt()
      mix?.engine.kernel.pointee.run(frames: 64)
    }
  }

  /// A packet comes in by a socket, and the audio thread works on.
  /// - Parameter expected: whether its level goes ahead; nil is either.
  /// - Returns: whether it did.
  @discardableResult
  fileprivate func hear(
    _ address: String, _ arguments: OSCArgument..., from peer: PeerAddress, ahead expected: Bool? = nil,
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
  @Test("A fader goes ahead once it is known, by dB and by position, and for the peer that moved it alone")
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

  @Test("What the policy would refuse or clamp does not go ahead")
  func refused() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.me)
      for level: Float in [10.5, -91, .nan, .infinity] {
        router.hear(Self.gain, .float(level), from: Self.me, ahead: false)
        router.hear(Self.gain, .float(-6), from: Self.me)
      }
      // Other types mean the same to the policy, and are not worth a way of their own.
      router.hear(Self.gain, .int32(-6), from: Self.me, ahead: false)
    }
  }

  @Test("Nothing goes ahead of what is still on its way")
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
      // What cannot be decoded goes nowhere, and the level that waits still waits for its own packet.
      router.lane.enter([1, 2, 3].span, from: Self.other)
      router.lane.leave()
      #expect(router.lane.takeSent(of: Self.other) == nil)
      #expect(router.lane.takeSent(of: Self.me) == 1)
      #expect(router.lane.takeSent(of: Self.me) == nil)
      router.lane.leave()
    }
  }

  @Test("Whatever else happens makes the lane forget")
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

  @Test("A level that went ahead and is refused all the same has its plan at once, which takes it back")
  func overtaken() async throws {
    try await Self.onStage { router in
      router.hear(Self.gain, .float(-6), from: Self.mixer)
      let message = OSCMessage(Self.gain, .float(0))
      router.lane.enter(PacketEncoder.encode(message).span, from: Self.mixer)
      #expect(router.lane.count == 1)
      router.play()
      // What happens while the level is sent is all that can come between.
      router.state.isLocked = true
      let plans = router.mix?.engine.serial
      router.receive(.message(message), from: Self.mixer)
      router.lane.leave()
      #expect(router.mix?.engine.serial == plans.map { $0 + 1 })
      #expect(router.state.sessions["show"]?.streams["band"]?.gain.target == -6)
      router.hear(Self.gain, .float(-6), from: Self.mixer, ahead: false)
      router.hear(Self.gain, .float(-6), from: Self.mixer, ahead: false)
    }
  }

  @Test("More faders than a bank are not kept: those that moved last are")
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
    "Whatever comes in between, a level that went ahead is where its fader then stands, and what sounds",
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
