import MixEngine
import SessionModel
import Testing

@testable import Router

/// Which cause of a glitch is concluded from what is known, and why.
@Suite struct GlitchEvidenceTests {
  /// Evidence of a period of 256 frames at 48 kHz, which lasts 5.3 ms. Times are in milliseconds.
  private func evidence(
    gap: Double, own: Double, lost: Int = 0, isLate: Bool = true, sinks: Double = 0,
    _ change: (inout GlitchEvidence) -> Void = { _ in }
  ) -> GlitchEvidence {
    var flight = TelemetryFlight()
    (flight.gap, flight.own) = (Int(gap * 1e6), Int(own * 1e6))
    flight.times.sinks = Int(sinks * 1e6)
    (flight.frames, flight.framesBefore, flight.lost, flight.isLate) = (256, 256, lost, isLate)
    var evidence = GlitchEvidence(flight: flight, rate: 48_000)
    change(&evidence)
    return evidence
  }

  @Test(
    "If the router's own work took most of the time and had a processor, the router is the cause, and the stage is named"
  )
  func own() {
    for interrupted in [nil, 0.0003] {
      let (cause, why) = evidence(gap: 11, own: 10.5, lost: 256, sinks: 9) { $0.interrupted = interrupted }
        .conclusion
      #expect(cause == .own)
      #expect(
        why == "the router's own work took 10.5 ms of a period of 5.3 ms, most of it in the stage sinks")
    }
    #expect(evidence(gap: 5.3, own: 4.5, isLate: false, sinks: 4).conclusion.cause == .own)
  }

  @Test("If the work was interrupted, the machine is the cause")
  func interrupted() {
    let (cause, why) = evidence(gap: 31, own: 30, lost: 1_280) { $0.interrupted = 0.0295 }.conclusion
    #expect(cause == .machine)
    #expect(why == "the audio thread had no processor for 29.5 ms of the 30.0 ms that its work took")
  }

  @Test("If the audio thread waited for a processor before its work, the machine is the cause")
  func waited() {
    let (cause, why) = evidence(gap: 20, own: 0.2) { $0.waited = 0.014 }.conclusion
    #expect(cause == .machine)
    #expect(why == "the audio thread was ready and waited 14.0 ms for a processor")
  }

  @Test("If the whole router stood still, the machine is the cause")
  func stopped() {
    let (cause, why) = evidence(gap: 800, own: 0.2, lost: 38_000, isLate: false) { $0.standstill = 0.7 }
      .conclusion
    #expect(cause == .machine)
    #expect(why.hasPrefix("the whole router stood still for about 700 ms"))
  }

  @Test("If the router was quick and ready, the server is the cause; a program that hangs is named")
  func server() {
    let quick = evidence(gap: 20, own: 0.2) { ($0.waited, $0.interrupted) = (0.0004, 0) }.conclusion
    #expect(quick.cause == .server)
    #expect(quick.why == "the server called 14.7 ms late, and the router's own work took only 0.2 ms")
    let skipped = evidence(gap: 20, own: 0.2, lost: 768).conclusion
    #expect(skipped.cause == .server)
    #expect(skipped.why == "the server left out 768 frames, and the router's own work took only 0.2 ms")
    let hung = evidence(gap: 900, own: 0.2, lost: 43_000, isLate: false) { $0.hung = ["mpv"] }.conclusion
    #expect(hung.cause == .server)
    #expect(hung.why == "the server waited for mpv, which hangs")
  }

  @Test("The delay is the time by which the period came late, or that of the lost frames if that is longer")
  func delay() {
    #expect(abs(evidence(gap: 20, own: 0.2).delay - 0.014_667) < 1e-5)
    #expect(abs(evidence(gap: 6, own: 0.2, lost: 4_800).delay - 0.1) < 1e-5)
    #expect(abs(evidence(gap: 5.3, own: 6.3, isLate: false).delay - 0.000_967) < 1e-5)
  }
}
