import SessionModel
import SessionPolicy
import Testing

/// Outputs of one group are delayed so that a sound leaves all of them at the same time.
@Suite struct AlignmentTests {
  private func state(_ more: [Event]) throws -> RouterState {
    var state = RouterState()
    let names: [PortID] = ["near", "far", "other"]
    var events: [Event] = []
    for name in names {
      let glob = PortGlob("\(name):*")!
      events.append(
        .declarePort(.output, Port(id: name, name: name.name, type: .lineOut, globs: [glob], channels: 2)))
      events.append(.portsPresent([PortPresence(.output, name, members: ["\(name):1", "\(name):2"])]))
    }
    events += [
      .measured(.output, "near", latency: 0.01, isLimiting: false),
      .measured(.output, "far", latency: 0.05, isLimiting: false),
      .measured(.output, "other", latency: 0.1, isLimiting: false),
      .port(.output, "near", .alignmentGroup("house")), .port(.output, "far", .alignmentGroup("house")),
    ]
    for event in events + more { _ = try Policy.reduce(&state, event, at: 0) }
    return state
  }

  private static let all: [PortID] = ["near", "far", "other"]

  @Test(
    "An output gets the difference to the longest latency in its group; an output without a group gets no delay"
  )
  func group() throws {
    let state = try state([.align(Self.all)])
    #expect(abs(state.outputs["near"]!.alignment - 0.04) < 1e-12)
    #expect(state.outputs["far"]!.alignment == 0)
    #expect(state.outputs["other"]!.alignment == 0)
    #expect(abs(state.outputs["near"]!.latency - state.outputs["far"]!.latency) < 1e-12)
  }

  @Test("Joining or leaving a group changes no delay; only the command align does")
  func later() throws {
    #expect(try state([]).outputs["near"]!.alignment == 0)
    let left = try state([.align(Self.all), .port(.output, "near", .alignmentGroup(nil))])
    #expect(abs(left.outputs["near"]!.alignment - 0.04) < 1e-12)
    #expect(left.alignments["near"] == 0)
    let again = try state([
      .align(Self.all), .port(.output, "near", .alignmentGroup(nil)), .align(["near"]),
    ])
    #expect(again.outputs["near"]!.alignment == 0)
  }

  @Test("The operator's delay is added to the alignment, and both together are at most 2 s")
  func ownDelay() throws {
    let late = try state([.align(Self.all), .port(.output, "near", .delay(.set(0.5)))])
    #expect(abs(late.outputs["near"]!.alignment - 0.04) < 1e-12)
    #expect(abs(late.outputs["near"]!.latency - 0.55) < 1e-12)
    // Aligning again leaves the operator's delay as it is.
    #expect(late.alignments["near"] == late.outputs["near"]!.alignment)
    let latest = try state([.align(Self.all), .port(.output, "near", .delay(.set(2)))])
    #expect(abs(latest.outputs["near"]!.latency - 2.01) < 1e-12)
  }

  @Test("An output whose device is away is not aligned and does not count for its group")
  func away() throws {
    let gone = Event.portsPresent([PortPresence(.output, "far", members: [nil, nil])])
    let state = try state([.align(Self.all), gone, .align(Self.all)])
    #expect(state.outputs["near"]!.alignment == 0)
    #expect(state.alignments["far"] == nil)
  }
}
