public import OSC
import Parameters
import Surface
import Synchronization

/// A router with its sockets: everything that `run` and `demo` start, in order, and stop in the reverse order.
public final class RouterService: Sendable {
  /// The router itself.
  public let router: Router
  private let receivers: [UDPReceiver]
  private let loop: Task<Void, Never>
  /// Packets that may wait for the router; more are dropped, as the system drops what a socket has no room for.
  private static let mostWaiting = 8_192

  /// Starts to receive and to run; the audio server and the presets come later, by the router.
  ///
  /// - Parameters:
  ///   - sockets: where OSC is received; answers to a peer leave by the one that heard it first.
  ///   - record: hears of every event, on the policy thread.
  /// - Throws: `SocketError` when the system has no thread left.
  public init(
    _ settings: Router.Settings, backend: sending any AudioBackend, sockets: [UDPSocket],
    record: @escaping @Sendable (OSCMessage) -> Void = { _ in }
  ) throws(SocketError) {
    let counted = Mutex<[ReceiverCounters]>([])
    let ways = ReplyWays()
    let first = sockets[0]
    let router = Router(
      settings, backend: backend,
      send: { datagram in
        let socket = ways.socket(to: datagram.peer) ?? first
        // A peer that is gone gets nothing; who else listens must not suffer for it.
        try? socket.send(PacketEncoder.encode(datagram.packet), to: datagram.peer)
      }, record: record,
      counters: {
        let all = counted.withLock { $0 }
        return [
          ("received", all.reduce(0) { $0 + $1.received }), ("dropped", all.reduce(0) { $0 + $1.dropped }),
          ("refused", all.reduce(0) { $0 + $1.refused }),
        ]
      })
    var receivers: [UDPReceiver] = []
    for socket in sockets {
      let receiver = try UDPReceiver(
        socket: socket, name: "mr-osc", admit: { settings.admission.right(of: $0) > .none },
        peek: router.lane.enter,
        handler: { result, peer in
          guard case .success(let packet) = result else { return router.lane.leave() }
          if sockets.count > 1 { ways.note(peer, at: socket) }
          let isPosted = router.executor.post(limit: Self.mostWaiting) {
            router.assumeIsolated { $0.receive(packet, from: peer) }
            router.lane.leave()
          }
          if !isPosted { router.lane.leave() }
        })
      receivers.append(receiver)
      counted.withLock { $0.append(receiver.counters) }
    }
    (self.router, self.receivers) = (router, receivers)
    loop = Task(executorPreference: router.executor) { await router.run() }
  }

  /// Fades out, leaves the audio server and closes the sockets.
  public func stop() async {
    await router.stop()
    for receiver in receivers { receiver.stop() }
    await loop.value
  }
}
