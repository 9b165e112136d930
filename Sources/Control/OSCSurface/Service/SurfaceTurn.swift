public import ControlInterface
import OSC
public import SessionModel

/// The turn of a client: its next packet, or the next slice of its answers, as a command for the router.
///
/// Thousands of turns may wait, so a turn holds nothing but the service, which keeps the command that is carried out now.
public struct SurfaceTurn: ControlCommand, Sendable {
  private let service: SurfaceService
  private let purpose: Purpose

  /// What the turn does.
  enum Purpose {
    /// Carries out the next packet of the client whose turn it is.
    case next
    /// Carries out a packet of the waiting line.
    case waiting(number: Int)
    /// Reports dropped packets.
    case losses
    /// Ends the places of clients whose connections have ended.
    case departures
    /// Ends what clients held that have gone.
    case ends
    /// Carries out a slice of the commands and questions of OSCQuery.
    case texts
  }

  init(_ service: SurfaceService, _ purpose: Purpose = .next) {
    (self.service, self.purpose) = (service, purpose)
  }

  /// The number of answers and searched addresses of one turn. They take less than 5 ms.
  private static let slice = 1_000

  public mutating func takeEarlyLevel() -> UInt64? {
    switch purpose {
    case .losses, .departures, .ends, .texts: return nil
    case .waiting(let number):
      // An early level belongs to a later packet of the client.
      service.current = service.line.command(number)
      service.current?.place = number
      return nil
    case .next:
      guard let (content, peer) = service.inbox.next() else { return nil }
      switch content {
      case .packet(let packet):
        var command = SurfaceCommand(packet, from: peer, to: service, slice: Self.slice)
        guard !service.keepBack(&command) else { return nil }
        service.current = command
      case .command(let command): service.current = command
      }
      return service.current?.takeEarlyLevel()
    }
  }

  public mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
    switch purpose {
    case .losses: return service.losses
    case .departures:
      service.noteClients()
      return service.surface.endHeld(&state, at: time)
    case .ends: return service.surface.endHeld(&state, at: time)
    case .texts: return []
    case .next, .waiting: break
    }
    return service.current?.decide(&state, at: time)
  }

  public var author: Authorship? { service.current?.author }

  public func follow(_ move: SoleMove?) { service.current?.follow(move) }

  public mutating func answer(
    _ state: RouterState, at time: Double, statistics: () -> [Statistic]
  ) -> [PendingAnswer] {
    if case .texts = purpose { service.carryOutTexts(state, at: time) }
    return service.current?.answer(state, at: time, statistics: statistics) ?? []
  }

  public func finish() {
    defer {
      service.takeTextTurn()
      service.hangUpOnListeners()
    }
    if case .waiting(let number) = purpose { service.leaveLine(number) }
    guard let command = service.current.take() else { return }
    if command.isDone { return command.finish() }
    service.inbox.putBack(command, of: command.peer)
    service.takeTurn()
  }
}
