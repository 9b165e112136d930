public import ControlInterface
import MixEngine
public import OSC
public import SessionModel

/// A packet as a command for the router.
public struct SurfaceCommand: ControlCommand, Sendable {
  private let service: SurfaceService
  let packet: OSCPacket
  private let peer: Peer
  /// The number of answers after which the command pauses, and is carried out again later.
  private let slice: Int
  private var trial: Surface.Trial?
  /// The fader that the packet moved, and the amplitude at which it stands now; nil if the packet did anything else.
  private var moved: (fader: Surface.Fader, amplitude: Float)?
  /// The answers; nil before the first slice.
  private var answering: Answering?

  /// - Parameters:
  ///   - peer: the client that sent the packet.
  ///   - slice: the number of answers and searched addresses after which the command pauses until it is carried out again.
  public init(_ packet: OSCPacket, from peer: Peer, to service: SurfaceService, slice: Int = .max) {
    (self.service, self.packet, self.peer, self.slice) = (service, packet, peer, slice)
  }

  /// Whether all answers are given.
  var isDone: Bool { answering?.isDone ?? true }

  public func takeEarlyLevel() -> UInt64? { service.lane.takeSent(of: peer) }

  public mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
    guard answering == nil else { return [] }
    trial = service.surface.decide(packet, from: peer, &state, at: time)
    moved = trial?.movedFader(by: packet, in: state)
    return trial?.notifications
  }

  public var author: Authorship? { answering == nil ? trial.map { service.surface.author(of: $0) } : nil }

  public func follow(_ move: SoleMove?) {
    guard answering == nil else { return }
    guard let moved, let move, move.target == moved.amplitude else { return service.lane.forget() }
    service.lane.learn(moved.fader, move.stage)
  }

  public mutating func answer(
    _ state: RouterState, at time: Double, statistics: () -> [Statistic]
  ) -> [PendingAnswer] {
    guard var answering = answering ?? trial.map(Answering.init) else { return [] }
    let outcome = service.surface.answer(&answering, state, at: time, slice: slice) {
      service.statistics(statistics)
    }
    (self.answering, trial) = (answering, nil)
    service.send(outcome)
    service.noteClients()
    return outcome.syncs.map(service.pending)
  }

  public func finish() { service.lane.leave() }
}
