import ControlInterface
import OSC
import Parameters
import SessionPolicy
import Synchronization

@testable import OSCSurface
@testable import Router

/// Collects events that a router publishes, as messages.
final class EventCollector: ControlListener, Sendable {
  private let events = Mutex<[OSCMessage]>([])

  func publish(_ change: Change) {
    let messages = change.events.map { OSCMessage($0) }
    events.withLock { $0 += messages }
  }

  /// Removes and returns the events since the last call.
  func take() -> [OSCMessage] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

extension SurfaceService {
  /// A surface without transport; `sent` gets its packets.
  convenience init(
    admission: Admission = Admission(), sent: @escaping (OSCPacket) -> Void = { _ in }
  ) {
    let identity = Surface.Identity(name: "multiroute", version: "0", epoch: 1, address: "memory")
    self.init(Surface(identity: identity, admission: admission, law: Policy.reduce)) { sent($1) }
  }
}

extension Router {
  /// The OSC surface among the listeners.
  var surface: SurfaceService { publishing.listeners.lazy.compactMap { $0 as? SurfaceService }.first! }
  var lane: FaderLane { surface.lane }

  /// Carries out a packet without a transport.
  func receive(_ packet: OSCPacket, from peer: Peer) {
    var command = SurfaceCommand(packet, from: peer, to: surface)
    carryOut(&command)
  }
}

extension Peer {
  /// A client at a UDP port of this machine.
  static func local(_ port: UInt16) -> Peer { remote(.loopback, port) }

  /// A client at another machine.
  static func remote(_ host: HostAddress, _ port: UInt16) -> Peer {
    Peer(transport: UDPTransport.transport, host: host, endpoint: UInt32(port))
  }
}
