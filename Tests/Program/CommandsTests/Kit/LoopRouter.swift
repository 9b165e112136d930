import ControlInterface
import Dispatch
import OSC
import OSCSurface
import SessionModel
import SessionPolicy
import Synchronization

/// A router on a real socket with the real surface and law, and without audio.
///
/// Its clock advances only while the router works, so that paced answers come at once.
final class LoopRouter: Sendable {
  private let core: Core
  private let transport: any OSCTransport

  /// The address of the router, in the form of `--to`.
  let endpoint: String

  /// Starts with the state that the events make of an empty one.
  init(
    _ events: [Event] = LoopRouter.stage, at place: Endpoint = .udp(host: "127.0.0.1", port: 0)
  ) throws {
    var listeners = Listeners()
    try listeners.open(place)
    let transport = listeners.transports[0]
    endpoint = "\(transport.endpoints[0])"
    let core = Core(endpoint) { [weak transport] in transport?.send($1, to: $0) }
    for event in events { try core.happen(event) }
    (self.core, self.transport) = (core, transport)
    try transport.start(
      Reception(
        admits: { _ in true }, peek: { _, _ in },
        receive: { packet, peer in
          if let packet = try? packet.get() { core.receive(packet, from: peer) }
          return nil
        }))
  }

  deinit { transport.stop() }

  /// Applies an event that no client sent.
  func happen(_ event: Event) throws { try core.happen(event) }

  /// Lets the router's clock advance by more than its work does.
  func pass(seconds: Double) { core.model.withLock { $0.pass(seconds) } }

  /// Waits until a packet comes from now on; false after ten seconds.
  func awaitPacket() -> Bool {
    while core.arrivals.wait(timeout: .now()) == .success {}
    return core.arrivals.wait(timeout: .now() + 10) == .success
  }

  /// The errors that clients caused.
  var errors: [SessionModel.Notification] { core.model.withLock { $0.errors } }

  /// Reads the state.
  func state<Value: Sendable>(_ read: @Sendable (RouterState) -> Value) -> Value {
    core.model.withLock { read($0.state) }
  }
}

/// The values that the receiver's thread uses. They live until that thread has ended.
private final class Core: Sendable {
  let model: Mutex<Model>
  /// Signalled for each packet that comes.
  let arrivals = DispatchSemaphore(value: 0)

  init(_ endpoint: String, send: @escaping @Sendable (Peer, OSCPacket) -> Void) {
    let identity = Surface.Identity(name: "loop", version: "9.9", epoch: 1, address: endpoint)
    let surface = SurfaceService(Surface(identity: identity, law: Policy.reduce), send: send)
    var levels = MeterLevels()
    levels.outputs = ["usb": [0.5, 0, 0, 1]]
    levels.streams = ["show": ["band": [0.5, 0.25]]]
    surface.measure(levels)
    model = Mutex(Model(surface: surface))
  }

  func receive(_ packet: OSCPacket, from peer: Peer) {
    model.withLock { $0.receive(packet, from: peer) }
    arrivals.signal()
  }

  func happen(_ event: Event) throws { try model.withLock { try $0.happen(event) } }
}

private struct Model {
  let surface: SurfaceService
  var state = RouterState()
  var time = 1.0
  private(set) var errors: [SessionModel.Notification] = []
  private var numbering = EventNumbering()

  init(surface: SurfaceService) { self.surface = surface }

  mutating func receive(_ packet: OSCPacket, from peer: Peer) {
    let before = state
    var command = SurfaceCommand(packet, from: peer, to: surface)
    guard let told = command.decide(&state, at: time) else { return }
    publish(told, from: before)
    let counters = [Statistic("xruns", 3), Statistic("longest", 114), Statistic("load", 8)]
    for answer in command.answer(state, at: time, statistics: { counters }) { answer.send(nil) }
    settle()
  }

  mutating func happen(_ event: Event) throws {
    let before = state
    publish(try Policy.reduce(&state, event, at: time), from: before)
    settle()
  }

  mutating func pass(_ seconds: Double) {
    time += seconds
    settle()
  }

  private mutating func publish(_ told: [Notification], from before: RouterState) {
    errors += told.filter { if case .error = $0 { true } else { false } }
    surface.publish(Change(from: before, to: state, events: numbering.number(told), at: time))
  }

  /// Sends all packets that are due within the next second.
  private mutating func settle() {
    for _ in 0..<200 {
      time += 0.005
      surface.advance(state, at: time)
    }
  }
}

extension LoopRouter {
  /// A USB interface and headphones, a session with two streams, and one that is not active.
  static var stage: [Event] {
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    let usb = Port(id: "usb", name: "USB interface", type: .usbAudio, globs: [], channels: 4)
    let headphones = Port(id: "headphones", name: "Headphones", type: .headphones, globs: [], channels: 2)
    let microphone = Port(id: "mic", name: "Microphone", type: .builtInMic, globs: [], channels: 1)
    return [
      .server(server), .declarePort(.output, usb), .declarePort(.output, headphones),
      .declarePort(.input, microphone),
      .portsPresent([
        PortPresence(.output, "usb", members: (1...4).map { "usb:playback_\($0)" }),
        PortPresence(.input, "mic", members: ["mic:capture_1"]),
      ]),
      .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .createStream("show", "band", channels: 2, placed: false),
      .createStream("show", "click", channels: 1, placed: false),
      .destination("show", "band", "usb", .on(true)), .destination("show", "click", "headphones", .on(true)),
      .createSession("idle", SessionConfiguration(category: .playback)),
      .activate("show"), .connected("show", true),
    ]
  }
}
