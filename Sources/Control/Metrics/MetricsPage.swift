import ControlInterface
import SessionModel

/// The page of metrics, in the text format of Prometheus (docs/operate/metrics.md).
public enum MetricsPage {
  /// The type of the page (HTTP).
  public static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// Makes the page. Takes about a millisecond for a show; not for the policy thread.
  public static func text(of reading: MetricsReading) -> String {
    var page = ""
    for family in families(of: reading) { family.write(to: &page) }
    return page
  }

  /// All families in the order of the page, also those without a sample.
  static func families(of reading: MetricsReading) -> [MetricFamily] {
    program(reading) + server(reading) + audio(reading.router) + loop(reading) + ports(reading.router)
      + sessions(reading) + surface(reading) + media(reading)
  }

  // MARK: The program

  private static func program(_ reading: MetricsReading) -> [MetricFamily] {
    var build = MetricFamily(
      "multiroute_build_info", .gauge,
      "The version of the router, its name at the JACK server, and its OSC address.")
    build.add(
      1, ("version", reading.version), ("jack", reading.router.state.server.clientName),
      ("osc", reading.surface.address))
    guard let process = reading.process else { return [build] }
    return [
      build,
      MetricFamily(
        "process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.",
        value: process.start),
      MetricFamily(
        "process_cpu_seconds_total", .counter, "Processor time of all threads.", value: process.cpu),
      MetricFamily(
        "process_resident_memory_bytes", .gauge, "Memory of the process that is not swapped out.",
        value: Double(process.residentBytes)),
    ]
  }

  private static func server(_ reading: MetricsReading) -> [MetricFamily] {
    let server = reading.router.state.server
    var rate = MetricFamily("multiroute_sample_rate_hertz", .gauge, "Sample rate of the audio server.")
    var period = MetricFamily("multiroute_period_seconds", .gauge, "Length of a period of the audio server.")
    if server.rate > 0 {
      rate.add(Double(server.rate))
      period.add(Double(server.period) / Double(server.rate))
    }
    var xruns = MetricFamily(
      "multiroute_xruns_total", .counter, "Xruns that the audio server has reported, by what caused them.")
    for cause in GlitchCause.allCases {
      xruns.add(
        Double(reading.router.state.loop.counts.xrunCauses[cause] ?? 0), ("cause", cause.rawValue))
    }
    return [
      MetricFamily(
        "multiroute_server_up", .gauge, "Whether the router is connected to an audio server.",
        value: server.isRunning ? 1 : 0),
      MetricFamily(
        "multiroute_server_restarts_total", .counter, "How often the audio server has come back.",
        value: Double(reading.events.serverRestarts)),
      rate, period, xruns,
    ]
  }

  // MARK: The audio thread

  private static func audio(_ router: RouterReading) -> [MetricFamily] {
    let audio = router.audio
    var durations = MetricFamily(
      "multiroute_callback_duration_ratio", .histogram,
      "Time that the audio thread took for a period, in shares of the period.")
    var count = 0
    func bucket(_ bound: String) -> MetricFamily.Sample {
      MetricFamily.Sample(suffix: "_bucket", labels: [("le", bound)], value: Double(count))
    }
    for (index, bound) in DurationHistogram.bounds.enumerated() {
      count += audio.durations.counts[index]
      durations.samples.append(bucket(MetricFamily.text(bound)))
    }
    count = audio.durations.count
    durations.samples += [
      bucket("+Inf"), MetricFamily.Sample(suffix: "_sum", labels: [], value: audio.durations.sum),
      MetricFamily.Sample(suffix: "_count", labels: [], value: Double(count)),
    ]
    return [
      MetricFamily(
        "multiroute_periods_total", .counter, "Periods that the audio thread has processed.",
        value: Double(audio.periods)),
      MetricFamily(
        "multiroute_frames_total", .counter, "Frames that the audio thread has processed.",
        value: Double(audio.frames)),
      durations,
      MetricFamily(
        "multiroute_callback_longest_seconds", .gauge,
        "Longest time that the audio thread worked in one period since the start.", value: router.longest),
      MetricFamily(
        "multiroute_load_ratio", .gauge, "Share of the period that the audio thread used lately.",
        value: router.load),
    ]
  }

  private static func loop(_ reading: MetricsReading) -> [MetricFamily] {
    let (audio, loop) = (reading.router.audio, reading.router.state.loop)
    var stages = MetricFamily(
      "multiroute_stage_seconds_total", .counter,
      "Time that each stage of the periods has taken, and the threads of files (disk).")
    for (name, nanoseconds) in [
      ("adopt", audio.adopt), ("stages", audio.stages), ("sources", audio.sources), ("sinks", audio.sinks),
      ("players", audio.players), ("voice", audio.voice),
    ] { stages.add(Double(nanoseconds) * 1e-9, ("stage", name)) }
    stages.add(loop[.disk].total, ("stage", "disk"))
    var rates = MetricFamily(
      "multiroute_measured_sample_rate_hertz", .gauge, "Sample rate as measured by the clock of this machine."
    )
    // It is measured for some seconds before it is known.
    if loop.rate > 0 { for direction in ["in", "out"] { rates.add(loop.rate, ("direction", direction)) } }
    var drifts = MetricFamily(
      "multiroute_clock_drift_ratio", .gauge, "Measured rate of a port's clock over the nominal one, less 1.")
    if loop.rate > 0 { drifts.add(loop.drift, ("port", "server")) }
    for (direction, ports) in [("output", loop.outputDrifts), ("input", loop.inputDrifts)] {
      for (port, drift) in ports.sorted(by: { $0.key.name < $1.key.name }) {
        drifts.add(drift, ("port", "\(direction):\(port)"))
      }
    }
    var glitches = MetricFamily("multiroute_glitches_total", .counter, "Interruptions of the sound.")
    for cause in GlitchCause.allCases {
      glitches.add(Double(loop.counts.causes[cause] ?? 0), ("cause", cause.rawValue))
    }
    return [
      stages, rates, glitches,
      MetricFamily(
        "multiroute_late_callbacks_total", .counter, "Periods that began late.",
        value: Double(loop.counts.late)),
      MetricFamily(
        "multiroute_lost_frames_total", .counter, "Frames that the audio server left out.",
        value: Double(loop.counts.lost)),
      drifts,
    ]
  }
}
