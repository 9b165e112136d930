import ControlInterface
import SessionModel
import Testing

@testable import Metrics

@Suite struct MetricsPageTests {
  private func port(_ id: PortID, _ type: PortType, member: String?) -> Port {
    var port = Port(id: id, name: id.name, type: type, globs: [], channels: 1)
    port.members = [member]
    return port
  }

  /// A router with two outputs, a session and a player.
  private var reading: MetricsReading {
    var reading = MetricsReading()
    var state = RouterState()
    (state.server.isRunning, state.server.rate, state.server.period) = (true, 48_000, 256)
    state.server.clientName = "multiroute"
    state.outputs["usb"] = port("usb", .usbAudio, member: "USB:playback_1")
    state.outputs["headphones"] = port("headphones", .headphones, member: nil)
    var session = Session(id: "show")
    session.setActive(true)
    state.sessions["show"] = session
    reading.router.state = state
    reading.version = "9.9"
    return reading
  }

  private func lines(_ reading: MetricsReading) -> [String] {
    MetricsPage.text(of: reading).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("The page has the values of server, ports and sessions, with ids as labels")
  func values() {
    let lines = lines(reading)
    for line in [
      #"multiroute_build_info{version="9.9",jack="multiroute",osc=""} 1"#, "multiroute_server_up 1",
      "multiroute_sample_rate_hertz 48000", "multiroute_period_seconds 0.005333333333333333",
      #"multiroute_port_available{direction="output",port="usb",type="usbAudio"} 1"#,
      #"multiroute_port_available{direction="output",port="headphones",type="headphones"} 0"#,
      #"multiroute_session_active{session="show",category="soloAmbient",mode="default"} 1"#,
      #"multiroute_session_interrupted{session="show",category="soloAmbient",mode="default"} 0"#,
      #"multiroute_limited_samples_total{output="usb"} 0"#,
      #"multiroute_osc_errors_total{symbol="badValue"} 0"#,
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.last == "", "the last line ends, too")
  }

  @Test(
    "The echo that is removed and the frames that were late have their session as label; without voices there is no value"
  )
  func voices() {
    var reading = reading
    #expect(!lines(reading).contains { $0.hasPrefix("multiroute_echo_return_loss") })
    reading.router.state.loop.voices["show"] = 31.5
    reading.router.state.sessions["show"]?.voiceReport.lateFrames = 480
    reading.router.state.reportingVoices = ["show"]
    for line in [
      #"multiroute_echo_return_loss_enhancement_decibels{session="show"} 31.5"#,
      #"multiroute_voice_late_frames_total{session="show"} 480"#,
    ] { #expect(lines(reading).contains(line), "\(line)") }
  }

  @Test("Each family has one HELP and one TYPE before its samples, and a name of its own")
  func types() {
    var (families, current): ([String], String) = ([], "")
    for line in lines(reading).dropLast() {
      let words = line.split(separator: " ").map(String.init)
      if line.hasPrefix("# HELP ") {
        families.append(words[2])
      } else if line.hasPrefix("# TYPE ") {
        #expect(words[2] == families.last && ["counter", "gauge", "histogram"].contains(words[3]), "\(line)")
        #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
        current = words[2]
      } else {
        #expect(line.hasPrefix(current), "\(line)")
      }
    }
    #expect(families.count > 15 && Set(families).count == families.count)
  }

  @Test("A label with a backslash, a quote or a line end is escaped, and a help text keeps its quotes")
  func escaping() {
    var reading = reading
    reading.router.state.server.clientName = "a\"b\\c\nd"
    #expect(lines(reading).contains(#"multiroute_build_info{version="9.9",jack="a\"b\\c\nd",osc=""} 1"#))
    #expect(MetricFamily.escaped("a \"b\" \\\n", quotes: false) == #"a "b" \\\n"#)
  }

  @Test(
    "Numbers are written as Prometheus reads them",
    arguments: [
      (0.0, "0"), (-3, "-3"), (0.25, "0.25"), (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
      (.nan, "NaN"), (9_007_199_254_740_991, "9007199254740991"),
    ])
  func numbers(value: Double, text: String) { #expect(MetricFamily.text(value) == text) }

  @Test("What is not measured has no family, and appears when it is")
  func absent() {
    var reading = reading
    #expect(!MetricsPage.text(of: reading).contains("multiroute_measured_sample_rate_hertz{"))
    #expect(!MetricsPage.text(of: reading).contains("process_"))
    var loop = LoopFacts()
    (loop.rate, loop.drift) = (48_001.5, 0.00003)
    loop.counts.causes = [.machine: 2]
    (loop.counts.late, loop.counts.lost) = (3, 512)
    loop.counts.xrunCauses = [.server: 4, .own: 1]
    loop[.disk].total = 2.5
    loop.writtenBytes = ["desk": 96_044]
    reading.router.state.recorders["desk"] = MediaRecorder(id: "desk", source: .output("usb"))
    (reading.router.audio.players, reading.router.audio.voice) = (3_000_000, 1_000_000)
    loop.outputDrifts = ["far": 0.0001]
    reading.router.state.loop = loop
    reading.process = ProcessReading(start: 1_700_000_000, cpu: 1.5, residentBytes: 4_096)
    reading.freeBytes = [("recordings", 7)]
    let lines = lines(reading)
    for line in [
      #"multiroute_xruns_total{cause="server"} 4"#, #"multiroute_xruns_total{cause="own"} 1"#,
      #"multiroute_xruns_total{cause="machine"} 0"#,
      #"multiroute_stage_seconds_total{stage="players"} 0.003"#,
      #"multiroute_stage_seconds_total{stage="voice"} 0.001"#,
      #"multiroute_stage_seconds_total{stage="disk"} 2.5"#,
      #"multiroute_recorder_written_bytes_total{recorder="desk"} 96044"#,
      #"multiroute_measured_sample_rate_hertz{direction="in"} 48001.5"#,
      #"multiroute_glitches_total{cause="machine"} 2"#, "multiroute_late_callbacks_total 3",
      "multiroute_lost_frames_total 512", #"multiroute_clock_drift_ratio{port="output:far"} 0.0001"#,
      #"multiroute_clock_drift_ratio{port="server"} 3e-05"#, #"multiroute_glitches_total{cause="own"} 0"#,
      "process_start_time_seconds 1700000000",
      "process_resident_memory_bytes 4096", #"multiroute_disk_free_bytes{folder="recordings"} 7"#,
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test("A player has a sample for each state, of which one is 1")
  func players() {
    var reading = reading
    var player = MediaPlayer(id: "walkin", session: "show", stream: "main", seed: 1)
    player.facts.buffered = 0.75
    reading.router.state.players["walkin"] = player
    let states = lines(reading).filter { $0.hasPrefix("multiroute_player_state{") }
    #expect(states.count == PlayerState.allCases.count)
    #expect(
      states.filter { $0.hasSuffix(" 1") } == [#"multiroute_player_state{player="walkin",state="stopped"} 1"#]
    )
    #expect(lines(reading).contains(#"multiroute_player_buffer_seconds{player="walkin"} 0.75"#))
  }

  @Test("The buckets of the histogram add up, and the last one has all periods")
  func histogram() {
    var reading = reading
    reading.router.audio.durations.add(periods: 1, busy: 0.5, longest: 0.5, period: 1)
    reading.router.audio.durations.add(periods: 3, busy: 3.16, longest: 3, period: 1)
    let lines = lines(reading).filter { $0.hasPrefix("multiroute_callback_duration_ratio") }
    let counts = lines.compactMap { $0.contains("_bucket") ? Int($0.split(separator: " ")[1]) : nil }
    // Two of 0.08, one of 0.5 and one of 3.
    #expect(counts == [0, 2, 2, 2, 3, 3, 3, 3, 4])
    #expect(lines.contains("multiroute_callback_duration_ratio_count 4"))
    #expect(lines.contains { $0.hasPrefix("multiroute_callback_duration_ratio_sum 3.66") })
  }

  @Test("The values of the process are found behind a program's name with parentheses and blanks")
  func process() throws {
    let fields = (3...24).map { "\($0)" }.joined(separator: " ")
    let reading = try #require(
      ProcessReading(stat: "42 (a) b) \(fields)", boot: 1_000, ticks: 100, page: 4_096))
    #expect(reading == ProcessReading(start: 1_000.22, cpu: 0.29, residentBytes: 24 * 4_096))
    #expect(ProcessReading(stat: "42 (a", boot: 0, ticks: 100, page: 4_096) == nil)
    let now = try #require(ProcessReading.now)
    #expect(now.residentBytes > 1_000_000 && now.start > 1_600_000_000 && now.cpu >= 0)
  }
}
