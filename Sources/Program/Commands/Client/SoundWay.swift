import JSON5
import OSC

/// The way of a session's sound from its programs to the loudspeakers, as the running router has it now.
struct SoundWay {
  /// Whether the session is heard, as `/session/<s>/why` says it; of one stream, whether and where that is heard.
  let why: String
  let stops: [Stop]

  /// A stop on the way, with what acts there.
  struct Stop {
    /// The words that begin the causes of this stop in `/session/<s>/causes`, such as `output usb`.
    let name: String
    /// Gain and mute by their leaves.
    var values: [String: [OSCArgument]] = [:]
    /// Peaks in dBFS, one per channel.
    var peaks: [Float] = []
    /// What comes in, or where the way goes.
    var note = ""
    var causes: [String] = []
  }

  /// Asks the router.
  ///
  /// - Parameters:
  ///   - stream: the only stream to follow; nil for all.
  ///   - output: the only output to follow; nil for all that the session reaches or is sent to.
  /// - Throws: `CommandFailure` failure if one of them does not exist, unavailable.
  init(
    of session: String, _ stream: String?, at output: String?, _ link: inout RouterLink
  ) throws(CommandFailure) {
    let path = "/session/\(session)"
    let whole = try link.read("\(path)/why").first?.arguments.first?.plain ?? ""
    let causes = Self.causes(try link.read("\(path)/causes").first?.arguments.first?.plain ?? "")
    let own = try RouterReport.values(["gain", "mute", "category", "route"], of: path, &link)
    let isMultiRoute = own["category"]?.first?.plain == "multiRoute"
    var streams = [stream].compactMap(\.self)
    if stream == nil {
      streams = try RouterReport.rows("\(path)/stream/list", &link).compactMap { $0.first?.plain }
    }
    let reached = try Self.outputs(own, output, &link)
    let hindrances = try Self.hindrances(of: path, &link)
    var stops = [Stop(name: "router"), Stop(name: "program")]
    var sends: [Stop] = []
    var outputs = isMultiRoute ? [] : reached
    for stream in streams {
      let object = "\(path)/stream/\(stream)"
      // The router names the nearest stream if there is none of this name.
      _ = try link.read("\(object)/gain")
      let values = try RouterReport.values(["gain", "mute", "from"], of: object, &link)
      var stop = Stop(name: "stream \(stream)", values: values)
      stop.peaks = try RouterReport.peaks("/meter/stream/\(session)/\(stream)", &link)
      stop.note = "from \((values["from"] ?? []).words)"
      stops.append(stop)
      guard isMultiRoute else { continue }
      for port in reached {
        // The router would log a question about a send that does not exist as an error.
        let values =
          hindrances[stream]?[port] == nil
          ? [:] : try RouterReport.values(["on", "gain", "tap"], of: "\(object)/to/\(port)", &link)
        guard output != nil || values["on"]?.first == .int32(1) else { continue }
        let tap = values["tap"]?.first?.plain ?? "post"
        sends.append(
          Stop(
            name: "send \(stream) to \(port)", values: values,
            note: values["on"]?.first == .int32(1) ? "tap \(tap)" : Self.notSent))
        if !outputs.contains(port) { outputs.append(port) }
      }
    }
    stops.append(
      Stop(name: "session", values: own, peaks: try RouterReport.peaks("/meter/session/\(session)", &link)))
    stops += sends
    for group in causes.map(\.stop).filter({ $0.hasPrefix("group ") }) {
      let object = "/\(group.replacing(" ", with: "/"))"
      stops.append(Stop(name: group, values: try RouterReport.values(["gain", "mute"], of: object, &link)))
    }
    for port in outputs {
      let values = try RouterReport.values(["gain", "mute", "limiting"], of: "/output/\(port)", &link)
      var stop = Stop(name: "output \(port)", values: values)
      stop.peaks = try RouterReport.peaks("/meter/output/\(port)", &link)
      if values["limiting"]?.first == .int32(1) { stop.note = "limiting" }
      stops.append(stop)
    }
    stops.append(Stop(name: "outputs"))
    self.stops = Self.place(causes, at: stops)
    if let stream, isMultiRoute || !outputs.isEmpty {
      why = Self.sentence(about: stream, at: outputs, hindrances[stream] ?? [:])
    } else {
      why = whole
    }
  }

  private static let notSent = "not sent there"

  /// What keeps each stream from being heard at each output to which it goes, by their ids; empty where it is heard.
  private static func hindrances(
    of session: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> [String: [String: String]] {
    var hindrances: [String: [String: String]] = [:]
    for row in try RouterReport.rows("\(session)/heard", &link) where row.count >= 3 {
      hindrances[row[0].plain, default: [:]][row[1].plain] = row[2].plain
    }
    return hindrances
  }

  /// Whether and where one stream is heard.
  private static func sentence(
    about stream: String, at outputs: [String], _ hindrances: [String: String]
  ) -> String {
    let reasons = outputs.map { ($0, hindrances[$0] ?? notSent) }
    let heard = reasons.filter(\.1.isEmpty).map(\.0)
    let rest = reasons.filter { !$0.1.isEmpty }.map { "not at \($0): \($1)" }
    let parts = (heard.isEmpty ? [] : ["\(stream) is heard at \(heard.joined(separator: ", "))"]) + rest
    return parts.isEmpty ? "\(stream) is sent nowhere" : parts.joined(separator: "; ")
  }

  /// The outputs to look at.
  private static func outputs(
    _ session: [String: [OSCArgument]], _ output: String?, _ link: inout RouterLink
  ) throws(CommandFailure) -> [String] {
    if let output {
      // The router names the nearest output if there is none of this name.
      _ = try link.read("/output/\(output)/gain")
      return [output]
    }
    let all = try RouterReport.rows("/output/list", &link).compactMap { $0.first?.plain }
    guard session["category"]?.first?.plain != "multiRoute" else { return all }
    let words = (session["route"]?.first?.plain ?? "").split(separator: " ")
    let reached = words.last?.drop { $0 != ":" }.dropFirst().split(separator: ",").map(String.init) ?? []
    return all.filter(reached.contains)
  }

  /// The causes of a text, each with its stop.
  private static func causes(_ text: String) -> [(stop: String, what: String)] {
    text.split(separator: "; ").compactMap { cause in
      cause.firstRange(of: ": ").map {
        (String(cause[..<$0.lowerBound]), String(cause[$0.upperBound...]))
      }
    }
  }

  /// Gives each stop its causes, and drops the stops at which nothing can be seen.
  private static func place(_ causes: [(stop: String, what: String)], at stops: [Stop]) -> [Stop] {
    var stops = stops
    for cause in causes {
      guard let index = stops.firstIndex(where: { $0.name == cause.stop }) else { continue }
      stops[index].causes.append(cause.what)
    }
    return stops.filter { !["router", "program", "outputs"].contains($0.name) || !$0.causes.isEmpty }
  }
}

extension SoundWay {
  /// The way as a table for a person.
  func lines(_ console: Console) -> [String] {
    var table = TextTable([("STOP", .left), ("GAIN", .right), ("PEAK", .left), ("", .left)])
    for stop in stops {
      table.append([
        .init(stop.name, .bold), .init(RouterReport.gain(stop.values)),
        .init(RouterReport.peakText(stop.peaks)),
        .init(stop.note, .dim),
      ])
      for cause in stop.causes { table.append(note: .init(cause, .yellow)) }
    }
    return [why, ""] + table.lines(console)
  }

  /// The way as a document for programs.
  var json: JSONValue {
    .object([.init("why", .string(why)), .init("way", .array(stops.map(Self.document)))])
  }

  private static func document(_ stop: Stop) -> JSONValue {
    /// Through text, so that -12.3 is not written as -12.300000190734863.
    func number(_ level: Float) -> JSONValue {
      level.isFinite ? .number(Double("\(level)") ?? Double(level)) : .null
    }
    var gain = JSONValue.null
    if case .float(let level) = stop.values["gain"]?.first { gain = number(level) }
    let causes: [JSONValue] = stop.causes.map { JSONValue.string($0) }
    return .object([
      .init("stop", .string(stop.name)), .init("gain", gain),
      .init("mute", .bool(stop.values["mute"]?.first == .int32(1))),
      .init("peak", .array(stop.peaks.map(number))), .init("note", .string(stop.note)),
      .init("causes", .array(causes)),
    ])
  }
}
