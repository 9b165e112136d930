import JSON5
import Numbers
import OSC
import Presets

/// What `top` knows of a router, from the messages that have come.
struct TopPicture {
  let router: Endpoint
  /// The newest arguments of each address.
  private var values: [String: [OSCArgument]] = [:]
  /// The rows of each list that came last, without index and total.
  private var lists: [String: [[OSCArgument]]] = [:]
  /// The pairs of `/system/info` and `/system/stats`.
  private var pairs: [String: [(key: String, value: OSCArgument)]] = [:]

  init(_ router: Endpoint) { self.router = router }

  // MARK: Messages

  /// The addresses that are followed, each with the most messages a second.
  static let subscriptions: [(pattern: String, rate: Float)] = [
    ("/meter/output/*", 4), ("/meter/session/*", 4), ("/session/*/why", 2), ("/session/*/active", 2),
    ("/player/*/state", 2), ("/player/*/buffer", 2), ("/player/*/underruns", 2), ("/recorder/*/state", 2),
    ("/recorder/*/buffer", 2), ("/recorder/*/lost", 2), ("/health", 2),
  ]

  /// The questions whose answers are not fed back.
  static let questions = [
    "/system/info", "/system/stats", "/session/list", "/output/list", "/player/list", "/recorder/list",
  ]

  /// Takes a message; returns whether it is the answer to the last question.
  mutating func take(_ message: OSCMessage) -> Bool {
    let arguments = message.arguments
    switch message.address {
    case "/system/info", "/system/stats":
      pairs[message.address] = stride(from: 0, to: arguments.count - 1, by: 2).map {
        (arguments[$0].plain, arguments[$0 + 1])
      }
    case let address where address.hasSuffix("/list"):
      guard case .int32(let index)? = arguments.first, arguments.count >= 2 else { return false }
      if index == 0 { lists[address] = [] }
      // A list without entries is one row of zeros.
      if arguments.count > 2 { lists[address]?.append(Array(arguments.dropFirst(2))) }
      return address == Self.questions.last && arguments[1].integer == (lists[address]?.count ?? 0)
    default: values[message.address] = arguments
    }
    return false
  }

  // MARK: Values

  private func number(_ address: String) -> Double? {
    switch values[address]?.first {
    case .float(let value)?: Double(value)
    case .int32(let value)?: Double(value)
    case .double(let value)?: value
    default: nil
    }
  }

  private func text(_ address: String) -> String? { values[address]?.first?.plain }

  private func count(_ key: String) -> String? {
    pairs["/system/stats"]?.first { $0.key == key }?.value.plain
  }

  private func information(_ key: String) -> OSCArgument? {
    pairs["/system/info"]?.first { $0.key == key }?.value
  }

  private func ids(_ kind: String) -> [String] {
    lists["/\(kind)/list"]?.compactMap { $0.first?.plain } ?? []
  }

  /// The loudest channel of a meter, in dBFS.
  private func level(_ address: String) -> Double? {
    values[address]?.compactMap { argument in
      if case .float(let level) = argument { Double(level) } else { nil }
    }.max()
  }

  /// The stages of the audio thread that the router tells, in the order of their names.
  private var stages: [String] {
    let names = values.keys.compactMap { address -> String? in
      let parts = address.split(separator: "/")
      return parts.count == 4 && parts[0] == "health" && parts[1] == "stage" ? String(parts[2]) : nil
    }
    return Set(names).sorted()
  }

  /// The share of the period that the audio thread needs, 0 to 1.
  private var load: Double? {
    number("/health/load/now") ?? count("load").flatMap { Double($0) }.map { $0 / 100 }
  }

  // MARK: For people

  /// The screen.
  func lines(_ console: Console) -> [String] {
    var lines = [console.styled("multiroute at \(router)", .bold) + ": \(summary)"]
    lines.append(loadLine(console))
    lines.append(troubles(console))
    if let health = text("/health/state") {
      lines.append("health: " + console.styled(health, health == "ok" ? .green : .red))
    }
    for table in [stageTable, sessionTable(console), outputTable(console), ringTable(console)]
    where !table.isEmpty {
      lines += [""] + table.lines(console)
    }
    return lines
  }

  private var summary: String {
    guard case .int32(let rate)? = information("rate"), rate > 0,
      case .int32(let period)? = information("period")
    else { return "waiting for a JACK server" }
    let milliseconds = (Double(period) / Double(rate) * 1_000).text(.exactly(1))
    return "\(rate) Hz, period \(period) (\(milliseconds) ms), \(clients)"
  }

  private var clients: String {
    let clients = count("clients") ?? "?"
    return "\(clients) OSC \(clients == "1" ? "client" : "clients")"
  }

  private func loadLine(_ console: Console) -> String {
    let share = load ?? 0
    let style: Console.Style = share > 0.7 ? .red : share > 0.4 ? .yellow : .green
    var parts = ["load " + console.styled(Self.bar(share, width: 30), style) + " \(Self.percent(share))"]
    if let worst = number("/health/load/worst") { parts.append("worst \(Self.percent(worst))") }
    if let server = number("/health/load/server") { parts.append("server \(Self.percent(server))") }
    if let longest = count("longest") { parts.append("longest callback \(longest) us") }
    return parts.joined(separator: ", ")
  }

  private func troubles(_ console: Console) -> String {
    var parts: [String] = []
    func add(_ name: String, _ count: String?) {
      guard let count else { return }
      parts.append(count == "0" ? "\(name) 0" : console.styled("\(name) \(count)", .yellow))
    }
    add("xruns", text("/health/xruns") ?? count("xruns"))
    add("glitches", text("/health/glitches"))
    add("late", text("/health/late"))
    add("lost frames", text("/health/lost"))
    add("invalid blocks", count("broken"))
    add("lost packets", count("overflow"))
    parts.append("OSC packets \(count("received") ?? "?")")
    return parts.joined(separator: ", ")
  }

  private var stageTable: TextTable {
    var table = TextTable([("STAGE", .left), ("MEAN", .right), ("WORST", .right)])
    for stage in stages {
      func time(_ leaf: String) -> String {
        number("/health/stage/\(stage)/\(leaf)").map { "\(($0 * 1e6).text(.exactly(1))) us" } ?? ""
      }
      table.append([.init(stage), .init(time("mean")), .init(time("worst"))])
    }
    return table
  }

  private func sessionTable(_ console: Console) -> TextTable {
    var table = TextTable([("SESSION", .left), ("LEVEL", .left), ("PEAK", .right), ("WHY", .left)])
    for id in ids("session") {
      let isActive = number("/session/\(id)/active") == 1
      table.append(
        [.init(id, isActive ? .bold : .dim)] + Self.levelCells(level("/meter/session/\(id)"))
          + [.init(text("/session/\(id)/why") ?? "")])
    }
    return table
  }

  private func outputTable(_ console: Console) -> TextTable {
    var table = TextTable([("OUTPUT", .left), ("LEVEL", .left), ("PEAK", .right), ("STATE", .left)])
    for row in lists["/output/list"] ?? [] where row.count >= 5 {
      let isThere = row[4].integer == 1
      table.append(
        [.init(row[0].plain, .bold)] + Self.levelCells(level("/meter/output/\(row[0].plain)"))
          + [.init(isThere ? "there" : "away", isThere ? nil : .dim)])
    }
    return table
  }

  /// The rings between the audio thread and the disk.
  private func ringTable(_ console: Console) -> TextTable {
    var table = TextTable([("RING", .left), ("STATE", .left), ("SECONDS", .right), ("MISSED", .right)])
    for (kind, missed) in [("player", "underruns"), ("recorder", "lost")] {
      for id in ids(kind) {
        let count = number("/\(kind)/\(id)/\(missed)") ?? 0
        let words = kind == "player" ? count.shortText : "\(count.shortText) s"
        table.append([
          .init("\(kind) \(id)", .bold), .init(text("/\(kind)/\(id)/state") ?? ""),
          .init((number("/\(kind)/\(id)/buffer") ?? 0).text(.exactly(2))),
          .init(words, count > 0 ? .yellow : nil),
        ])
      }
    }
    return table
  }

  /// A bar for a meter, and its peak.
  private static func levelCells(_ level: Double?) -> [TextTable.Cell] {
    let level = level ?? -200
    let style: Console.Style = level > -1 ? .red : level > -12 ? .yellow : .green
    return [
      .init(bar((level + 60) / 60, width: 20), style), .init(level <= -120 ? "-" : level.text(.exactly(1))),
    ]
  }

  /// A bar that is filled to a share of its width.
  static func bar(_ share: Double, width: Int) -> String {
    let filled = Int((min(max(share, 0), 1) * Double(width)).rounded())
    return String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
  }

  private static func percent(_ share: Double) -> String { "\((share * 100).text(.exactly(1))) %" }

  // MARK: For programs

  /// The picture as a document. Each value has the name of its OSC leaf.
  var json: JSONValue {
    func entries(_ kind: String, _ leaves: [String], meter: Bool) -> JSONValue {
      .array(
        ids(kind).map { id in
          .object(
            [.init("id", .string(id))]
              + leaves.map { leaf in
                .init(leaf, values["/\(kind)/\(id)/\(leaf)"]?.first?.json ?? .null)
              }
              + (meter
                ? [.init("peak", .array((values["/meter/\(kind)/\(id)"] ?? []).map(\.json)))] : []))
        })
    }
    func object(_ pairs: [(key: String, value: OSCArgument)]?) -> JSONValue {
      .object((pairs ?? []).map { .init($0.key, $0.value.json) })
    }
    let health = values.filter { $0.key.hasPrefix("/health/") }.sorted { $0.key < $1.key }
    return .object([
      .init("router", .string("\(router)")), .init("information", object(pairs["/system/info"])),
      .init("counters", object(pairs["/system/stats"])),
      .init(
        "health",
        .object(
          health.map { .init(String($0.key.dropFirst("/health/".count)), $0.value.first?.json ?? .null) })),
      .init("sessions", entries("session", ["active", "why"], meter: true)),
      .init("outputs", entries("output", [], meter: true)),
      .init("players", entries("player", ["state", "buffer", "underruns"], meter: false)),
      .init("recorders", entries("recorder", ["state", "buffer", "lost"], meter: false)),
    ])
  }
}
