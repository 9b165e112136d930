import Commands
import ControlInterface
import KeptState
import NSM
import OSC
import Presets
import Router
import SessionModel
import Synchronization
import SystemCalls
import Threads

/// The router as a client of a session manager (NSM): it opens and saves its project when told, on a thread of its own, and tells whether
/// settings differ from those that are saved.
final class SessionDesk: ControlListener, Sendable {
  let link: NSMLink
  let news: SessionNews
  let console: Console
  let state = Mutex(State())

  struct State {
    /// The project that is open.
    var folder: SessionFolder?
    /// The settings that were saved; nil if those in force were restored after a crash.
    var saved: SavedSettings?
    /// Whether settings may have changed since they were compared with the saved ones.
    var isOutdated = false
    var isEnded = false
    var thread: OwnThread?
  }

  /// Seconds between two comparisons.
  private static let looking = 0.25

  init(_ link: NSMLink, _ news: SessionNews, _ console: Console) {
    (self.link, self.news, self.console) = (link, news, console)
  }

  /// What the orders need of the router.
  struct House: Sendable {
    let service: RouterService
    let presets: PresetDesk
    /// The folders of presets beside those of the session.
    let folders: [String]
    /// The preset of the command line, with which new projects begin.
    let start: Preset?
  }

  /// Answers the order with which the run began, and carries out the next ones.
  ///
  /// - Parameter beginning: what the run began with. The settings must be in force.
  func open(_ house: House, _ beginning: SessionBeginning) {
    settle(beginning, house)
    let thread = OwnThread("mr-nsm") { [self] in
      var next = 0.0
      while !state.withLock(\.isEnded) {
        let wait = state.withLock(\.isOutdated) ? max(0, next - MonotonicTime.now) : nil
        if let news = news.next(within: wait) {
          if case .order(let order) = news { perform(order, house) }
        } else if state.withLock(\.isOutdated), MonotonicTime.now >= next {
          compare(house)
          next = MonotonicTime.now + Self.looking
        }
      }
    }
    state.withLock { $0.thread = thread }
  }

  /// Ends the conversation. Does not wait for the order in hand.
  func close() {
    let thread = state.withLock { state in
      state.isEnded = true
      return state.thread.take()
    }
    thread?.detach()
    news.ring()
  }

  /// Answers the order in hand because the router cannot start.
  func fail(_ failure: CommandFailure) {
    let reason = failure.lines.map { $0.droppingPrefix("multiroute: ") }.joined(separator: "; ")
    link.finish(.failure(NSMFailure(.general, reason)))
  }

  // MARK: ControlListener

  func publish(_ change: Change) {
    let isNews = state.withLock { state in
      defer { state.isOutdated = true }
      return !state.isOutdated
    }
    if isNews { news.ring() }
  }

  // MARK: Comparison

  private func compare(_ house: House) {
    state.withLock { $0.isOutdated = false }
    guard let folder = state.withLock(\.folder) else { return }
    let present = settings(of: house.service, folder).settings
    link.tell(isDirty: present != state.withLock(\.saved))
  }

  /// The present settings.
  func settings(of service: RouterService, _ folder: SessionFolder) -> SavedSettings {
    let (state, preset, time) = service.wait { router in
      let (state, time) = await router.moment
      return (state, await router.presetInForce, time)
    }
    return SavedSettings(state, of: preset, file: folder.settings, at: time)
  }
}

extension String {
  fileprivate func droppingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
