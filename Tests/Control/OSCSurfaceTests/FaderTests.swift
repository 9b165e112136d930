import ControlInterface
import OSC
import OSCSurface
import SessionModel
import Testing

/// The packets that the surface knows to move one fader and do nothing else.
@Suite struct FaderTests {
  /// The fader that a packet moved, and its amplitude.
  private static func moved(
    _ packet: OSCPacket, by peer: Peer = Desk.me, _ desk: inout Desk
  ) throws -> (fader: Surface.Fader, amplitude: Float)? {
    let trial = desk.surface.decide(packet, from: peer, &desk.state, at: desk.time)
    return try #require(trial).movedFader(by: packet, in: desk.state)
  }

  private static func moved(
    _ address: String, _ arguments: OSCArgument..., desk: inout Desk
  ) throws -> (fader: Surface.Fader, amplitude: Float)? {
    try moved(.message(OSCMessage(address, arguments)), &desk)
  }

  private static func desk() throws -> Desk {
    var desk = Desk()
    desk.send("/session/create", .string("band"), .string("multiRoute"))
    desk.send("/session/band/stream/create", .string("main"), .int32(2))
    return desk
  }

  private static let gain = "/session/band/stream/main/gain"
  private static let fader = "/session/band/stream/main/fader"

  @Test("A level in dB and a fader's position give the right amplitude, from off to the maximum")
  func levels() throws {
    var desk = try Self.desk()
    let (gain, amplitude) = try #require(try Self.moved(Self.gain, .float(-20), desk: &desk))
    #expect((gain.peer, gain.address) == (Desk.me, Self.gain))
    #expect(amplitude == 0.1)
    #expect(gain.amplitude(-20) == 0.1)
    #expect(gain.amplitude(0) == 1)
    #expect(gain.amplitude(-90) == 0)
    #expect(gain.amplitude(10) == Decibels(10).amplitude)
    for refused: Float in [10.1, -90.1, .infinity, -.infinity, .nan] {
      #expect(gain.amplitude(refused) == nil)
    }
    let (fader, position) = try #require(try Self.moved(Self.fader, .float(0.75), desk: &desk))
    #expect(position == 1)
    #expect(fader.amplitude(0.75) == 1)
    #expect(fader.amplitude(0) == 0)
    for refused: Float in [1.01, -0.01, .nan] { #expect(fader.amplitude(refused) == nil) }
  }

  @Test("The early amplitude of a number is the one that the policy decides, over the whole range")
  func agreement() throws {
    var desk = try Self.desk()
    let (gain, _) = try #require(try Self.moved(Self.gain, .float(0), desk: &desk))
    let (fader, _) = try #require(try Self.moved(Self.fader, .float(0.5), desk: &desk))
    for step in 0...200 {
      let (level, position) = (Float(step) / 2 - 90, Float(step) / 200)
      let set = try #require(try Self.moved(Self.gain, .float(level), desk: &desk))
      #expect(gain.amplitude(level) == set.amplitude)
      let put = try #require(try Self.moved(Self.fader, .float(position), desk: &desk))
      #expect(fader.amplitude(position) == put.amplitude)
    }
  }

  @Test("A packet that reads, acts, fades, fails, or does more than one thing moves no known fader")
  func others() throws {
    var desk = try Self.desk()
    let others: [OSCPacket] = [
      .message(OSCMessage(Self.gain)), .message(OSCMessage("/ping")),
      .message(OSCMessage(Self.gain, .float(11))), .message(OSCMessage(Self.gain, .string("loud"))),
      .message(OSCMessage(Self.gain + "/inc", .float(1))), .message(OSCMessage(Self.gain + "/reset")),
      .message(OSCMessage(Self.gain + "/fade", [.float(-10), .float(1)])),
      .message(OSCMessage(Self.gain + "/touch", .int32(1))),
      .message(OSCMessage("/session/band/stream/main/mute", .int32(1))),
      .message(OSCMessage("/session/band/stream/main/pan", .float(0.5))),
      .message(OSCMessage("/session/*/stream/main/gain", .float(-3))),
      .bundle(
        OSCBundle([
          .message(OSCMessage(Self.gain, .float(-3))), .message(OSCMessage("/session/band/gain", .float(-3))),
        ])),
    ]
    for packet in others { #expect(try Self.moved(packet, &desk) == nil, "\(packet)") }
  }

  @Test("No number is early above the maximum, neither a level nor a position")
  func maximum() throws {
    var desk = try Self.desk()
    desk.send("/session/band/max", -6.0)
    let (fader, _) = try #require(try Self.moved("/session/band/fader", .float(0.25), desk: &desk))
    let most = Float(Decibels(-6).fader)
    #expect(fader.amplitude(most - 0.01) != nil && fader.amplitude(most + 0.01) == nil)
    #expect(fader.amplitude(1) == nil)
    let (gain, _) = try #require(try Self.moved("/session/band/gain", .float(-20), desk: &desk))
    #expect(gain.amplitude(-6) != nil && gain.amplitude(-5.9) == nil)
  }
}
