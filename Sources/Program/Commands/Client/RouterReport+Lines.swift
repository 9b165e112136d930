import Numbers
import OSC
import SessionModel

extension RouterReport {
  /// The report as tables for a person.
  func lines(_ console: Console) -> [String] {
    var lines = [console.styled("multiroute at \(router)", .bold) + ": \(summary)"]
    if !counters.isEmpty {
      lines.append(counters.map(Self.counter).joined(separator: ", "))
    }
    lines.append(circumstances)
    lines += [""] + sessionTable.lines(console)
    if sessions.isEmpty {
      lines.append(
        waitingPreset.map { "no sessions yet; \($0) comes into force when there is a JACK server" }
          ?? "no sessions; create one with: multiroute send /session/create ID multiRoute")
    }
    if !players.isEmpty { lines += [""] + playerTable.lines(console) }
    if !recorders.isEmpty { lines += [""] + recorderTable.lines(console) }
    lines += [""] + portTable("OUTPUT", outputs).lines(console)
    lines += [""] + portTable("INPUT", inputs).lines(console)
    if !direct.isEmpty {
      lines += ["", console.styled("PAST THE ROUTER", .bold)]
      lines += direct.map {
        console.styled(
          "\($0.client) plays at \($0.sinks.joined(separator: ", ")) and belongs to no session", .red)
      }
    }
    if !hung.isEmpty { lines += [""] + hung.map { console.styled($0.sentence, .red) } }
    if !unmatched.isEmpty { lines += [""] + unmatched.map { console.styled($0.sentence, .red) } }
    return lines
  }

  /// The preset that waits for the audio server.
  private var waitingPreset: String? { information.first { $0.key == "waits" }?.value.plain }

  private var summary: String {
    var values: [String: OSCArgument] = [:]
    for (key, value) in information { values[key] = value }
    guard case .int32(let rate) = values["rate"], rate > 0, case .int32(let period) = values["period"] else {
      return "waiting for a JACK server"
    }
    let milliseconds = (Double(period) / Double(rate) * 1_000).text(.exactly(1))
    var parts = [
      "version \(values["version"]?.plain ?? "?")", "\(values["jack"]?.plain ?? "?") at the JACK server",
    ]
    parts += ["\(rate) Hz", "period \(period) (\(milliseconds) ms)"]
    if values["freewheel"] != nil {
      parts.append("freewheels for a program that exports, so no device plays")
    }
    if case .float(let uptime) = values["uptime"] { parts.append("up \(Self.duration(Double(uptime)))") }
    return parts.joined(separator: ", ")
  }

  /// What affects all sessions: interruptions, the silent switch, the lock, ducking.
  private var circumstances: String {
    let sources = interruptions.map {
      $0.values["on"]?.first == .int32(1) ? $0.source : "\($0.source) (rings)"
    }
    var parts = ["interruptions: \(sources.isEmpty ? "none" : sources.joined(separator: ", "))"]
    if isSilent { parts.append("the silent switch is on") }
    if isLocked { parts.append("locked: only admin may change anything until /system/lock 0") }
    let words = ["level", "attack", "release"].map { leaf -> String in
      guard case .float(let value) = ducking[leaf]?.first else { return "?" }
      return Double(value).text(.exactly(leaf == "level" ? 1 : 2))
    }
    let scope = ducking["scope"]?.first?.plain ?? "?"
    parts.append("ducking: \(words[0]) dB in \(words[1]) s, back in \(words[2]) s (\(scope))")
    return parts.joined(separator: "; ")
  }

  /// Each session with its streams, and the reason why it is heard or not.
  private var sessionTable: TextTable {
    var table = TextTable([
      ("SESSION", .left), ("IS", .left), ("GAIN", .right), ("DUCK", .right), ("PEAK", .left),
      ("ROUTE", .left),
    ])
    for session in sessions {
      let why = session.values["why"]?.first?.plain ?? ""
      table.append([
        .init(session.id, .bold), .init(session.category), .init(Self.gain(session.values)),
        .init(Self.duck(session), .yellow), .init(Self.peakText(session.peaks)),
        .init(session.values["route"]?.first?.plain ?? ""),
      ])
      table.append(note: .init(why, Self.style(of: session, why)))
      for stream in session.streams {
        table.append([
          .init("  \(stream.id)"), .init("\(stream.channels) ch"), .init(Self.gain(stream.values)), .init(""),
          .init(Self.peakText(stream.peaks)), wayCell(of: stream, in: session),
        ])
      }
      if let capture = session.capture {
        let why = capture.values["why"]?.first?.plain ?? ""
        table.append([
          .init("  capture"), .init("\(capture.channels) ch"), .init(""), .init(""),
          .init(Self.peakText(capture.peaks)),
          .init(why, why.hasPrefix("silent") && session.isActive ? .red : .dim),
        ])
      }
    }
    return table
  }

  private static func style(of session: Session, _ why: String) -> Console.Style {
    if why.hasPrefix("connected, silent") || why.hasPrefix("playing, silent") { return .yellow }
    if why.hasPrefix("heard") { return session.values["ducked"]?.first == .int32(1) ? .yellow : .green }
    return session.isActive || session.values["interrupted"]?.first == .int32(1) ? .red : .dim
  }

  /// The present attenuation by ducking; empty if there is none or the session is inactive.
  private static func duck(_ session: Session) -> String {
    guard session.isActive, case .float(let level) = session.values["duckNow"]?.first, level < 0 else {
      return ""
    }
    return "\(Double(level).text(.exactly(1))) dB"
  }

  private func portTable(_ title: String, _ ports: [Port]) -> TextTable {
    var table = TextTable([
      (title, .left), ("TYPE", .left), ("CH", .right), ("GAIN", .right), ("PEAK", .left), ("LATENCY", .right),
      ("STATE", .left),
    ])
    for port in ports {
      var latency = ""
      if case .float(let seconds) = port.values["latency"]?.first {
        latency = "\((Double(seconds) * 1_000).text(.exactly(1))) ms"
      }
      let isLimiting = port.values["limiting"]?.first == .int32(1)
      let state: TextTable.Cell =
        !port.isAvailable
        ? .init("away", .red) : isLimiting ? .init("limiting", .yellow) : .init("there", .green)
      table.append([
        .init(port.id, .bold), .init(port.type), .init("\(port.channels)"), .init(Self.gain(port.values)),
        .init(Self.peakText(port.peaks)), .init(latency), state,
      ])
      if let effect = port.values["desktop"]?.first?.plain, effect != "none" {
        table.append(note: .init(effect, .yellow))
      }
      if let bridge = port.values["bridge"]?.first?.plain, bridge != "none" {
        table.append(note: .init(bridge, port.isAvailable ? .dim : .red))
      }
    }
    return table
  }

  /// The level in dB, or `muted`.
  static func gain(_ values: [String: [OSCArgument]]) -> String {
    if values["mute"]?.first == .int32(1) { return "muted" }
    guard case .float(let gain) = values["gain"]?.first else { return "" }
    return gain <= -90 ? "off" : "\(Double(gain).text(.exactly(1))) dB"
  }

  /// The peak of each channel; only the loudest if there are more than four.
  static func peakText(_ peaks: [Float]) -> String {
    guard let loudest = peaks.max() else { return "" }
    let shown = peaks.count > 4 ? [loudest] : peaks
    let text = shown.map { $0 <= -120 ? "-" : Double($0).text(.exactly(1)) }.joined(separator: " ")
    return shown.count < peaks.count && loudest > -120 ? "\(text) at most" : text
  }

  /// The way of a stream, and the channels on it that do not exist.
  private func wayCell(of stream: Stream, in session: Session) -> TextTable.Cell {
    let (way, missing) = (Self.way(of: stream, in: session), missingChannels(of: stream))
    return missing.isEmpty
      ? .init(way, .dim) : .init("\(way) (\(missing.joined(separator: "; ")))", .red)
  }

  /// The sources of a stream, and its outputs in a multiRoute session. In any other category the session's route applies.
  private static func way(of stream: Stream, in session: Session) -> String {
    let from = "from \((stream.values["from"] ?? []).words)"
    return session.category == "multiRoute"
      ? "\(from) to \(stream.values["route"]?.first?.plain ?? "?")" : from
  }

  /// A counter in words, with its unit if it has one.
  private static func counter(_ key: String, _ value: OSCArgument) -> String {
    switch key {
    case "load": "load \(value.plain) %"
    case "longest": "longest callback \(value.plain) us"
    case "broken": "invalid blocks \(value.plain)"
    case "received": "OSC packets \(value.plain)"
    case "dropped": "malformed \(value.plain)"
    case "replaced": "replaced values \(value.plain)"
    case "overflow": "lost packets \(value.plain)"
    case "ignored": "ignored texts \(value.plain)"
    case "opened": "songs read \(value.plain)"
    case "withheld": "to refusing ports \(value.plain)"
    case "refused": "from unlisted hosts \(value.plain)"
    default: "\(key) \(value.plain)"
    }
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds)
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min" }
    return "\(whole / 3_600) h \(whole / 60 % 60) min"
  }
}
