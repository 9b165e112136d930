import Chance
import MixEngine
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// `MixKeeper` finds out what an event changes in the mix without building the whole mix. These tests build the whole mix each time.
@Suite("Changes of the mix by an event")
struct MixChangeTests {
  private static let events = 2_500

  /// Calls `body` with the states before and after many random changes. A change is one event or several at once, as in a bundle.
  private func forEachChange(_ seed: UInt64, _ body: (RouterState, RouterState, Double) -> Void) throws {
    var (source, state) = (RandomEvents(seed: seed), try LawEvents.start())
    var before = state
    for step in 0..<Self.events {
      let time = Double(step) / 10
      _ = try? Policy.reduce(&state, source.next(state), at: time)
      body(before, state, time)
      if source.number(below: 3) > 0 { before = state }
    }
  }

  @Test("States of the same topology have the same crosspoints", arguments: 0..<Soak.count(2, of: 8))
  func topology(_ seed: UInt64) throws {
    var counts = [true: 0, false: 0]
    try forEachChange(seed) { before, after, time in
      let isSame = before.hasSameTopology(as: after)
      counts[isSame, default: 0] += 1
      guard isSame else { return }
      #expect(
        TopologyBuilder.topology(of: before) == TopologyBuilder.topology(of: after), "seed \(seed), \(time) s"
      )
    }
    // The positive control: both answers occur often.
    #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test(
    "The levels before the event, merged with the changed levels, are the levels after it",
    arguments: 0..<Soak.count(2, of: 8))
  func levels(_ seed: UInt64) throws {
    let liveness = Self.liveness
    var (partial, changed) = (0, 0)
    try forEachChange(seed) { before, after, time in
      guard before.hasSameTopology(as: after),
        let part = LevelBuilder.changes(of: after, since: before, liveness, at: time)
      else { return }
      partial += 1
      var merged = LevelBuilder.levels(of: before, liveness, at: time)
      let whole = LevelBuilder.levels(of: after, liveness, at: time)
      if merged != whole { changed += 1 }
      merged.stages.merge(part.stages) { $1 }
      for send in part.sends {
        merged.sends.removeAll { $0.key == send.key }
        merged.sends.append(send)
      }
      merged.treatments.merge(part.treatments) { $1 }
      #expect(merged.differences(from: whole).isEmpty, "seed \(seed), \(time) s")
    }
    // The positive control: only changed levels were computed, and they often differed.
    #expect(partial > 250 && changed > 100, "\(partial) \(changed)")
  }

  @Test("The comparison of levels finds a missing level and a different level")
  func control() throws {
    let state = try Show.standard()
    let whole = LevelBuilder.levels(of: state, Self.liveness, at: 0)
    var (missing, other) = (whole, whole)
    missing.stages[.sessionGain("show")] = nil
    for place in other.sends.indices { other.sends[place].level.target += 1 }
    #expect(missing.differences(from: whole).count == 1)
    #expect(other.differences(from: whole).count == whole.sends.count && !whole.sends.isEmpty)
  }

  /// All streams, ports and captures are connected.
  private static let liveness: Liveness = {
    var liveness = Liveness()
    liveness.outputs = ["spk", "usb", "ear", "phones", "hfp", "bt"]
    liveness.inputs = ["mic", "usb", "hfp", "hsmic"]
    for session in LawEvents.sessions {
      liveness.captures.insert(session)
      for stream: StreamID in ["main", "click"] {
        liveness.streams.insert(StreamAddress(session: session, stream: stream))
      }
    }
    return liveness
  }()
}

extension MixLevels {
  /// The stages, sends and outputs whose levels in `whole` are missing or different here.
  fileprivate func differences(from whole: MixLevels) -> [String] {
    whole.stages.filter { stages[$0.key] != $0.value }.map { "\($0.key)" }
      + whole.sends.filter { self[$0.key] != $0.level }.map { "\($0.key)" }
      + whole.treatments.filter { treatments[$0.key] != $0.value }.map { "\($0.key)" }
  }
}
