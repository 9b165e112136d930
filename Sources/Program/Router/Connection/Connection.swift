import MixEngine
import Presets
import ServerInterface
import SessionModel

/// All values of the router that live as long as its connection to one audio server. The router makes a connection when it joins a
/// server, and drops it when it leaves the server or the server is gone. Belongs to the policy thread.
final class Connection {
  /// The server's properties when the router joined.
  let facts: ServerFacts
  /// Frames per period at present.
  var period: Int
  var mix: MixKeeper

  /// Whether the server freewheels and has set connections aside. What it shows of its graph, time and devices is no fact about the show then,
  /// and a connection that is made makes jackd wait for its stopped driver.
  var isSetAside = false
  /// Notices of that time that count afterwards.
  var postponed: [ServerNotice] = []

  // MARK: The present graph and the wanted one

  /// The server's ports and connections, as last read.
  var graph: GraphSnapshot
  /// The connections of other programs that notices have told of since.
  var noticed = NoticedConnections()
  /// The wanted graph. The router submits it to the graph thread when it differs from `requested`.
  var order = GraphRequest()
  /// The wanted graph that the router submitted last, without the requests that a report has answered.
  var requested = GraphRequest()
  /// Numbers of the last request, and of the last request whose report has arrived.
  var (submitted, answered): (Int, Int)
  var book = PortBook()
  /// The clients at the router's ports.
  var neighbours = LatencyLoops.Neighbours()
  var reconciler = Reconciler()
  var exclusives: ExclusivePorts
  /// Looks for programs that hang.
  let hangs: HangWatch
  var hung = HungPrograms()
  /// The ports of other clients that have just appeared.
  var newPorts: NewPorts
  /// Decides when the router asks again for connections that the server refused.
  var retry = RetryTimer()
  /// Whether a notice has told of ports since the last decision. A program that becomes active announces its ports once more, so refused
  /// connections are worth a try.
  var hasPortNotice = false
  /// Whether the router is deciding on connections. These decisions raise events, which must not start another decision.
  var isWiring = false
  /// The state from which the router last decided on connections.
  var wired = RouterState()
  /// Whether the router must decide on connections once more, because a call of `wire` came during a decision.
  var mustWireAgain = false

  // MARK: Sound

  var liveness = Liveness()
  let voices: VoiceKeeper
  let effects: EffectsKeeper
  let metering: MeterKeeper
  /// Tells when the programs of a session appear and vanish.
  var watch = SourceWatch()
  var meters = MeterReader()
  var quiet = QuietWatch()
  /// Number and time of the last arrival of each output; the time is in seconds since the start.
  var arrivals: [PortID: (number: Int, time: Double)] = [:]

  // MARK: Waiting

  /// Delays the decision about ports that appeared or disappeared, because a device's other ports may follow.
  var settling = PortSettling()
  /// The period that the router last asked the server for, in frames; nil while no session prefers a period.
  var askedPeriod: Int?

  /// - Parameters:
  ///   - graph: the server's graph when the router joined.
  ///   - number: the number of the last request of an earlier connection.
  ///   - owed: connections that the router took away at this server earlier, for exclusive streams, and has not given back.
  init(
    _ facts: ServerFacts, at server: any AudioServer, _ engine: MixEngine, _ graph: GraphSnapshot,
    number: Int, owed: Set<Link>, metering: MeterKeeper, effects: EffectsKeeper,
    makeVoice: @escaping VoiceKeeper.Make
  ) {
    (voices, self.metering, self.effects) = (VoiceKeeper(makeVoice), metering, effects)
    hangs = HangWatch(server)
    (self.facts, self.graph, period) = (facts, graph, facts.period)
    mix = MixKeeper(engine: engine, rate: Double(facts.sampleRate))
    (submitted, answered) = (number, number)
    exclusives = ExclusivePorts(inheriting: owed)
    newPorts = NewPorts(graph.ports)
  }

  /// The number of the next request.
  var next: Int { submitted + 1 }
  /// Whether the report of the last request has arrived.
  var isAnswered: Bool { answered == submitted }
  /// Frames after which the audio thread surely uses a plan that is published now.
  var margin: Int { 2 * period }
  /// Whether the server has not yet described all devices, so that the router may not recognise some of them.
  var awaitsNodes: Bool { graph.ports.contains { $0.origin == .awaited } }

  /// The full name of a JACK port of the router.
  func name(of key: PortKey) -> String { "\(facts.clientName):\(key.name)" }

  /// Connections of other programs that the router took away, for exclusive streams or from programs that hang, and must give back.
  var taken: Set<Link> { exclusives.links.union(hung.owed(client: facts.clientName)) }

  /// The same with the server at which they were; nil if there are none.
  var owed: TakenConnections? { facts.identity.flatMap { TakenConnections(taken, at: $0) } }

  /// When the router must decide on connections again, in seconds since the start; nil if no decision waits.
  var due: Double? { [retry.due, watch.due, newPorts.due].compactMap(\.self).min() }
}
