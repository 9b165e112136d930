public import SoundConversion
public import SoundFiles
import Synchronization
public import Threads

/// The thread that reads for all players. It has no urgency of its own: rings of four seconds stand between it and the audio thread.
///
/// It wakes every 10 ms while a player plays or waits for a file, twice a second while players are prepared, whose files may be changed, and sleeps
/// otherwise.
public final class PlayerReader: Sendable {
  /// The players that the thread reads for. Players keep this and not the thread.
  final class Players: Sendable {
    fileprivate let works = Mutex<[ObjectIdentifier: PlayerWork]>([:])
    fileprivate let freewheels = Atomic<Bool>(false)
    fileprivate let opener: MediaOpener.Requests
    fileprivate let bell = PacedThread.Bell()
    fileprivate let loudness: LoudnessCache?
    fileprivate let find: @Sendable (String) throws(MediaError) -> String

    fileprivate init(
      _ opener: MediaOpener.Requests, _ loudness: LoudnessCache?,
      _ find: @escaping @Sendable (String) throws(MediaError) -> String
    ) {
      (self.opener, self.loudness, self.find) = (opener, loudness, find)
    }

    func wake() { bell.ring() }

    func add(_ player: Player) {
      let work = PlayerWork(player, opener, loudness, find) { [bell] in bell.ring() }
      works.withLock { $0[ObjectIdentifier(player)] = work }
      wake()
    }

    func remove(_ player: Player) {
      works.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(player)) }
      wake()
    }
  }

  let players: Players
  private let opener: MediaOpener
  private let thread: PacedThread

  /// - Parameters:
  ///   - loudness: measures the items of players, which then tell `.loudness`; nil for players that do not.
  ///   - find: the path of an item's file, for what `PlayerItem.path` says; called on the threads of the opener and of `loudness`, where it may wait for the disk.
  public init(
    loudness: LoudnessCache? = nil,
    find: @escaping @Sendable (String) throws(MediaError) -> String = { $0 }
  ) {
    opener = MediaOpener(find)
    players = Players(opener.requests, loudness, find)
    thread = PacedThread(name: "mr-reader", bell: players.bell) { [players] in Self.pass(players) }
  }

  deinit { stop() }

  /// Ends the threads. Players get no frames afterwards.
  public func stop() {
    opener.stop()
    thread.stop()
  }

  /// Whether the server freewheels: the thread then looks after every millisecond. The audio thread waits for it, if `DeckPair.begin` is told.
  public func setFreewheel(_ freewheels: Bool) {
    players.freewheels.store(freewheels, ordering: .releasing)
    players.wake()
  }

  /// How often the thread has looked after its players: it stands still while none plays.
  public var passes: Int { thread.passes.count }

  /// How long these looks took.
  public var passTimes: PassTimes { thread.passes }

  /// Seconds of the longest look that has ended since the last call; 0 if none has.
  public func takeLongestPass() -> Double { thread.takeLongestPass() }

  // MARK: The thread

  private static func pass(_ players: Players) -> PacedThread.Pace {
    let freewheels = players.freewheels.load(ordering: .acquiring)
    var need = update(players, freewheels)
    var sinceUpdate = 0
    while let (work, filler) = hungriest(players, freewheels) {
      work.fill(filler)
      sinceUpdate += 1
      // Of several seeks in a row only the newest is read.
      if sinceUpdate == 8 {
        need = update(players, freewheels)
        sinceUpdate = 0
      }
    }
    return switch need {
    case .work: .after(milliseconds: freewheels ? 1 : 10)
    case .look: .after(milliseconds: 500)
    case .none: .woken
    }
  }

  private static func update(_ players: Players, _ freewheels: Bool) -> PlayerWork.Need {
    var need = PlayerWork.Need.none
    for work in players.works.withLock({ Array($0.values) }) {
      need = max(need, work.update(freewheels: freewheels))
      for filler in work.waiting(freewheels: freewheels) { work.fill(filler) }
    }
    return need
  }

  /// The deck of all players that needs frames most.
  private static func hungriest(_ players: Players, _ freewheels: Bool) -> (PlayerWork, DeckFiller)? {
    var most: (work: PlayerWork, filler: DeckFiller, ready: Double)?
    for work in players.works.withLock({ Array($0.values) }) {
      guard let (filler, ready) = work.hungriest(freewheels: freewheels), ready < most?.ready ?? .infinity
      else { continue }
      most = (work, filler, ready)
    }
    return most.map { ($0.work, $0.filler) }
  }
}
