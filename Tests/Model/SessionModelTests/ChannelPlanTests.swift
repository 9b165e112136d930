import SessionModel
import Testing

@Suite("The channels of programs' ports") struct ChannelPlanTests {
  private static let ports = ["a:1", "a:2", "a:3", "b:1", "b:2", "c:1"]

  private func plan(
    _ entries: [String], _ channels: Int, _ owner: ChannelPlan.Owner = .stream
  ) -> (pairs: [String], gaps: ChannelGaps) {
    let plan = ChannelPlan(entries.compactMap { ProgramPorts($0) }, channels: channels, of: owner) { entry in
      Self.ports.filter { entry.ports?.matches($0) ?? false }.map {
        ChannelPlan.Candidate($0, of: String($0.prefix(1)))
      }
    }
    return (plan.pairs.map { "\($0.channel) \($0.port)" }, plan.gaps)
  }

  @Test("The k-th port of each program belongs to channel k, in the order of the entries")
  func order() {
    #expect(plan(["a:2", "a:1"], 2).pairs == ["1 a:2", "2 a:1"])
    #expect(plan(["b:*", "a:*"], 2).pairs == ["1 b:1", "2 b:2", "1 a:1", "2 a:2"])
    #expect(plan(["b:*", "a:*"], 2).gaps == ChannelGaps(ports: ["a:3"]))
  }

  @Test("The only port of a program feeds all channels; the only channel of a capture feeds all ports")
  func single() {
    #expect(plan(["c:*"], 2).pairs == ["1 c:1", "2 c:1"] && plan(["c:*"], 2).gaps == ChannelGaps())
    #expect(plan(["a:*"], 1, .capture).pairs == ["1 a:1", "1 a:2", "1 a:3"])
    #expect(plan(["c:*"], 2, .capture).pairs == ["1 c:1"])
    #expect(plan(["c:*"], 2, .capture).gaps == ChannelGaps(channels: [2]))
  }

  @Test("Ports of an entry with a channel belong to that channel")
  func byHand() {
    let swapped = plan(["1=a:2", "2=a:1", "2=c:*"], 3)
    #expect(swapped.pairs == ["1 a:2", "2 a:1", "2 c:1"])
    #expect(swapped.gaps == ChannelGaps(channels: [3]))
    #expect(plan(["3=a:1"], 2).gaps == ChannelGaps(channels: [1, 2], ports: ["a:1"]))
  }

  private func fold(_ speakers: [String], channels: Int = 2) -> ChannelPlan {
    ChannelPlan([ProgramPorts("film:*")!], channels: channels, of: .stream) { _ in
      speakers.map { ChannelPlan.Candidate("film:out_\($0)", of: "film") }
    }
  }

  @Test(
    "A surround program is folded down into stereo, whatever order its ports have",
    arguments: [
      (["FC", "FL", "FR", "LFE", "RL", "RR"], ["1 FL", "2 FR", "3 FC", "4 RL", "5 RR"], ["LFE"]),
      (
        ["FC", "FL", "FR", "LFE", "RL", "RR", "SL", "SR"],
        ["1 FL", "2 FR", "3 FC", "4 RL", "4 SL", "5 RR", "5 SR"], ["LFE"]
      ),
      (["FL", "FR", "RC"], ["1 FL", "2 FR", "6 RC"], []),
      (["FL", "FR", "RL", "RR"], ["1 FL", "2 FR", "4 RL", "5 RR"], []),
    ] as [([String], [String], [String])])
  func foldDown(_ speakers: [String], _ pairs: [String], _ leftOut: [String]) {
    let plan = fold(speakers)
    #expect(plan.pairs.map { "\($0.channel) \($0.port.dropFirst(9))" }.sorted() == pairs)
    #expect(plan.gaps == ChannelGaps(ports: leftOut.map { "film:out_\($0)" }, isFolded: true))
  }

  @Test("The factors are those of ITU-R BS.775, and a channel that is no further port has none")
  func factors() {
    let lower = Float(0.5).squareRoot()
    let expected: [(Float, Float)] = [
      (0, 0), (0, 0), (lower, lower), (lower, 0), (0, lower), (0.5, 0.5), (0, 0),
    ]
    for (index, pair) in expected.enumerated() {
      #expect(
        FoldDown.factor(of: index + 1, in: 1) == pair.0 && FoldDown.factor(of: index + 1, in: 2) == pair.1)
    }
    #expect(FoldDown.name(of: 3, width: 2) == "centre" && FoldDown.name(of: 3, width: 4) == "3")
  }

  @Test("What is not surround, or not stereo, is not folded down")
  func noFold() {
    #expect(!fold(["FL", "FR"]).gaps.isFolded)
    #expect(!fold(["1", "2", "3", "4", "5", "6"]).gaps.isFolded)
    #expect(!fold(["FL", "FR", "FC", "aux"]).gaps.isFolded)
    let wide = fold(["FC", "FL", "FR", "LFE", "RL", "RR"], channels: 6)
    #expect(!wide.gaps.isFolded && wide.pairs.map(\.port.last) == ["L", "R", "C", "E", "L", "R"])
    #expect(
      ChannelGaps(isFolded: true).sentences(ofStream: "m") == [
        "m folds surround down to stereo (ITU-R BS.775)"
      ])
  }

  @Test("Without a program there are no gaps")
  func none() { #expect(plan(["z:*"], 2).gaps == ChannelGaps()) }

  @Test("Gaps are sentences")
  func sentences() {
    let gaps = ChannelGaps(channels: [2, 3], ports: ["a:4"])
    #expect(
      gaps.sentences(ofStream: "band") == [
        "nothing feeds channels 2, 3 of band", "no channel of band takes a:4",
      ])
    #expect(
      gaps.sentences(ofStream: nil) == [
        "channels 2, 3 of the capture feed nothing", "no channel of the capture feeds a:4",
      ])
    #expect(ChannelGaps().sentences(ofStream: "band") == [])
  }
}
