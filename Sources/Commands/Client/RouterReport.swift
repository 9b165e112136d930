import OSC

/// What a router says about itself, its sessions and its ports, as `status` and `ports` show it.
struct RouterReport {
  var router: Endpoint
  /// `/system/info`
  var information: [(key: String, value: OSCArgument)] = []
  /// `/system/stats`
  var counters: [(key: String, value: OSCArgument)] = []
  /// What calls interrupt now, or ring for.
  var interruptions: [Interruption] = []
  /// What `/duck/*` says.
  var ducking: [String: [OSCArgument]] = [:]
  /// The silent switch.
  var isSilent = false
  var sessions: [Session] = []
  var outputs: [Port] = []
  var inputs: [Port] = []

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
    /// dBFS per channel.
    var peaks: [Float]
    var streams: [Stream] = []
  }

  /// A stream of a session.
  struct Stream {
    var id: String
    var channels: Int
    var values: [String: [OSCArgument]]
    /// dBFS per channel.
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
    /// dBFS per channel.
    var peaks: [Float]
  }
}

extension RouterReport {
  /// Asks the router for everything.
  /// - Throws: `CommandFailure` unavailable.
  init(_ link: inout RouterLink, _ router: Endpoint) throws(CommandFailure) {
    self.router = router
    information = Self.pairs(try link.request(OSCMessage("/system/info")))
    counters = Self.pairs(try link.request(OSCMessage("/system/stats")))
    ducking = try Self.values(["level", "attack", "release", "scope"], of: "/duck", &link)
    isSilent = try Self.values(["silent"], of: "", &link)["silent"]?.first?.integer == 1
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
    outputs = try Self.ports("output", &link)
    inputs = try Self.ports("input", &link)
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
            ["gain", "mute", "latency", "limiting", "reason", "bridge"], of: "/\(direction)/\(id)", &link),
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
        ["gain", "mute", "options", "route", "interrupted", "ducked", "hint", "others", "prompt", "why"],
        of: "/session/\(id)", &link), peaks: try peaks("/meter/session/\(id)", &link))
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

  /// The rows of a list without index and total; none for an object that went in the meantime.
  private static func rows(
    _ address: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> [[OSCArgument]] {
    try present { (link: inout RouterLink) throws(CommandFailure) in
      try link.request(OSCMessage(address)).map { Array($0.arguments.dropFirst(2)) }
    }(&link) ?? []
  }

  /// Some leaves of an object, by name, as far as it has them.
  private static func values(
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

  private static func peaks(_ address: String, _ link: inout RouterLink) throws(CommandFailure) -> [Float] {
    let answers = try present { (link: inout RouterLink) throws(CommandFailure) in try link.read(address) }(
      &link)
    return (answers?.first?.arguments ?? []).compactMap {
      if case .float(let peak) = $0 { peak } else { nil }
    }
  }

  /// Makes an error of the router, such as that an object went in the meantime, into nil.
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
  /// As a whole number; 0 for what is none.
  fileprivate var integer: Int {
    switch self {
    case .int32(let value): Int(value)
    case .int64(let value): Int(value)
    default: 0
    }
  }
}
