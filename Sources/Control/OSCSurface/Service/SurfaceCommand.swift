public import ControlInterface
import MixEngine
public import OSC
public import SessionModel

/// A packet as a command for the router.
public struct SurfaceCommand: ControlCommand, Sendable {
  private let service: SurfaceService
  let packet: OSCPacket
  let peer: Peer
  /// The number of answers after which the command pauses, and is carried out again later.
  private let slice: Int
  private var trial: Surface.Trial?
  /// The fader that the packet moved, and the amplitude at which it stands now; nil if the packet did anything else.
  private var moved: (fader: Surface.Fader, amplitude: Float)?
  /// The answers; nil before the first slice.
  private var answering: Answering?
  /// What the words of the packet mean that name files.
  var words = PacketWords()
  /// The packet's number in the waiting line; nil if it was never there.
  var place: Int?
  /// Why the words cannot be looked up, so that the packet is refused.
  var refusal: SessionError?

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
    trial = service.surface.decide(packet, from: peer, &state, at: time, words, refusal)
    if let missing = trial?.missingWords, !missing.isEmpty {
      trial = nil
      do throws(SessionError) {
        try service.search(missing, for: self, at: time, place: place)
        return nil
      } catch {
        trial = service.surface.decide(packet, from: peer, &state, at: time, words, error)
      }
    }
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
