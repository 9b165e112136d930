public import ControlInterface
import OSC
public import SessionModel

/// The turn of a client: its next packet, or the next slice of its answers, as a command for the router.
///
/// Thousands of turns may wait, so a turn holds nothing but the service, which keeps the command that is carried out now.
public struct SurfaceTurn: ControlCommand, Sendable {
  private let service: SurfaceService
  /// Whether the turn reports dropped packets instead.
  private let reportsLosses: Bool

  init(_ service: SurfaceService, reportsLosses: Bool = false) {
    (self.service, self.reportsLosses) = (service, reportsLosses)
  }

  /// The number of answers and searched addresses of one turn. They take less than 5 ms.
  private static let slice = 1_000

  public mutating func takeEarlyLevel() -> UInt64? {
    guard !reportsLosses, let (content, peer) = service.inbox.next() else { return nil }
    let command =
      switch content {
      case .packet(let packet): SurfaceCommand(packet, from: peer, to: service, slice: Self.slice)
      case .command(let command): command
      }
    service.current = (command, peer)
    return command.takeEarlyLevel()
  }

  public mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
    reportsLosses ? service.losses : service.current?.command.decide(&state, at: time)
  }

  public var author: Authorship? { service.current?.command.author }

  public func follow(_ move: SoleMove?) { service.current?.command.follow(move) }

  public mutating func answer(
    _ state: RouterState, at time: Double, statistics: () -> [Statistic]
  ) -> [PendingAnswer] {
    service.current?.command.answer(state, at: time, statistics: statistics) ?? []
  }

  public func finish() {
    guard let (command, peer) = service.current.take() else { return }
    if command.isDone { return command.finish() }
    service.inbox.putBack(command, of: peer)
    service.takeTurn()
  }
}
