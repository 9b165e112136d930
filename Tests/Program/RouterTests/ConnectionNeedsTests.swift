import Chance
import RandomEvents
import ServerInterface
import SessionModel
import SessionPolicy
import Testing

@testable import Router

@Suite("The needs of a state at the audio server")
struct ConnectionNeedsTests {
  /// All values that decide about connections in a state.
  private struct Full: Equatable {
    var links: [Link: LinkOwner]
    var exclusive: Set<Link>
    var members: [Direction: [PortID: [String?]]]
    var claimed: [Direction: Set<String>]
    var superseded: [[PortID]]

    init(_ state: RouterState, _ system: [SystemPort]) {
      let wanted = WantedLinks(state, system, client: "multiroute")
      links = Dictionary(wanted.links) { first, _ in first }
      // Every port is connected to a stranger, so what is taken away shows which ports are exclusive.
      var (exclusives, graph) = (ExclusivePorts(), GraphSnapshot())
      for port in system { graph.connections[port.name] = ["Stranger:port"] }
      exclusives.take(wanted, state, graph, client: "multiroute", request: 1, time: 0)
      exclusive = Set(exclusives.disconnections)
      (members, claimed) = ([:], [:])
      for direction in [Direction.output, .input] {
        let claims = PortClaims(state[direction], direction, system)
        (members[direction], claimed[direction]) = (claims.members, claims.claimed)
      }
      let discovery = Discovery(state, system)
      superseded = [Direction.output, .input].map { direction in
        discovery.superseded.filter { $0.0 == direction }.map(\.1)
      }
    }
  }

  private static let outputs = ["spk", "usb", "ear", "phones", "hfp", "bt"]
  private static let inputs = ["mic", "usb", "hfp", "hsmic"]
  private static let system =
    Show.program("Band", 2) + Show.program("Click", 1) + [SystemPort(name: "Band:in", isInput: true)]
    + outputs.flatMap { name in
      (1...2).map { SystemPort(name: "\(name):\($0)", isInput: true, isPhysical: true, isTerminal: true) }
    } + inputs.map { SystemPort(name: "\($0):in", isInput: false, isPhysical: true, isTerminal: true) }

  @Test(
    "Two states that need the same connections have the same wanted connections, devices and exclusive sources",
    arguments: 0..<Soak.count(2, of: 8))
  func equalsFull(_ seed: UInt64) throws {
    var (source, state) = (RandomEvents(seed: seed, monitoring: true), try LawEvents.start())
    var former = (state: state, full: Full(state, Self.system))
    var counts = [true: 0, false: 0]
    for step in 0..<2_500 {
      let event = source.next(state)
      _ = try? Policy.reduce(&state, event, at: Double(step) / 10)
      let full = Full(state, Self.system)
      let differ = ConnectionNeeds.differ(former.state, state)
      counts[differ, default: 0] += 1
      if !differ { #expect(full == former.full, "seed \(seed), step \(step): \(event)") }
      // Often several events lie between the two states, as in a bundle.
      if source.number(below: 3) == 0 { former = (state, full) }
    }
    // The positive control: both answers occur often.
    #expect(counts.values.allSatisfy { $0 > 250 }, "\(counts)")
  }

  @Test("A stream that is made anew with other channels needs other connections")
  func otherWidth() throws {
    let before = try Show.standard()
    let after = try Show.state(
      [
        .removeStream("show", "click"), .createStream("show", "click", channels: 2, placed: false),
        .stream("show", "click", .sources([.ports(ProgramPorts("Click:*")!)])),
      ], from: before)
    #expect(ConnectionNeeds.differ(before, after))
  }

  @Test("A level needs no other connections")
  func level() throws {
    let before = try Show.standard()
    let after = try Show.state([.session("show", .gain(.set(-6))), .router(.panic(true))], from: before)
    #expect(before != after && !ConnectionNeeds.differ(before, after))
  }
}
