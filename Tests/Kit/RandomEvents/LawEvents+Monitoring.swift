import SessionModel

extension LawEvents {
  /// Solos, monitor outputs and talkbacks.
  mutating func monitoring(_ id: SessionID) -> Event {
    let output = pick(Self.outputs)
    return switch number(below: 18) {
    case 0...2: .solo(soloTarget(id), number(below: 4) > 0)
    case 3: number(below: 8) == 0 ? .clearSolos : .solo(.session(id), true)
    case 4: .port(.output, output, .monitor(.on(number(below: 4) > 0)))
    case 5:
      .port(.output, output, .monitor(pick([.point(.pfl), .point(.afl), .exclusive(false), .lease(true)])))
    case 6:
      .port(
        .output, output, .monitor(pick([.exclusive(true), .dim(-20), .dim(-.infinity), .level(.set(-6))])))
    case 7: .session(id, .talkback(.outputs(chance() ? [output] : [output, pick(Self.outputs)])))
    case 8: .session(id, .talkback(.outputs(chance() ? [] : [output], groups: [pick(Self.groups)])))
    case 9: .session(id, .talkback(pick([.dim(-30), .dim(0), .latch(0), .latch(0.3), .alarm(5)])))
    case 10: .closeTalkback(id)
    default: .talkback(id, number(below: 4) > 0)
    }
  }

  private mutating func soloTarget(_ id: SessionID) -> SoloTarget {
    pick([.stream(id, "main"), .input(pick(Self.inputs)), .output(pick(Self.outputs)), .player("walkin")])
  }
}
