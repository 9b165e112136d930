public import ControlInterface
import MixEngine
public import OSC
public import SessionModel

/// A packet as a command for the router.
public struct SurfaceCommand: ControlCommand, Sendable {
  private let service: SurfaceService
  private let packet: OSCPacket
  private let peer: Peer
  private var trial: Surface.Trial?
  /// The fader that the packet moved, and the amplitude at which it stands now; nil if the packet did anything else.
  private var moved: (fader: Surface.Fader, amplitude: Float)?

  /// - Parameter peer: the client that sent the packet.
  public init(_ packet: OSCPacket, from peer: Peer, to service: SurfaceService) {
    (self.service, self.packet, self.peer) = (service, packet, peer)
  }

  public func takeEarlyLevel() -> UInt64? { service.lane.takeSent(of: peer) }

  public mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
    trial = service.surface.decide(packet, from: peer, &state, at: time)
    moved = trial?.movedFader(by: packet, in: state)
    return trial?.notifications
  }

  public var author: Authorship? { trial.map { service.surface.author(of: $0) } }

  public func follow(_ move: SoleMove?) {
    guard let moved, let move, move.target == moved.amplitude else { return service.lane.forget() }
    service.lane.learn(moved.fader, move.stage)
  }

  public func answer(
    _ state: RouterState, at time: Double, statistics: () -> [Statistic]
  ) -> [PendingAnswer] {
    guard let trial else { return [] }
    let outcome = service.surface.conclude(trial, state) { service.statistics(statistics) }
    service.send(outcome)
    return outcome.syncs.map(service.pending)
  }

  public func finish() { service.lane.leave() }
}
