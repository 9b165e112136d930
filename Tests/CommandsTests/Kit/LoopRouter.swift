import OSC
import SessionModel
import SessionPolicy
import Surface
import Synchronization

/// A router on a real socket with the real surface and policy, and without audio.
///
/// Its time advances only while it works, so that paced answers come at once.
final class LoopRouter: Sendable {
  private let core: Core
  private let receiver: UDPReceiver

  /// Where it listens, as `--to` takes it.
  var endpoint: String { "\(core.socket.localAddress)" }

  /// Starts with what the events make of nothing.
  init(_ events: [Event] = LoopRouter.stage) throws {
    let core = Core(try UDPSocket(port: 0))
    for event in events { try core.happen(event) }
    self.core = core
    receiver = try UDPReceiver(socket: core.socket) { packet, peer in
      if case .success(let packet) = packet { core.receive(packet, from: peer) }
    }
  }

  /// Lets something happen in the world.
  func happen(_ event: Event) throws { try core.happen(event) }

  /// Reads the state.
  func state<Value: Sendable>(_ read: @Sendable (RouterState) -> Value) -> Value {
    core.model.withLock { read($0.state) }
  }
}

/// What the receiver's thread works on; it outlives the router until that thread has ended.
private final class Core: Sendable {
  let socket: UDPSocket
  let model: Mutex<Model>

  init(_ socket: UDPSocket) {
    self.socket = socket
    let identity = Surface.Identity(
      name: "loop", version: "9.9", epoch: 1, address: "\(socket.localAddress)")
    var surface = Surface(identity: identity, policy: Policy.reduce)
    surface.statistics = [("xruns", 3), ("longest", 114), ("load", 8)]
    var levels = MeterLevels()
    levels.outputs = ["usb": [0.5, 0, 0, 1]]
    levels.streams = ["show": ["band": [0.5, 0.25]]]
    surface.measure(levels)
    model = Mutex(Model(surface: surface))
  }

  func receive(_ packet: OSCPacket, from peer: PeerAddress) {
    send(model.withLock { $0.receive(packet, from: peer) })
  }

  func happen(_ event: Event) throws { send(try model.withLock { try $0.happen(event) }) }

  private func send(_ datagrams: [Surface.Datagram]) {
    for datagram in datagrams { try? socket.send(PacketEncoder.encode(datagram.packet), to: datagram.peer) }
  }
}

private struct Model {
  var surface: Surface
  var state = RouterState()
  var time = 1.0

  mutating func receive(_ packet: OSCPacket, from peer: PeerAddress) -> [Surface.Datagram] {
    let outcome = surface.receive(packet, from: peer, &state, at: time)
    let syncs = outcome.syncs.map { Surface.Datagram(to: $0.peer, .message($0.message)) }
    return outcome.datagrams + syncs + settle()
  }

  mutating func happen(_ event: Event) throws -> [Surface.Datagram] {
    try surface.happen(event, &state, at: time).datagrams + settle()
  }

  /// Sends all that is due within the next second.
  private mutating func settle() -> [Surface.Datagram] {
    var datagrams: [Surface.Datagram] = []
    for _ in 0..<200 {
      time += 0.005
      datagrams += surface.advance(state, at: time).datagrams
    }
    return datagrams
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
