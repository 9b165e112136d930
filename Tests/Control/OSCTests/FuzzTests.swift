import Chance
import OSC
import PacketFuzz
import Testing

@Suite("Random packets")
struct FuzzTests {
  @Test(
    "A packet that was decoded stays the same when it is encoded and decoded again, and no bytes crash the decoder",
    arguments: 0..<4)
  func mutations(run: Int) throws {
    var mutator = PacketMutator(seed: FuzzBudget.seed(run))
    let decoder = PacketDecoder()
    // Repaired texts are longer than what was sent.
    let generous = PacketDecoder(limits: .answer)
    var reasons: [OSCDecodeError: Int] = [:]
    var (rounds, accepted) = (0, 0)
    for _ in FuzzBudget(rounds: 50_000) {
      rounds += 1
      let bytes = mutator.next()
      let packet: OSCPacket
      do throws(OSCDecodeError) {
        packet = try decoder.decode(bytes)
      } catch {
        reasons[error, default: 0] += 1
        continue
      }
      accepted += 1
      let encoded = PacketEncoder.encode(packet)
      let again = try generous.decode(encoded)
      if Bits(again) != Bits(packet) || PacketEncoder.encode(again) != encoded {
        Issue.record("changed on the way: \(bytes)")
      }
    }
    // The positive control: there were enough of both. A few seconds with the sanitizer are too short for the rarest reasons.
    #expect(10 * accepted > rounds)
    let rare: [OSCDecodeError] =
      rounds < 50_000 ? OSCDecodeError.allCases : [.refusedByCodec, .oversize, .badFrame]
    for reason in OSCDecodeError.allCases where !rare.contains(reason) {
      #expect(reasons[reason, default: 0] > 0, "no packet was dropped because: \(reason)")
    }
    #expect(reasons[.refusedByCodec] == nil, "liblo refused a packet that the layout check had accepted")
  }

  @Test("A difference in one bit of a NaN is a difference")
  func positiveControl() {
    let one = OSCPacket.message(OSCMessage("/a", .float(Float(bitPattern: 0x7fc0_0001))))
    let other = OSCPacket.message(OSCMessage("/a", .float(Float(bitPattern: 0x7fc0_0002))))
    #expect(Bits(one) == Bits(one))
    #expect(Bits(one) != Bits(other))
  }

  /// A packet compared by bits: a NaN equals itself.
  private struct Bits: Equatable {
    private let packet: OSCPacket

    init(_ packet: OSCPacket) { self.packet = Self.exact(packet) }

    private static func exact(_ packet: OSCPacket) -> OSCPacket {
      switch packet {
      case .message(let message): .message(OSCMessage(message.address, message.arguments.map(exact)))
      case .bundle(let bundle): .bundle(OSCBundle(timetag: bundle.timetag, bundle.elements.map(exact)))
      case .encoded(let encoded): exact(.message(encoded.message))
      }
    }

    /// A text in front, which no other value has, distinguishes the types.
    private static func exact(_ argument: OSCArgument) -> OSCArgument {
      switch argument {
      case .float(let value): .symbol("float \(value.bitPattern)")
      case .double(let value): .symbol("double \(value.bitPattern)")
      case .symbol(let text): .symbol("symbol \(text)")
      default: argument
      }
    }
  }
}
