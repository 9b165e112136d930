import ControlInterface
import SessionModel

/// The JACK ports that clients use up with the streams and captures that they make.
///
/// A server has room for a fixed number of ports (docs/develop/law/osc.md#15-packet-limits). A client that took them all would leave none for the programs and devices of the evening.
struct PortShares: Sendable {
  /// What has JACK ports.
  enum Holder: Hashable {
    case stream(SessionID, StreamID)
    case capture(SessionID)
  }

  /// The ports that stay free for programs.
  static let reserve = 64

  /// The client that made each holder.
  private var makers: [Holder: Maker] = [:]

  /// A client of this machine, or all clients of another host.
  private struct Maker: Hashable {
    let host: HostAddress
    let endpoint: UInt32?

    init(_ peer: Peer) { (host, endpoint) = (peer.host, peer.host.isLoopback ? peer.endpoint : nil) }
  }

  /// The holder that an event gives ports; nil if it gives none.
  static func holder(of event: Event) -> Holder? {
    switch event {
    case .createStream(let session, let stream, _, _): .stream(session, stream)
    case .session(let session, .captureChannels(let count)) where count > 0: .capture(session)
    default: nil
    }
  }

  /// Checks the ports that a packet needs.
  /// - Parameters:
  ///   - made: all holders that the packet has made so far.
  ///   - state: the state with them.
  /// - Throws: `SessionError` full.
  func check(_ made: Set<Holder>, by peer: Peer, in state: RouterState) throws(SessionError) {
    guard let limit = state.server.portLimit, let free = state.freePortCount else { return }
    let more = "remove sessions, or start jackd with more ports (at most 4,096: jackd --port-max 4096 ...)"
    guard free >= Self.reserve else {
      throw SessionError(
        .full,
        "the JACK server has \(limit) ports, and the last \(Self.reserve) stay free for programs; \(more)")
    }
    let maker = Maker(peer)
    let taken = made.union(makers.filter { $0.value == maker }.keys).reduce(0) {
      $0 + Self.ports(of: $1, state)
    }
    guard 2 * taken <= free + taken else {
      throw SessionError(
        .full,
        """
        this client would use \(taken) of the \(free + taken) ports that the JACK server has free without it, and one client may use at \
        most half of them; \(more)
        """)
    }
  }

  /// Notes the client that made these holders, and forgets those that are gone.
  mutating func note(_ made: Set<Holder>, by peer: Peer, in state: RouterState) {
    guard !made.isEmpty else { return }
    makers = makers.filter { Self.ports(of: $0.key, state) > 0 }
    for holder in made { makers[holder] = Maker(peer) }
  }

  /// The number of ports of a holder.
  static func ports(of holder: Holder, _ state: RouterState) -> Int {
    switch holder {
    case .stream(let session, let stream): state.sessions[session]?.streams[stream]?.channels ?? 0
    case .capture(let session): state.sessions[session]?.capture.channels ?? 0
    }
  }
}
