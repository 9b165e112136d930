import OSCSurface
import Router
import SessionModel
import Synchronization

/// Has the router rebuild its connection to the audio server for clients (`/system/recover`).
final class RecoveryDesk: Sendable {
  private struct House: Sendable {
    let service: RouterService
    let surface: SurfaceService
  }

  private let house = Mutex<House?>(nil)

  /// Begins to carry out errands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    house.withLock { $0 = House(service: service, surface: surface) }
  }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` notYet before `open`.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    guard let house = house.withLock(\.self) else {
      throw SessionError(.notYet, "the router is still starting")
    }
    house.service.post { router in house.surface.answer([errand], await router.recover()) }
  }
}
