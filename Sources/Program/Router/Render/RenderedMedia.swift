import MixEngine
import SessionModel
import SessionPolicy
import Synchronization
import Threads

/// The players and recorders of a rendered show. The audio waits for the disk.
final class RenderedMedia {
  let keeper: MediaKeeper
  private let reports: Inbox
  /// Orders that followed from reports, for the next plan.
  private var orders = MediaOrders()

  /// Why sound is missing, as sentences.
  private(set) var problems: [String] = []

  private final class Inbox: Sendable {
    let reports = Mutex<[MediaReport]>([])

    func take() -> [MediaReport] {
      reports.withLock { reports in
        defer { reports = [] }
        return reports
      }
    }
  }

  /// Seconds that the report of an end may take.
  private static let patience = 5.0

  init(_ settings: MediaSettings, rate: Int) {
    let inbox = Inbox()
    reports = inbox
    keeper = MediaKeeper(MediaFiles(settings, freewheels: true)) { report in
      inbox.reports.withLock { $0.append(report) }
    }
    keeper.open(rate: rate)
  }

  /// Finishes the recordings.
  deinit {
    _ = keeper.close(at: 0)
    keeper.files.stop()
  }

  /// Carries out a state, which then tells how loud the items are that are to be normalised. Returns the orders for the next plan.
  func follow(_ state: inout RouterState, at time: Double, frame: Int) -> MediaOrders {
    let new = keeper.follow(state, at: time, frame: UInt64(frame))
    if !new.isEmpty { orders = new }
    if keeper.measureLoudness(at: time) { state = look(at: state, time, frame) }
    defer { orders = MediaOrders() }
    return orders
  }

  /// Decides on what the players have reported, and on what was heard of them.
  ///
  /// The threads of the files report when they come to it, so what was heard is looked at: a show that is rendered twice is the same.
  /// - Returns: the state afterwards.
  func report(into state: RouterState, at time: Double, frame: Int) -> RouterState {
    let world = World(state)
    let owner = owner(of: world, time, frame)
    awaitEnds()
    for report in reports.take() { keeper.take(report, for: owner) }
    keeper.takeHeard(for: owner)
    return look(at: world.state, time, frame)
  }

  /// Decides on what is new of players and recorders.
  /// - Returns: the state afterwards.
  private func look(at state: RouterState, _ time: Double, _ frame: Int) -> RouterState {
    let world = World(state)
    let owner = owner(of: world, time, frame)
    for event in keeper.look(at: time, frame: UInt64(frame)) { owner.happen(event) }
    return world.state
  }

  private func owner(of world: World, _ time: Double, _ frame: Int) -> MediaKeeper.Owner {
    MediaKeeper.Owner(
      time: time, state: { world.state },
      happen: { event in
        // A report that the law refuses changes nothing.
        let told = (try? Policy.reduce(&world.state, event, at: time)) ?? []
        for notification in told { self.note(notification) }
        let new = self.keeper.follow(world.state, at: time, frame: UInt64(frame))
        if !new.isEmpty { self.orders = new }
      }, tell: { self.note($0) })
  }

  private func note(_ notification: Notification) {
    if case .error(_, _, let error) = notification { problems.append(error.sentence) }
  }

  /// A player that came to its end says so soon.
  private func awaitEnds() {
    let end = MonotonicTime.now + Self.patience
    while keeper.isEnding, MonotonicTime.now < end { MonotonicTime.pause(seconds: 0.000_2) }
  }

  private final class World {
    var state: RouterState
    init(_ state: RouterState) { self.state = state }
  }
}
