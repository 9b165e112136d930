import OSC
import OSCSurface
import Router
import ServiceDiscovery
import SessionModel
import Synchronization
import Threads

/// Looks for the routers of the network for clients (`/system/routers`): one search at a time, for all who have asked until its end.
final class RouterDesk: Sendable {
  private let state = Mutex(State())

  private struct State {
    var house: (service: RouterService, surface: SurfaceService)?
    var waiting: [Surface.Errand] = []
    var isSearching = false
  }

  /// Greatest number of clients that wait.
  private static let mostWaiting = 64
  /// Seconds of a search, if the daemon does not say earlier that it knows no more.
  private static let patience = 2.0

  /// Begins to carry out errands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    state.withLock { $0.house = (service, surface) }
  }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` full, or resourceNotAvailable.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    let (isAccepted, mustBegin) = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting else { return (false, false) }
      state.waiting.append(errand)
      defer { state.isSearching = true }
      return (true, !state.isSearching)
    }
    guard isAccepted else {
      throw SessionError(.full, "too many clients look for routers; send the command again later")
    }
    guard mustBegin else { return }
    do throws(OwnThread.Failure) {
      try OwnThread.start("mr-routers") { [self] in search() }.detach()
    } catch {
      state.withLock { ($0.isSearching, $0.waiting) = (false, []) }
      throw SessionError(.resourceNotAvailable, "the system has no thread left to look for routers")
    }
  }

  private func search() {
    let result: Result<[[OSCArgument]], SessionError>
    do throws(FoundRouter.Failure) {
      result = .success(try FoundRouter.search(within: Self.patience).map(Self.row))
    } catch {
      result = .failure(SessionError(.resourceNotAvailable, "routers cannot be looked for: \(error)"))
    }
    let (errands, house) = state.withLock { state in
      defer { (state.waiting, state.isSearching) = ([], false) }
      return (state.waiting, state.house)
    }
    house?.service.post { [house] _ in
      for errand in errands {
        switch result {
        case .success(let rows): house?.surface.answer(errand, rows: rows)
        case .failure(let error): house?.surface.answer([errand], error)
        }
      }
    }
  }

  private static func row(_ router: FoundRouter) -> [OSCArgument] {
    [.string(router.name), .string(router.pages.first ?? "none"), .int32(router.isLocal ? 1 : 0)]
  }
}
