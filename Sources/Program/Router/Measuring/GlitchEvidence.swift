import MixEngine
import SessionModel

/// What is known about a glitch, or about a period that took nearly all of its time. Times are in seconds.
struct GlitchEvidence {
  var flight: TelemetryFlight
  /// The server's rate in Hz.
  var rate: Double
  /// How long the audio thread had no processor while it worked, lately; nil if the system does not tell.
  var interrupted: Double?
  /// How long the audio thread was ready and waited for a processor, lately; nil if the system does not tell.
  var waited: Double?
  /// By how much the policy thread came late, lately, without having worked: the whole router stood still.
  var standstill = 0.0
  /// Programs that hang and keep the server waiting.
  var hung: [String] = []

  /// The length of a period.
  var period: Double { Double(flight.framesBefore > 0 ? flight.framesBefore : flight.frames) / rate }
  var gap: Double { Double(flight.gap) * 1e-9 }
  /// The time of the router's work.
  var own: Double { Double(flight.own) * 1e-9 }
  /// By how much the period came late, or how much sound was lost, if that is more; for a period that took long, the time beyond its length.
  var delay: Double {
    let late = max(gap - period, Double(flight.lost) / rate)
    return max(0, flight.isGlitch ? late : own - period)
  }

  /// The cause, and why it was concluded.
  var conclusion: (cause: GlitchCause, why: String) {
    if own >= period / 2, own >= gap / 2 || !flight.isGlitch {
      if let interrupted, interrupted >= own / 2 {
        return (
          .machine,
          "the audio thread had no processor for \(Self.text(min(interrupted, own))) of the \(Self.text(own)) that its work took"
        )
      }
      return (
        .own,
        "the router's own work took \(Self.text(own)) of a period of \(Self.text(period)), most of it in the stage \(slowest)"
      )
    }
    if !hung.isEmpty {
      return (.server, "the server waited for \(hung.joined(separator: ", ")), which hangs")
    }
    if standstill >= max(delay / 4, 0.02) {
      return (
        .machine,
        "the whole router stood still for about \(Self.text(standstill)): it was stopped, or the machine slept or had no time for it"
      )
    }
    if let waited, waited >= delay / 2 {
      return (.machine, "the audio thread was ready and waited \(Self.text(waited)) for a processor")
    }
    let work = "the router's own work took only \(Self.text(own))"
    return flight.lost > 0
      ? (.server, "the server left out \(flight.lost) frames, and \(work)")
      : (.server, "the server called \(Self.text(delay)) late, and \(work)")
  }

  /// The record for clients and the log.
  func record(at time: Double, switches: FlightRecord.Switches?) -> FlightRecord {
    let (cause, why) = conclusion
    return FlightRecord(
      time: time, isGlitch: flight.isGlitch, cause: cause, why: why, delay: delay, period: period, gap: gap,
      own: own, stages: flight.times.seconds, lost: flight.lost, frames: flight.frames, ramps: flight.ramps,
      plan: flight.serial, switches: switches)
  }

  private var slowest: LoopStage {
    let times = flight.times.seconds
    return LoopStage.allCases.max { (times[$0] ?? 0) < (times[$1] ?? 0) } ?? .sinks
  }

  private static func text(_ seconds: Double) -> String {
    let tenths = (seconds * 10_000).rounded() / 10
    return seconds < 0.1 ? "\(tenths) ms" : "\(Int(tenths)) ms"
  }
}

extension StageTimes {
  /// The times in seconds.
  var seconds: [LoopStage: Double] {
    [
      .adopt: adopt, .stages: stages, .sources: sources, .sinks: sinks, .players: players, .voice: voice,
    ].mapValues { Double($0) * 1e-9 }
  }
}
