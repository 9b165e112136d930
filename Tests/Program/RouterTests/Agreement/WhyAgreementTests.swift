import Chance
import Foundation
import RandomEvents
import SessionPolicy
import Testing

@testable import Router
@testable import SessionModel

/// After each of many random events, what `why` tells is compared with the mix: in which outputs each stream is heard, and how loud where a
/// sentence tells that, who hears each talkback, and what monitor outputs hear of solos.
@Suite("Why and the sound agree")
struct WhyAgreementTests {
  /// How often each outcome occurred.
  private struct Counts {
    var (heard, silent, lowered) = (0, 0, 0)
    var (soloed, soloedSilently, spoken, closed) = (0, 0, 0, 0)
  }

  /// Shows of 250 events each: a thousand events, and ten thousand in `make soak`.
  private static let shows = Soak.count(4, of: 40)

  @Test("After any event every stream, talkback and solo is heard where why says so, as loud as why says")
  func agreement() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("WhyAgreementTests: seed \(seed)")
    var counts = Counts()
    for show in 0..<Self.shows { try follow(seed + UInt64(show), &counts) }
    // The positive control: every outcome occurred often.
    #expect(counts.heard > 200 && counts.silent > 200 && counts.lowered > 20, "\(counts)")
    #expect(counts.soloed > 50 && counts.soloedSilently > 50, "\(counts)")
    #expect(counts.spoken > 20 && counts.closed > 20, "\(counts)")
  }

  private func follow(_ seed: UInt64, _ counts: inout Counts) throws {
    var (source, state) = (RandomEvents(seed: seed, monitoring: true), try LawEvents.start())
    for step in 0..<250 {
      let time = Double(step) / 10
      let event = source.next(state)
      let isAccepted = (try? Policy.reduce(&state, event, at: time)) != nil
      // Random events silence nearly everything in the end.
      let livening = step.isMultiple(of: 5) ? Self.livening(state, isWide: source.number(below: 4) > 0) : []
      for event in livening { _ = try? Policy.reduce(&state, event, at: time) }
      guard isAccepted || !livening.isEmpty else { continue }
      let place: Comment = "seed \(seed), step \(step), after \(event)"
      let mix = SettledMix(state)
      compareStreams(state, mix, place, &counts)
      compareTalkbacks(state, mix, place, &counts)
      compareSolos(state, mix, place, &counts)
    }
  }

  /// Events that let most sessions be heard.
  /// - Parameter isWide: whether all sessions are multiRoute ones without interruptions, each with two streams at two outputs. The last one is a
  ///   talkback, too, and one output hears solos.
  private static func livening(_ state: RouterState, isWide: Bool) -> [Event] {
    let wide = SessionConfiguration(category: .multiRoute, options: .mixWithOthers)
    guard isWide, let last = state.sessions.keys.last else { return LawEvents.livening(state) }
    return LawEvents.livening(state) + [.clearInterruptions, .port(.output, "usb", .muted(false))]
      + state.sessions.keys.flatMap { id -> [Event] in
        [
          .configure(id, wide), .createStream(id, "main", channels: 2, placed: true),
          .createStream(id, "click", channels: 1, placed: false), .destination(id, "main", "usb", .on(true)),
          .destination(id, "click", "ear", .on(true)),
          .stream(id, "click", .sources(id == last ? [.input("mic", channels: nil)] : [])), .activate(id),
        ]
      } + [
        .session(last, .talkback(.outputs(["usb", "ear"]))), .talkback(last, true),
        .port(.output, "spk", .monitor(.on(true))),
      ]
  }

  // MARK: Streams

  private func compareStreams(
    _ state: RouterState, _ mix: SettledMix, _ place: Comment, _ counts: inout Counts
  ) {
    let activity = state.activity
    // The same sound without ducks, solos and talkbacks.
    var plain = state
    plain.monitoring = Monitoring()
    for id in state.sessions.keys { plain.sessions[id]?.ducks = [] }
    let whole = SettledMix(plain)
    for session in state.sessions.values {
      let ports: [PortID] =
        switch state.verdict(of: session, activity) {
        case .heard(let ports), .ducked(let ports, _): ports
        case .interrupted, .silent: []
        }
      let causes = state.causes(of: session, activity)
      let arrivals = state.arrivals(of: session, activity)
      var sounding: Set<PortID> = []
      for (stream, output) in session.streams.values.flatMap({ stream in
        state.outputs.keys.map { (stream, $0) }
      }) {
        let send = SendKey.stream(session.id, stream.id, output)
        let amplitude = mix.amplitude(of: send, at: output)
        let says = ports.contains(output) && state.isAudible(stream, of: session, at: output)
        #expect(
          says == (amplitude > 0), "\(place): \(stream.id) at \(output); \(state.why(session, activity))")
        let arrival = arrivals.first { ($0.stream, $0.output) == (stream.id, output) }
        // The mix is that of programs and players that are not silent.
        let isToldHeard = arrival.map {
          $0.hindrance == nil || $0.hindrance == state.silence(of: stream, in: session)
        }
        #expect(
          (isToldHeard ?? false) == says,
          "\(place): \(session.id).\(stream.id) at \(output): \(arrival?.hindrance ?? "no hindrance")")
        guard amplitude > 0 else {
          counts.silent += 1
          continue
        }
        sounding.insert(output)
        counts.heard += 1
        let told = lowering(causes, at: output, isDucked: !state.isExempt(stream, of: session, at: output))
        let heard = 20 * log10(Double(amplitude / whole.amplitude(of: send, at: output)))
        if told.sum < 0 { counts.lowered += 1 }
        #expect(
          abs(heard - told.sum) < 0.01 + 0.05 * Double(told.count),
          "\(place): \(session.id).\(stream.id) at \(output) is lowered by \(heard) dB; \(causes.map(\.text))"
        )
      }
      #expect(sounding == Set(ports), "\(place): \(state.why(session, activity))")
    }
  }

  /// The dB by which causes tell that all that a session plays at an output is ducked or dimmed, and the number of these causes.
  private func lowering(_ causes: [Cause], at output: PortID, isDucked: Bool) -> (sum: Double, count: Int) {
    let levels = causes.filter { $0.place == .output(output) }.compactMap { cause -> Double? in
      for words in ["dimmed by "] + (isDucked ? ["ducked to "] : []) where cause.sentence.hasPrefix(words) {
        return Double(cause.sentence.dropFirst(words.count).prefix { $0 != " " })
      }
      return nil
    }
    return (levels.reduce(0, +), levels.count)
  }

  // MARK: Talkbacks and solos

  private func compareTalkbacks(
    _ state: RouterState, _ mix: SettledMix, _ place: Comment, _ counts: inout Counts
  ) {
    for session in state.sessions.values where session.isTalkback {
      let why = state.whyOfTalkback(session)
      // Such as `open, latched: heard at a, b, where it dims everything else by -20 dB; c is away`.
      let list = why.components(separatedBy: ": heard at ").dropFirst().first?.components(
        separatedBy: ", where")[0]
      let said = list?.prefix { $0 != ";" }.components(separatedBy: ", ") ?? []
      let sounding = state.outputs.keys.filter { mix.amplitude(of: .talkback(session.id), at: $0) > 0 }
      #expect(
        Set(said) == Set(sounding.map(\.name)), "\(place): \(session.id) is \(why), heard at \(sounding)")
      if sounding.isEmpty { counts.closed += 1 } else { counts.spoken += 1 }
    }
  }

  private func compareSolos(
    _ state: RouterState, _ mix: SettledMix, _ place: Comment, _ counts: inout Counts
  ) {
    for monitor in state.monitors {
      let why = state.whyOfMonitor(monitor).components(separatedBy: "; ")
      for target in state.monitoring.solos {
        // The mix has no players here.
        if case .player = target { continue }
        let says = why.contains {
          $0.hasPrefix("hears \(target.words) (") && !$0.contains(", which is silent: ")
        }
        let isHeard = state.soloParts(of: target, at: monitor.id).contains {
          mix.isHeard($0, soloedAt: monitor.id)
        }
        #expect(says == isHeard, "\(place): \(target.words) at \(monitor.id); \(why)")
        if isHeard { counts.soloed += 1 } else { counts.soloedSilently += 1 }
      }
    }
  }
}
