public import MediaKernel
import SoundConversion
import SoundFiles
import Synchronization

/// Plays sound files into a plan: one item after another, from any place, at any rate.
///
/// The owner (the router) puts `store` and the newest `order` into its plan; the audio thread obeys the order and reads the frames there. The
/// reader thread (`PlayerReader`) fills the decks. Any thread but the audio thread may call every function; none waits for the disk. Errors of
/// files come as events.
public final class Player: Sendable {
  /// The audio thread's way to the player's frames.
  public let store: DeckPairStore
  /// In Hz; the rate of the plan.
  public let sampleRate: Int
  let wish = Mutex(PlayerWish())
  let tell: @Sendable (PlayerEvent) -> Void
  private let reader: PlayerReader.Players

  /// Length of the fades of pause and resume, and of the crossfade of a seek, in seconds.
  public static let fadeSeconds = 0.005
  /// Rates that a player can have.
  public static let rates = 0.25...4.0

  /// Makes a player without items, which takes about 1 kB until it is prepared.
  ///
  /// - Parameters:
  ///   - channels: 1 to 64; with more than 16 the rate is always 1.
  ///   - sampleRate: of the plan, in Hz. A server with another rate needs new players.
  ///   - tell: called on the threads that `PlayerEvent` names; it must not wait.
  public init(
    _ reader: PlayerReader, channels: Int, sampleRate: Int, tell: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    store = DeckPairStore(channels: channels)
    (self.reader, self.sampleRate, self.tell) = (reader.players, sampleRate, tell)
    self.reader.add(self)
  }

  /// Takes the player off the reader thread, which then closes its files. The owner takes it out of its plans.
  public func close() { reader.remove(self) }

  var fadeFrames: Int { Int(Double(sampleRate) * Self.fadeSeconds) }

  // MARK: What it plays

  /// Replaces the items. If the present item is among them, the player keeps its place there, and those after it follow; otherwise it is sent
  /// to the start of the first one.
  public func setItems(_ items: [PlayerItem]) {
    change { wish in
      let (sounding, pending) = (place(wish)?.item, pending(wish))
      let present = sounding ?? presentItem(wish)
      wish.items = items
      guard let index = items.firstIndex(where: { $0.id == present?.id }) else {
        return wish.send(to: .place(index: 0, seconds: 0))
      }
      if let pending { wish.target = .place(index: index, seconds: pending.seconds) }
      if items[index] == sounding { wish.itemsVersion += 1 } else { sendHere(&wish) }
    }
  }

  /// The items.
  public var items: [PlayerItem] { wish.withLock { $0.items } }

  /// Crossfade between items in seconds, 0 to 30; 0 joins them without a gap. It holds from the next target on.
  public func setCrossfade(_ seconds: Double) {
    change { $0.crossfade = min(30, max(0, seconds)) }
  }

  /// Playing speed with the pitch kept, `rates`. It is heard after about a tenth of a second. With more channels than `TimeStretch` has, or
  /// without its library, the speed stays 1.
  public func setRate(_ rate: Double) {
    let canStretch =
      store.channelCount <= TimeStretch.mostChannels && (rate == 1 || TimeStretch.missing == nil)
    let rate = !canStretch ? 1 : min(Self.rates.upperBound, max(Self.rates.lowerBound, rate))
    change { wish in
      guard rate != wish.rate else { return }
      wish.rate = rate
      if wish.generation > 0 { sendHere(&wish) }
    }
  }

  /// How a held button moves a player.
  public enum Winding: Sendable {
    case none
    /// Four times as fast, with the pitch kept.
    case forward
    /// Back four times as fast, in pieces of a tenth of a second that sound forwards. At the start it waits in silence.
    case back
  }

  /// Begins or ends fast winding of a player that plays. The owner lowers its level meanwhile.
  public func setWinding(_ winding: Winding) {
    change { wish in
      guard winding != wish.winding else { return }
      wish.winding = winding
      if wish.generation > 0 { sendHere(&wish) }
    }
  }

  // MARK: Transport

  /// Gets ready to start at once: opens the file and keeps its next quarter of a second in memory.
  public func prepare() {
    change { wish in
      wish.isPrepared = true
      if wish.generation == 0 { wish.send(to: wish.target) }
    }
  }

  /// Starts or goes on. If the player is prepared, it sounds from the first frame of the period that gets the order.
  ///
  /// - Parameters:
  ///   - time: the frame at which it shall start, in the count of the plan's periods.
  ///   - fade: seconds in which it fades in; nil is the fade of a resume, and none at the beginning of an item.
  /// - Returns: the order for the plan. Orders of one plan take effect on one frame.
  public func play(at time: Int = DeckOrder.now, fade: Double? = nil) -> DeckOrder {
    store.makePatches()
    return order { wish in
      wish.isPrepared = true
      wish.isStopped = false
      if wish.generation == 0 { wish.send(to: wish.target) }
      // A fade would take the attack of a beginning.
      let isBeginning = seconds(wish) == 0
      let usual = isBeginning ? 0 : fadeFrames
      return DeckOrder(
        runs: true, time: time, generation: wish.placeGeneration, fade: fade.map(frames) ?? usual)
    }
  }

  /// The frames of a fade, at least those of the usual one.
  private func frames(_ seconds: Double) -> Int {
    max(fadeFrames, Int((seconds * Double(sampleRate)).rounded()))
  }

  /// Fades out, keeps its place and stays prepared.
  /// - Parameter fade: seconds.
  public func pause(fade: Double = Player.fadeSeconds) -> DeckOrder {
    order { wish in DeckOrder(runs: false, generation: wish.placeGeneration, fade: frames(fade)) }
  }

  /// Fades out and keeps its place; when it is stopped already, goes back to the start of the first item.
  /// - Parameter fade: seconds.
  public func stop(fade: Double = Player.fadeSeconds) -> DeckOrder {
    order { wish in
      if wish.isStopped { wish.send(to: .place(index: 0, seconds: 0)) }
      wish.isStopped = true
      return DeckOrder(runs: false, generation: wish.placeGeneration, fade: frames(fade))
    }
  }

  /// Fades out and gives back files and memory; the place is kept. The owner first lets the audio thread obey the order.
  /// - Parameter fade: seconds.
  public func release(fade: Double = Player.fadeSeconds) -> DeckOrder {
    order { wish in
      let (index, seconds) = (index(wish), seconds(wish))
      wish.target = .place(index: index, seconds: seconds)
      wish.generation += 1
      wish.placeGeneration = wish.generation
      (wish.isPrepared, wish.isStopped) = (false, true)
      return DeckOrder(runs: false, generation: wish.placeGeneration, fade: frames(fade))
    }
  }

  /// Goes to a place in an item, in seconds from its start; a player that sounds crossfades to it. Of several seeks in a row only the last one
  /// is read.
  ///
  /// - Parameter id: of the item; nil for the present one. An item that is not there is ignored.
  public func seek(to seconds: Double, item id: Int? = nil) {
    change { wish in
      let index = id.map { id in wish.items.firstIndex { $0.id == id } } ?? index(wish)
      guard let index else { return }
      wish.send(to: .place(index: index, seconds: max(0, seconds)))
    }
  }

  /// The newest order.
  public var order: DeckOrder { wish.withLock { $0.order } }

  // MARK: Changes

  private func change(_ body: (inout PlayerWish) -> Void) {
    wish.withLock { body(&$0) }
    reader.wake()
  }

  private func order(_ body: (inout PlayerWish) -> DeckOrder) -> DeckOrder {
    defer { reader.wake() }
    return wish.withLock { wish in
      let serial = wish.order.serial + 1
      wish.order = body(&wish)
      wish.order.serial = serial
      return wish.order
    }
  }
}
