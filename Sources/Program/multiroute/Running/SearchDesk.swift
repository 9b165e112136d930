import Effects
import EffectsHost
import OSC
import OSCSurface
import Router
import ServiceDiscovery
import SessionModel
import Synchronization
import Threads

/// Looks for something that takes long on behalf of clients: one search at a time, for all who have asked until its end.
final class SearchDesk: Sendable {
  /// Finds the rows of the answer. Waits.
  private typealias Search = @Sendable () throws(SessionError) -> [[OSCArgument]]

  private let (thread, things): (String, String)
  private let search: Search
  private let state = Mutex(State())

  private struct State {
    var house: (service: RouterService, surface: SurfaceService)?
    var waiting: [Surface.Errand] = []
    var isSearching = false
  }

  /// Greatest number of clients that wait.
  private static let mostWaiting = 64

  private init(_ thread: String, for things: String, _ search: @escaping Search) {
    (self.thread, self.things, self.search) = (thread, things, search)
  }

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
      throw SessionError(.full, "too many clients look for \(things); send the command again later")
    }
    guard mustBegin else { return }
    do throws(OwnThread.Failure) {
      try OwnThread.start(thread) { [self] in carryOut() }.detach()
    } catch {
      state.withLock { ($0.isSearching, $0.waiting) = (false, []) }
      throw SessionError(.resourceNotAvailable, "the system has no thread left to look for \(things)")
    }
  }

  private func carryOut() {
    let result = Result { () throws(SessionError) in try search() }
    let (errands, house) = state.withLock { state in
      defer { (state.waiting, state.isSearching) = ([], false) }
      return (state.waiting, state.house)
    }
    house?.service.post { [house] _ in
      for errand in errands {
        switch result {
        case .success(let rows): house?.surface.answer(errand, of: rows)
        case .failure(let error): house?.surface.answer([errand], error)
        }
      }
    }
  }
}

extension SurfaceService {
  /// Answers the rows that an errand asks for.
  fileprivate func answer(_ errand: Surface.Errand, of rows: [[OSCArgument]]) {
    guard case .effects(let page) = errand.job else { return answer(errand, rows: rows) }
    let start = min(page.start, rows.count)
    answer(errand, rows: Array(rows[start...].prefix(page.count)), from: start, of: rows.count)
  }
}

// MARK: Routers

extension SearchDesk {
  /// Seconds of a search, if the daemon does not say earlier that it knows no more.
  private static let patience = 2.0

  /// Looks for the routers of the network (`/system/routers`).
  static func routers() -> SearchDesk {
    SearchDesk("mr-routers", for: "routers") { () throws(SessionError) in
      do throws(FoundRouter.Failure) { return try FoundRouter.search(within: patience).map(row) } catch {
        throw SessionError(.resourceNotAvailable, "routers cannot be looked for: \(error)")
      }
    }
  }

  private static func row(_ router: FoundRouter) -> [OSCArgument] {
    [.string(router.name), .string(router.pages.first ?? "none"), .int32(router.isLocal ? 1 : 0)]
  }
}

// MARK: Plugins

extension SearchDesk {
  /// Looks for the plugins that are installed (`/effects/list`).
  static func effects() -> SearchDesk {
    SearchDesk("mr-plugins", for: "plugins") { () throws(SessionError) in
      do throws(InstalledEffects.Failure) {
        let list = try InstalledEffects(program: InstalledEffects.usualProgram).list()
        return list.plugins.map(row) + list.problems.map(row)
      } catch {
        throw SessionError(.resourceNotAvailable, "plugins cannot be looked for: \(error)")
      }
    }
  }

  private static func row(_ plugin: EffectPlugin) -> [OSCArgument] {
    let names: [OSCArgument] = [
      .string(plugin.uri), .string(plugin.name), .string(EffectName.text(of: plugin.uri)),
      .string(plugin.kind),
    ]
    let channels = [plugin.inputs, plugin.outputs, plugin.sideInputs].map { OSCArgument.int32(Int32($0)) }
    return names + channels + [.string(plugin.refusal ?? "")]
  }

  /// What is wrong with a bundle stands where a plugin says why it cannot be used.
  private static func row(_ problem: String) -> [OSCArgument] {
    [
      .string("none"), .string(""), .string("none"), .string(""), .int32(0), .int32(0), .int32(0),
      .string(problem),
    ]
  }
}
