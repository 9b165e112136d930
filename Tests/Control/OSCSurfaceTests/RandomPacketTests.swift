import Chance
import OSC
import PacketFuzz
import SessionModel
import Testing

@Suite("Random packets at the surface")
struct RandomPacketTests {
  /// Messages that the surface knows, beside packets of every shape.
  private static let seeds: [[UInt8]] = {
    let messages = [
      OSCMessage("/session/show/gain", -3.0), OSCMessage("/session/*/gain/fade", -20.0, 0.5),
      OSCMessage("/session/music/active", 1),
      OSCMessage("/session/music/set", "playback", "default", "duckOthers"),
      OSCMessage("/session/{show,m*}/mute", 1), OSCMessage("/session/create", "more", "playback"),
      OSCMessage("/session/show/stream/main/route", "usb:1-2,headphones=-6"),
      OSCMessage("/session/show/stream/main/from", "Band:out_*"), OSCMessage("/output/usb/delay", 0.1),
      OSCMessage("/request", 7, "/session/show/gain", -3.0), OSCMessage("/get", "/*/*/gain"),
      OSCMessage("/subscribe", "/session"), OSCMessage("/snapshot", "/output"), OSCMessage("/event/since", 0),
      OSCMessage("/interruption/phone/on", 1), OSCMessage("/system/list", "/session"), OSCMessage("/sync", 1),
    ]
    return PacketMutator.everyShape + messages.map { PacketEncoder.encode($0) }
  }()

  @Test(
    "No packet that can be decoded stops the surface, and every level stays in its range", arguments: 0..<2)
  func packets(run: Int) throws {
    var (desk, mutator) = (
      try Desk.stage(), PacketMutator(seed: FuzzBudget.seed(100 + run), seeds: Self.seeds)
    )
    let (start, decoder) = (desk.state, PacketDecoder())
    var (decoded, changed) = (0, 0)
    for round in FuzzBudget(rounds: 4_000) {
      guard let packet = try? decoder.decode(mutator.next()) else { continue }
      decoded += 1
      desk.time += 0.01
      let before = desk.state
      desk.send(packet, from: Desk.local(UInt16(9_000 + round % 40)))
      if desk.state != before { changed += 1 }
      if decoded.isMultiple(of: 50) { desk.wait(0.05) }
      if decoded.isMultiple(of: 500) {
        for session in desk.state.sessions.values { #expect((-90...10).contains(session.gain.target)) }
        // States of thousands of random commands would make the test slow.
        desk.state = start
      }
    }
    #expect(decoded > 100 && changed > 10, "the packets reach nothing")
  }
}
