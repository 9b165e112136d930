import MediaKernel
import SoundFiles
import Synchronization
import Threads

/// What a player has told its owner, so that it tells what is new, and only that.
struct PlayerReports {
  private var (underruns, timeouts) = (0, 0)
  private(set) var soundingItem: PlayerItem?
  private var facts: (item: PlayerItem, facts: ItemFacts)?
  private var mark: PlayerMark?
  /// The deck, and the loop of its item, that the mark is of.
  private var place = Place()

  private struct Place: Equatable {
    var generation = 0
    var loopsDone = 0
  }

  /// Seconds by which a mark may be wrong before another one is told: more than the longest period, and than a piece of winding.
  private static let (tolerance, windingTolerance) = (0.25, 0.75)

  /// Seconds between marks of one speed.
  private static let leastInterval = 0.1

  /// The item that sounds is told again when it begins again.
  mutating func forgetItem() { soundingItem = nil }

  /// What is new.
  mutating func events(of player: Player, _ wish: PlayerWish) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    let store = player.store
    if store.underruns != underruns {
      underruns = store.underruns
      events.append(.underrun(underruns))
    }
    if store.timeouts != timeouts {
      timeouts = store.timeouts
      events.append(.timeout)
    }
    let sounds = store.isSounding
    let here = player.place(wish)
    if let known = player.facts(wish), facts?.item != known.item || facts?.facts != known.facts {
      facts = known
      events.append(.known(known.item, known.facts))
    }
    if let here, player.pending(wish) == nil, sounds || wish.order.runs {
      if here.item != soundingItem {
        soundingItem = here.item
        events.append(.item(here.item))
      }
    }
    let (before, loops) = (mark?.item, place.loopsDone)
    if let told = newMark(of: player, wish, here, sounds: sounds) {
      mark = told
      if told.item == before, place.loopsDone > loops {
        events.append(.looped(told.item, count: place.loopsDone))
      }
      events.append(.mark(told))
    }
    return events
  }

  /// Where the player is, if the last mark does not tell.
  private mutating func newMark(
    of player: Player, _ wish: PlayerWish, _ here: ProgrammeMark?, sounds: Bool
  ) -> PlayerMark? {
    let isPending = player.pending(wish) != nil
    // A seek is told when it sounds.
    if sounds, isPending { return nil }
    let index = player.index(wish)
    guard let item = here?.item ?? (wish.items.indices.contains(index) ? wish.items[index] : nil) else {
      return nil
    }
    let isHere = sounds && !isPending
    let now = PlayerMark(
      item: item, position: player.seconds(wish), time: MonotonicTime.now, speed: isHere ? wish.speed : 0)
    let newPlace = Place(
      generation: isHere ? player.store.current?.generation ?? 0 : place.generation,
      loopsDone: here?.loopsDone ?? 0)
    func isNew() -> Bool {
      guard let mark, mark.item == now.item, mark.speed == now.speed, newPlace.generation == place.generation
      else { return true }
      let error = abs(mark.position(at: now.time) - now.position)
      guard isHere else { return error > 0.000_001 || newPlace != place }
      // In freewheel seconds pass in no time: marks are for people, and come no faster than people look.
      guard now.time - mark.time > Self.leastInterval else { return false }
      return newPlace != place || error > (now.speed < 0 ? Self.windingTolerance : Self.tolerance)
    }
    guard isNew() else { return nil }
    place = newPlace
    return now
  }
}
