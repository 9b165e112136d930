import ControlInterface
import SessionModel

/// The clients that began the present solos and opened the present talkbacks. What a client holds ends when the client leaves, or when its lease
/// ends: no microphone stays open because a tablet's battery is empty (docs/develop/law/solo.md#6-surfaces-that-go).
struct MonitoringHolders: Sendable {
  private var solos: [SoloTarget: Peer] = [:]
  private var sends: [SoloedSend: Peer] = [:]
  private var talkbacks: [SessionID: Peer] = [:]
  /// When each client that holds something was heard last, in seconds.
  private var heard: [Peer: Double] = [:]
  /// The clients that have gone since the last call of `take`.
  private var gone: Set<Peer> = []

  /// Whether anything must end.
  var isDue: Bool { !gone.isEmpty }

  /// The clients that hold something.
  var peers: Set<Peer> { Set(heard.keys) }

  /// Notes that a client has sent a packet.
  mutating func hear(_ peer: Peer, at time: Double) {
    if heard[peer] != nil { heard[peer] = time }
  }

  /// The end of the first lease of a client without a place, in seconds; nil if there is none.
  func nextLapse(except registered: Set<Peer>) -> Double? {
    heard.lazy.filter { !registered.contains($0.key) }.map { $0.value + Client.lease }.min()
  }

  /// Notes that the leases of clients without a place are over.
  mutating func lapse(except registered: Set<Peer>, at time: Double) {
    for (peer, heard) in heard where !registered.contains(peer) && heard + Client.lease <= time { lose(peer) }
  }

  /// Notes what a client's packet has begun, and forgets what has ended.
  mutating func note(_ former: Monitoring, _ present: Monitoring, by peer: Peer, at time: Double) {
    guard former != present else { return }
    for solo in present.solos where !former.solos.contains(solo) { solos[solo] = peer }
    for send in present.sends where !former.sends.contains(send) { sends[send] = peer }
    for open in present.talkbacks where former.talkbacks.first(where: { $0.session == open.session }) != open
    {
      talkbacks[open.session] = peer
    }
    solos = solos.filter { present.solos.contains($0.key) }
    sends = sends.filter { present.sends.contains($0.key) }
    talkbacks = talkbacks.filter { present.isOpen($0.key) }
    heard[peer] = time
    let peers = Set(solos.values).union(sends.values).union(talkbacks.values)
    heard = heard.filter { peers.contains($0.key) }
  }

  /// Notes that a client has left, or that its lease has ended.
  mutating func lose(_ peer: Peer) {
    if heard.removeValue(forKey: peer) != nil { gone.insert(peer) }
  }

  /// Takes the events that end what the clients that have gone hold. Solos at monitor outputs stay unless one of these says that they end.
  mutating func take(_ state: RouterState) -> [Event] {
    defer { gone = [] }
    let takesSolos = state.monitors.contains(where: \.monitor.endsWithSurface)
    let ended = takesSolos ? state.monitoring.solos.filter { solos[$0].map(gone.contains) ?? false } : []
    let closed = state.monitoring.talkbacks.map(\.session).filter {
      talkbacks[$0].map(gone.contains) ?? false
    }
    let unsoloed = state.monitoring.sends.filter { sends[$0].map(gone.contains) ?? false }
    solos = solos.filter { !gone.contains($0.value) }
    sends = sends.filter { !gone.contains($0.value) }
    talkbacks = talkbacks.filter { !gone.contains($0.value) }
    return ended.map { .solo($0, false) } + unsoloed.map { .soloSend($0, false) }
      + closed.map { .closeTalkback($0) }
  }
}

extension Surface {
  /// Ends the solos and talkbacks of clients that have gone.
  mutating func endHeld(_ state: inout RouterState, at time: Double) -> [Notification] {
    guard holders.isDue else { return [] }
    return holders.take(state).flatMap { event in
      // What has ended in the meantime needs no end.
      (try? law(&state, event, time)) ?? []
    }
  }
}
