import OSC
import SessionModel

/// A router's own values, its sessions and its ports, as `status` and `ports` show them.
struct RouterReport {
  var router: Endpoint
  /// `/system/info`
  var information: [(key: String, value: OSCArgument)] = []
  /// `/system/stats`
  var counters: [(key: String, value: OSCArgument)] = []
  /// The sources of interruptions that are on or ring now.
  var interruptions: [Interruption] = []
  /// The settings below `/duck`, by name.
  var ducking: [String: [OSCArgument]] = [:]
  /// Whether the silent switch is on.
  var isSilent = false
  /// Whether only admin may change anything.
  var isLocked = false
  var sessions: [Session] = []
  var players: [Medium] = []
  var recorders: [Medium] = []
  var outputs: [Port] = []
  var inputs: [Port] = []
  /// The globs that match no JACK port.
  var unmatched: [Unmatched] = []
  /// Programs that play at devices past the router and belong to no session.
  var direct: [DirectProgram] = []
  /// Programs that hang.
  var hung: [HungProgram] = []

  /// A glob that matches no JACK port, with its owner and the nearest port.
  struct Unmatched {
    var owner: String
    var glob: String
    var nearest: String?

    /// `show.band: nothing matches Bund:*; the nearest port is Band:out_1`
    var sentence: String {
      "\(owner): nothing matches \(glob)" + (nearest.map { "; the nearest port is \($0)" } ?? "")
    }
  }

  /// A source of interruptions that is on or rings.
  struct Interruption {
    var source: String
    var reason: String
    var values: [String: [OSCArgument]]
  }

  /// A session and its streams.
  struct Session {
    var id: String
    var name: String
    var category: String
    var mode: String
    var isActive: Bool
    var values: [String: [OSCArgument]]
    /// Peaks in dBFS, one per channel.
    var peaks: [Float]
    var streams: [Stream] = []
    /// The sound that its programs receive; nil if it has no capture.
    var capture: Capture?
  }

  /// A player or a recorder.
  struct Medium {
    var id: String
    /// Where a player's sound enters, or what a recorder records.
    var place: String
    var values: [String: [OSCArgument]]
  }

  /// The capture of a session.
  struct Capture {
    var channels: Int
    var values: [String: [OSCArgument]]
    /// Peaks in dBFS, one per channel.
    var peaks: [Float]
  }

  /// A stream of a session.
  struct Stream {
    var id: String
    var channels: Int
    var values: [String: [OSCArgument]]
    /// Peaks in dBFS, one per channel.
    var peaks: [Float]
  }

  /// An output or input.
  struct Port {
    var id: String
    var name: String
    var type: String
    var channels: Int
    var isAvailable: Bool
    var values: [String: [OSCArgument]]
    /// Peaks in dBFS, one per channel.
    var peaks: [Float]
  }
}

extension RouterReport {
  /// Asks the router for the whole report.
  /// - Throws: `CommandFailure` unavailable.
  init(_ link: inout RouterLink, _ router: Endpoint) throws(CommandFailure) {
    self.router = router
    information = Self.pairs(try link.request(OSCMessage("/system/info")))
    counters = Self.pairs(try link.request(OSCMessage("/system/stats")))
    ducking = try Self.values(["level", "attack", "release", "scope"], of: "/duck", &link)
    isSilent = try Self.values(["silent"], of: "", &link)["silent"]?.first?.integer == 1
    isLocked = try Self.values(["lock"], of: "/system", &link)["lock"]?.first?.integer == 1
    for row in try Self.rows("/interruption/list", &link) where row.count >= 2 {
      let source = row[0].plain
      interruptions.append(
        Interruption(
          source: source, reason: row[1].plain,
          values: try Self.values(["on", "ringing"], of: "/interruption/\(source)", &link)))
    }
    for row in try Self.rows("/session/list", &link) where row.count >= 5 {
      sessions.append(try Self.session(row, &link))
    }
    players = try Self.media("player", Self.leavesOfPlayer, &link)
    recorders = try Self.media("recorder", Self.leavesOfRecorder, &link)
    outputs = try Self.ports("output", &link)
    inputs = try Self.ports("input", &link)
    for row in try Self.rows("/system/unmatched", &link) where row.count >= 3 {
      let nearest = row[2].plain
      unmatched.append(
        Unmatched(owner: row[0].plain, glob: row[1].plain, nearest: nearest == "none" ? nil : nearest))
    }
    for row in try Self.rows("/system/direct", &link) where row.count >= 2 {
      direct.append(DirectProgram(client: row[0].plain, sinks: row.dropFirst().map(\.plain)))
    }
    for row in try Self.rows("/system/waiting", &link) where row.count >= 2 {
      hung.append(HungProgram(row[0].plain, isDisconnected: row[1].integer == 1))
    }
  }

  private static let leavesOfPlayer = [
    "state", "position", "duration", "title", "artist", "album", "gain", "mute", "rate", "underruns", "file",
    "queue/index", "queue/length", "queue/repeat", "queue/shuffle",
  ]
  private static let leavesOfRecorder = ["state", "time", "file/now", "format", "lost", "buffer"]

  private static func media(
    _ kind: String, _ leaves: [String], _ link: inout RouterLink
  ) throws(CommandFailure) -> [Medium] {
    var media: [Medium] = []
    for row in try rows("/\(kind)/list", &link) where row.count >= 2 {
      let object = "/\(kind)/\(row[0].plain)"
      var values = try values(leaves.filter { !$0.contains("/") }, of: object, &link)
      for leaf in leaves where leaf.contains("/") {
        let parts = leaf.split(separator: "/").map(String.init)
        values[leaf] = try self.values([parts[1]], of: "\(object)/\(parts[0])", &link)[parts[1]]
      }
      media.append(Medium(id: row[0].plain, place: row[1].plain, values: values))
    }
    return media
  }

  /// A JACK port of another client.
  struct JackPort {
    var name: String
    /// The direction of the router's port that has it, or could have it.
    var direction: String
    /// The id of that port, and the channel there; nil for a port of a program.
    var owner: String?
    var channel: Int
    /// The names of its program at PipeWire; empty at a server where they are those of the JACK client.
    var names: [ProgramNames.Key: String] = [:]
    var client: String { String(name.prefix { $0 != ":" }) }
  }

  /// Asks the router for the JACK ports of all other clients.
  /// - Throws: `CommandFailure` unavailable.
  static func jackPorts(_ link: inout RouterLink) throws(CommandFailure) -> [JackPort] {
    try rows("/system/ports", &link).filter { $0.count >= 4 }.map { row in
      let owner = row[2].plain
      var port = JackPort(
        name: row[0].plain, direction: row[1].plain, owner: owner == "none" ? nil : owner,
        channel: row[3].integer)
      for (key, name) in zip(ProgramNames.Key.allCases, row.dropFirst(4)) where !name.plain.isEmpty {
        port.names[key] = name.plain
      }
      let client = ProgramNames(client: port.client)
      if port.names.allSatisfy({ client[$0] == $1 }) { port.names = [:] }
      return port
    }
  }

  /// Asks the router for one direction of ports.
  /// - Throws: `CommandFailure` unavailable.
  static func ports(_ direction: String, _ link: inout RouterLink) throws(CommandFailure) -> [Port] {
    var ports: [Port] = []
    for row in try rows("/\(direction)/list", &link) where row.count >= 5 {
      let id = row[0].plain
      ports.append(
        Port(
          id: id, name: row[1].plain, type: row[2].plain, channels: row[3].integer,
          isAvailable: row[4].integer != 0,
          values: try values(
            ["gain", "mute", "latency", "limiting", "reason", "desktop", "bridge"], of: "/\(direction)/\(id)",
            &link),
          peaks: try peaks("/meter/\(direction)/\(id)", &link)))
    }
    return ports
  }

  private static func session(
    _ row: [OSCArgument], _ link: inout RouterLink
  ) throws(CommandFailure) -> Session {
    let id = row[0].plain
    var session = Session(
      id: id, name: row[1].plain, category: row[2].plain, mode: row[3].plain, isActive: row[4].integer != 0,
      values: try values(
        [
          "gain", "mute", "options", "route", "interrupted", "ducked", "hint", "others", "prompt", "direct",
          "why",
        ],
        of: "/session/\(id)", &link), peaks: try peaks("/meter/session/\(id)", &link))
    let capture = try values(["channels", "why", "to"], of: "/session/\(id)/capture", &link)
    // A category without input may keep the settings of a capture. Without a capture there is no meter, and the router would log the
    // question as an error.
    if let channels = capture["channels"]?.first?.integer, channels > 0,
      Category(rawValue: session.category)?.hasInput == true
    {
      session.capture = Capture(
        channels: channels, values: capture, peaks: try peaks("/meter/capture/\(id)", &link))
    }
    session.values["duckNow"] = try values(["now"], of: "/session/\(id)/duck", &link)["now"]
    for row in try rows("/session/\(id)/stream/list", &link) where row.count >= 2 {
      let stream = row[0].plain
      session.streams.append(
        Stream(
          id: stream, channels: row[1].integer,
          values: try values(
            ["gain", "mute", "from", "route"], of: "/session/\(id)/stream/\(stream)", &link),
          peaks: try peaks("/meter/stream/\(id)/\(stream)", &link)))
    }
    return session
  }

  /// The channels that a stream names and that the devices that are there do not have, as sentences.
  func missingChannels(of stream: Stream) -> [String] {
    let route = (stream.values["route"]?.first?.plain).flatMap { text in try? StreamRoute(text) }
    let outward = (route?.entries ?? []).compactMap { entry in
      Self.present(entry.port, among: outputs).flatMap {
        MissingChannels(entry.channels, width: stream.channels, at: entry.port, having: $0.channels)
      }
    }
    let inward = (stream.values["from"] ?? []).compactMap { text -> MissingChannels? in
      guard let source = StreamSource(text.plain), case .input(let id, _) = source else { return nil }
      return Self.present(id, among: inputs).flatMap { MissingChannels(source, having: $0.channels) }
    }
    return (inward + outward).map(\.sentence)
  }

  private static func present(_ id: PortID, among ports: [Port]) -> Port? {
    ports.first { $0.id == id.name && $0.isAvailable }
  }

  /// The rows of a list without index and total; empty if the object was removed in the meantime.
  static func rows(
    _ address: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> [[OSCArgument]] {
    try present { (link: inout RouterLink) throws(CommandFailure) in
      try link.request(OSCMessage(address)).map { Array($0.arguments.dropFirst(2)) }
    }(&link) ?? []
  }

  /// Those of the named leaves that an object has, with their values.
  static func values(
    _ leaves: [String], of object: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> [String: [OSCArgument]] {
    let answers = try present { (link: inout RouterLink) throws(CommandFailure) in
      try link.read("\(object)/{\(leaves.joined(separator: ","))}")
    }(&link)
    var values: [String: [OSCArgument]] = [:]
    for answer in answers ?? [] {
      values[String(answer.address.dropFirst(object.count + 1))] = answer.arguments
    }
    return values
  }

  static func peaks(_ address: String, _ link: inout RouterLink) throws(CommandFailure) -> [Float] {
    let answers = try present { (link: inout RouterLink) throws(CommandFailure) in try link.read(address) }(
      &link)
    return (answers?.first?.arguments ?? []).compactMap {
      if case .float(let peak) = $0 { peak } else { nil }
    }
  }

  /// Returns nil if the router answers with an error, for instance because the object was removed in the meantime.
  private static func present<Result>(
    _ body: @escaping (inout RouterLink) throws(CommandFailure) -> Result
  ) -> (inout RouterLink) throws(CommandFailure) -> Result? {
    { (link: inout RouterLink) throws(CommandFailure) in
      do throws(CommandFailure) { return try body(&link) } catch {
        guard error.exitCode == .failure else { throw error }
        return nil
      }
    }
  }

  /// Alternating keys and values.
  private static func pairs(_ answers: [OSCMessage]) -> [(key: String, value: OSCArgument)] {
    let arguments = answers.first?.arguments ?? []
    return stride(from: 0, to: arguments.count - 1, by: 2).map { (arguments[$0].plain, arguments[$0 + 1]) }
  }
}

extension OSCArgument {
  /// The value as a whole number; 0 if the argument is not a number.
  var integer: Int {
    switch self {
    case .int32(let value): Int(value)
    case .int64(let value): Int(value)
    default: 0
    }
  }
}
