import Synchronization
import Threads

/// The thread that reads for all players. It has no urgency of its own: rings of more than a second stand between it and the audio thread.
///
/// It wakes every 10 ms while a player plays or waits for a file, and sleeps otherwise.
public final class PlayerReader: Sendable {
  private final class Shared: Sendable {
    let players = Mutex<[ObjectIdentifier: (player: Player, work: PlayerWork)]>([:])
    let freewheels = Atomic<Bool>(false)
    let passes = Atomic<Int>(0)
  }

  private let shared = Shared()
  private let opener = MediaOpener()
  private let thread: PacedThread

  public init() {
    thread = PacedThread(name: "mr-reader") { [shared] in Self.pass(shared) }
  }

  deinit { stop() }

  /// Ends the threads. Players get no frames afterwards.
  public func stop() {
    opener.stop()
    thread.stop()
  }

  /// Whether the server freewheels: the thread then looks after every millisecond. The audio thread waits for it, if `DeckPair.begin` is told.
  public func setFreewheel(_ freewheels: Bool) {
    shared.freewheels.store(freewheels, ordering: .releasing)
    thread.wake()
  }

  /// How often the thread has looked after its players: it stands still while none plays.
  public var passes: Int { shared.passes.load(ordering: .relaxed) }

  func wake() { thread.wake() }

  func add(_ player: Player) {
    let work = PlayerWork(player, opener) { [thread] in thread.wake() }
    shared.players.withLock { $0[ObjectIdentifier(player)] = (player, work) }
    thread.wake()
  }

  func remove(_ player: Player) {
    shared.players.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(player)) }
    thread.wake()
  }

  // MARK: The thread

  private static func pass(_ shared: Shared) -> PacedThread.Pace {
    shared.passes.wrappingAdd(1, ordering: .relaxed)
    let freewheels = shared.freewheels.load(ordering: .acquiring)
    var isBusy = update(shared, freewheels)
    var sinceUpdate = 0
    while let (work, filler) = hungriest(shared) {
      work.fill(filler)
      sinceUpdate += 1
      // Of several seeks in a row only the newest is read.
      if sinceUpdate == 8 {
        isBusy = update(shared, freewheels)
        sinceUpdate = 0
      }
    }
    return isBusy ? .after(milliseconds: freewheels ? 1 : 10) : .woken
  }

  private static func update(_ shared: Shared, _ freewheels: Bool) -> Bool {
    var isBusy = false
    for (_, work) in shared.players.withLock({ Array($0.values) }) {
      if work.update(freewheels: freewheels) { isBusy = true }
      for filler in work.waiting { work.fill(filler) }
    }
    return isBusy
  }

  /// The deck of all players that needs frames most.
  private static func hungriest(_ shared: Shared) -> (PlayerWork, DeckFiller)? {
    var most: (work: PlayerWork, filler: DeckFiller, ready: Double)?
    for (_, work) in shared.players.withLock({ Array($0.values) }) {
      guard let (filler, ready) = work.hungriest, ready < most?.ready ?? .infinity else { continue }
      most = (work, filler, ready)
    }
    return most.map { ($0.work, $0.filler) }
  }
}
