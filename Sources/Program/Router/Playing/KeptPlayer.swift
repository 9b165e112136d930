import MediaKernel
import Players
import SessionModel
import SoundConversion

/// A player of the state, and the one of the present server that carries it out. Belongs to the policy thread.
final class KeptPlayer {
  let player: Player
  /// Distinguishes it from earlier players of the same id.
  let number: Int
  let address: StreamAddress
  /// The player of the state, as far as it is carried out.
  private(set) var wanted: MediaPlayer
  var list = KeptList()
  /// Whether the player has come to the end of its list by itself.
  private(set) var hasEnded = false
  /// Whether the last order begins an item, whose attack must not be cut, or has the fade of a recall, which is enough.
  private(set) var isBeginning = false
  /// When it was told to play, in seconds since the router's start; nil once it has the order. It waits for its items, because the files that a
  /// preset names are not found yet, and for others that begin on the same frame.
  private(set) var due: Double?
  /// When the fade of the recall ends that started a player that waits.
  private var fadeEnd: Double?
  /// The frame of a scheduled start.
  private(set) var start: Int?
  /// Whether the law is told of passes that are over: the item that is heard must not begin again.
  var isAdvancing = false
  /// Whether the law decides on a report of the player. Any other order has all items tried again.
  var isReporting = false
  /// How loud the items of passes are, as far as they are measured.
  private var loudnesses: [Int: SoundLoudness] = [:]
  /// The last pass whose item was heard.
  var heard: Int?
  /// When to look at the player, in seconds since the router's start; nil while it rests.
  var look: Double?
  /// Whether it was heard in the last period, for renderers.
  var wasHeard = false

  /// Seconds until an order is heard.
  static let reaction = 0.02

  init(_ wanted: MediaPlayer, _ player: Player, number: Int, _ moment: MediaMoment) {
    (self.player, self.number, self.wanted) = (player, number, wanted)
    address = StreamAddress(session: wanted.session, stream: wanted.stream)
    player.setItems(list.follow(wanted))
    player.setCrossfade(wanted.crossfade)
    player.setRate(wanted.rate)
    player.setWinding(Player.Winding(wanted.winding))
    // It goes on where a player of an earlier server stood.
    let place = wanted.position(at: moment.time)
    if place > 0 { player.seek(to: place) }
    if wanted.isPrepared { player.prepare() }
    if wanted.isPlaying { become(due: moment) }
    look = moment.time + Self.reaction
  }

  var order: DeckOrder { player.order }

  /// Whether the audio thread may have to play it within a period.
  var mustBeReady: Bool { wanted.isPrepared || wanted.transport != .stopped }

  /// How loud the present item is; nil while that is unknown.
  var loudness: SoundLoudness? { loudnesses[wanted.passes] }

  /// The present pass and the file of its item, if it is to be normalised and its loudness is unknown.
  var unmeasured: (pass: Int, name: String)? {
    guard wanted.normalisation != nil, loudness == nil, let entry = list.first, entry.pass == wanted.passes
    else { return nil }
    return (entry.pass, entry.item.path)
  }

  /// Notes how loud the item of a pass is. Items ahead are measured early.
  func note(_ loudness: SoundLoudness, of pass: Int) {
    loudnesses = loudnesses.filter { $0.key >= wanted.passes }
    loudnesses[pass] = loudness
  }

  /// Carries out a change.
  /// - Returns: whether there is a new order for the plan.
  func follow(_ new: MediaPlayer, _ moment: MediaMoment) -> Bool {
    let old = wanted
    wanted = new
    isBeginning = false
    if !isReporting, new.passes != old.passes || new.orders != old.orders { list.forgetFaults() }
    followItems()
    if new.crossfade != old.crossfade { player.setCrossfade(new.crossfade) }
    if new.rate != old.rate { player.setRate(new.rate) }
    if new.winding != old.winding { player.setWinding(Player.Winding(new.winding)) }
    if new.jump.number != old.jump.number, !isAdvancing {
      player.seek(to: new.jump.seconds, item: list.first?.item.id)
    }
    if new.isPrepared, !old.isPrepared { player.prepare() }
    let serial = order.serial
    transport(from: old, moment)
    let isOrdered = order.serial != serial
    if isOrdered || new.jump != old.jump || new.rate != old.rate || new.winding != old.winding
      || new.passes != old.passes || new.isPrepared != old.isPrepared
    {
      look = min(look ?? .infinity, moment.time + Self.reaction)
    }
    return isOrdered
  }

  /// Gives the player the items to come.
  func followItems() {
    let (before, items) = (list.items, list.follow(wanted))
    if items != before { player.setItems(items) }
  }

  private func transport(from old: MediaPlayer, _ moment: MediaMoment) {
    let isNewOrder = wanted.orders != old.orders
    if wanted.isPlaying {
      let isScheduled = wanted.startTime != nil && wanted.startTime != old.startTime
      let isAtOnce = isNewOrder && wanted.startTime == nil && (start != nil || !player.isPlaying)
      if !old.isPlaying || hasEnded || isScheduled || isAtOnce { become(due: moment) }
      return
    }
    guard wanted.transport != old.transport || wanted.isPrepared != old.isPrepared else { return }
    (hasEnded, start, due, fadeEnd) = (false, nil, nil, nil)
    let fade = moment.fade ?? Player.fadeSeconds
    guard wanted.transport == .stopped else {
      if wanted.transport != old.transport { _ = player.pause(fade: fade) }
      return
    }
    // A player that stopped before would go to the beginning.
    if !wanted.isPrepared {
      _ = player.release(fade: fade)
    } else {
      _ = player.isStopped ? player.pause(fade: fade) : player.stop(fade: fade)
    }
  }

  private func become(due moment: MediaMoment) {
    due = due ?? moment.time
    hasEnded = false
    if let fade = moment.fade { fadeEnd = moment.time + fade }
  }

  /// Whether its items are known, or it will have none. What cannot be played is reported; the law decides what follows.
  private var knowsItems: Bool { !list.items.isEmpty || wanted.search == nil }

  /// Whether it would sound in the next period.
  var isReady: Bool { knowsItems && (list.items.isEmpty || player.isPrepared) }

  /// Gets a player that is due ready to start with others.
  func prepare() { if !list.items.isEmpty { player.prepare() } }

  /// Starts a player that is due, if it has items.
  /// - Returns: whether there is a new order for the plan.
  func begin(_ moment: MediaMoment) -> Bool {
    guard !list.items.isEmpty else { return false }
    start = wanted.startTime.map(moment.frame)
    // A start that is still to come does not belong to the fade.
    let rest = fadeEnd.flatMap { $0 > moment.time ? $0 - moment.time : nil }
    let fade = start == nil ? rest : nil
    (due, fadeEnd) = (nil, nil)
    isBeginning = player.play(at: start ?? DeckOrder.now, fade: fade).fade == 0 || fade != nil
    look = min(look ?? .infinity, moment.time + Self.reaction)
    return true
  }

  /// Notes that the scheduled start has come.
  func noteStart() { start = nil }

  /// Notes that nothing follows the end.
  func rest() { hasEnded = false }

  /// Notes that the player came to its end, unless it was told to play again meanwhile.
  /// - Returns: whether it stands at its end.
  func noteEnd() -> Bool {
    hasEnded = !player.isPlaying
    return hasEnded
  }
}

extension Player.Winding {
  init(_ winding: PlayerWinding) {
    switch winding {
    case .none: self = .none
    case .forward: self = .forward
    case .back: self = .back
    }
  }
}
