import MediaKernel
import SoundConversion
import SoundFiles
import Synchronization
import SystemCalls

/// The reader thread's side of a player: makes a deck for each target of the player and fills it.
///
/// Unchecked: only the reader thread uses it.
final class PlayerWork: @unchecked Sendable {
  let player: Player
  let store: DeckPairStore
  let shelf: Shelf
  var fillers: [DeckFiller?] = [nil, nil]
  /// A deck whose head waits for an item that is being opened.
  var starting: (filler: DeckFiller, place: Int?, fade: Int)?
  var madeGeneration = 0
  var itemsVersion = 0
  var reports = PlayerReports()
  var failedInRow = 0

  private let loudness: LoudnessCache?
  private let find: @Sendable (String) throws(MediaError) -> String
  /// The items whose loudness was asked for.
  private var measured: [PlayerItem] = []
  /// The file that has taken the place of the one that a resting player has ready, as it was at the last look.
  private var successor: FileStatus?
  /// The item whose header was asked for.
  private var announced: PlayerItem?
  private let opener: MediaOpener.Requests
  private let wake: @Sendable () -> Void

  init(
    _ player: Player, _ opener: MediaOpener.Requests, _ loudness: LoudnessCache?,
    _ find: @escaping @Sendable (String) throws(MediaError) -> String, wake: @escaping @Sendable () -> Void
  ) {
    (self.player, store, self.loudness, self.find) = (player, player.store, loudness, find)
    (self.opener, self.wake) = (opener, wake)
    shelf = Shelf(opener, wake: wake)
  }

  var rate: Int { player.sampleRate }

  // MARK: A pass

  /// When the next pass must come.
  enum Need: Comparable {
    /// When the thread is woken.
    case none
    /// After a while, because a prepared file may be changed.
    case look
    /// Soon.
    case work
  }

  /// Does all but fill rings.
  func update(freewheels: Bool) -> Need {
    let wish = player.wish.withLock { $0 }
    // Read before the reports: the end of the sound is then reported in a later pass.
    let sounds = store.isSounding
    report(wish)
    measure(wish)
    guard wish.isPrepared else {
      announce(wish)
      release()
      return sounds || store.isSounding ? .work : .none
    }
    if wish.generation != madeGeneration {
      madeGeneration = make(wish, freewheels: freewheels) ? wish.generation : madeGeneration
    } else if starting != nil {
      goOnStarting(wish)
    } else if wish.itemsVersion != itemsVersion {
      itemsVersion = wish.itemsVersion
      adopt(wish)
    }
    keepRings(wish)
    // The work above may have set another target.
    let generation = player.wish.withLock { $0.generation }
    let isBusy =
      wish.order.runs || sounds || store.isSounding || generation != madeGeneration || starting != nil
    guard !isBusy else { return .work }
    return renew(wish) ? .work : .look
  }

  /// Gets ready with what has the name of the prepared file now, once that has been the same for two looks: a copy takes its time.
  ///
  /// - Returns: whether the player gets ready anew.
  private func renew(_ wish: PlayerWish) -> Bool {
    guard let filler = fillers.first(where: { $0?.generation == madeGeneration }) ?? nil,
      let now = filler.programme.successor
    else {
      successor = nil
      return false
    }
    defer { successor = now }
    guard let successor, now.hasContent(of: successor) else { return false }
    player.wish.withLock { [player] wish in
      wish.send(to: .place(index: player.index(wish), seconds: player.seconds(wish)))
    }
    return true
  }

  /// Has the header of the present item read, so that its length is known before the player is prepared.
  private func announce(_ wish: PlayerWish) {
    let item = player.presentItem(wish)
    guard item != announced else { return }
    announced = item
    guard let item else { return }
    opener.look(at: item.path) { [weak player, wake] result in
      // Whether the file can be played, the player tells when it plays it.
      guard let player, case .success(let facts) = result else { return }
      player.wish.withLock { $0.announced = (item, facts) }
      wake()
    }
  }

  /// Has the loudness of the present item and of the next one measured.
  private func measure(_ wish: PlayerWish) {
    guard let loudness else { return }
    let index = player.index(wish)
    let items = Array(wish.items.dropFirst(index).prefix(2))
    guard items != measured else { return }
    for item in items where !measured.contains(item) {
      loudness.measure(item.path, find: find) { [tell = player.tell] result in
        // Whether the file can be read, the player tells when it plays it.
        if case .success(let known) = result { tell(.loudness(item, known)) }
      }
    }
    measured = items
  }

  /// The deck that needs frames most, and for how many seconds it has some; nil if none needs any.
  func hungriest(freewheels: Bool) -> (filler: DeckFiller, ready: Double)? {
    let hungry = fillers.compactMap { $0 }.filter {
      $0.wantsFrames(freewheels: freewheels) && !$0.isWaiting
    }
    return hungry.map { ($0, $0.ready) }.min { $0.1 < $1.1 }
  }

  /// Fills one chunk of a deck.
  func fill(_ filler: DeckFiller) {
    let marks = filler.programme.marks.count
    filler.fill()
    tell(of: filler)
    if filler.programme.marks.count != marks { publish(filler) }
  }

  /// Lets decks that waited for an item try again.
  func waiting(freewheels: Bool) -> [DeckFiller] {
    fillers.compactMap { $0 }.filter { $0.wantsFrames(freewheels: freewheels) && $0.isWaiting }
  }

  func publish(_ filler: DeckFiller) {
    let (track, deck, heard) = (filler.track, filler.deck, store.heard(filler.deck))
    player.wish.withLock { wish in
      wish.tracks[deck] = track
      wish.tracks[deck]?.forget(before: heard)
    }
  }
}
