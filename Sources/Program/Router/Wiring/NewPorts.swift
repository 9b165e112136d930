import ServerInterface

/// Tells which JACK ports of programs have just appeared.
struct NewPorts {
  /// Seconds for which a port counts as new: sound that begins there starts at its level, because a ramp would cut its attack
  /// (docs/develop/law/osc.md#5-ramps-and-fades).
  private static let youth = 0.1
  /// Seconds within which a program is still starting: a cue player connects and disconnects its ports until it plays.
  private static let start = 0.5
  /// The same for a program that goes on doing so. Later, another program that takes the connections away is no start any more.
  private static let longestStart = 2.0
  /// Seconds within which a client's next port follows, if the server tells of each one by itself.
  private static let gap = 0.005

  private struct Appearance {
    /// When the port came, in seconds; nil if it was there at first.
    var came: Double?
    /// When the port came or the server last refused to connect it, in seconds: its program starts at this time.
    var first: Double
    /// Since when the port counts as new, in seconds.
    var renewed: Double
  }

  /// The ports that were not there at first.
  private var appeared: [String: Appearance] = [:]
  private var known: Set<String>
  /// When the router must decide again, because no client registers more ports, in seconds; nil if no decision waits.
  private(set) var due: Double?

  /// - Parameter ports: the ports of other clients that are not new.
  init(_ ports: [SystemPort]) { known = Self.programs(ports) }

  /// Notes which ports of other clients exist now.
  mutating func note(_ ports: [SystemPort], at time: Double) {
    let present = Self.programs(ports)
    appeared = appeared.filter { present.contains($0.key) }
    for port in present where !known.contains(port) {
      appeared[port] = Appearance(came: time, first: time, renewed: time)
      due = time + Self.gap
    }
    known = present
  }

  private static func programs(_ ports: [SystemPort]) -> Set<String> {
    Set(ports.lazy.filter { !$0.mayBeDevice }.map(\.name))
  }

  /// Lets ports count as new from now on, because the server refuses to connect them: their programs are not active yet.
  mutating func renew(_ ports: Set<String>, at time: Double) {
    for port in ports where known.contains(port) {
      appeared[port] = Appearance(came: appeared[port]?.came, first: time, renewed: time)
    }
  }

  /// Lets a port count as new from now on, because its program is starting and has removed all connections before it plays.
  mutating func goOnStarting(_ port: String, at time: Double) { appeared[port]?.renewed = time }

  /// Whether the program of a port is starting.
  func isStarting(_ port: String, at time: Double) -> Bool {
    appeared[port].map { time - $0.renewed < Self.start && time - $0.first < Self.longestStart } ?? false
  }

  /// Whether a port is new.
  func contains(_ port: String, at time: Double) -> Bool {
    appeared[port].map { time - $0.renewed < Self.youth } ?? false
  }

  /// Whether any port is new.
  func containsAny(at time: Double) -> Bool { appeared.values.contains { time - $0.renewed < Self.youth } }

  /// When a port came, in seconds; nil if it was there at first.
  func appearance(of port: String) -> Double? { appeared[port]?.came }

  /// Takes the ports whose clients may be about to register more, for a decision that is made now.
  mutating func takeGathering(at time: Double) -> Set<String> {
    if let due, due <= time { self.due = nil }
    return due == nil ? [] : Set(appeared.filter { time - $0.value.renewed < Self.gap }.keys)
  }
}
