import ControlInterface
import MediaBus
import OSCSurface
import Parameters
import Queues
import Router
import SessionModel
import Synchronization
import Threads

/// Makes the router a media player of the desktop (MPRIS): the keys of keyboards and headsets reach its now-playing player. Where the router
/// has none, `/remote` reaches the player of another program that played last, and an interruption pauses that player.
final class BusDesk: ControlListener, Sendable {
  private let state = Mutex(State())

  private struct State {
    var bus: MediaBus?
    /// Answers clients.
    var answer: (@Sendable (Surface.Errand) -> Void)?
    /// The player of another program that played last.
    var foreign: ForeignPlayer?
    /// Why there is no bus; nil if there is one.
    var absence: String? = "the media players of the desktop are left alone (--no-mpris)"
    /// Whether an interruption has paused the player of another program.
    var hasPaused = false
    /// The sound file whose picture was asked for last, and the path of the picture.
    var cover: (file: String, path: String?)?
    /// Finds the pictures, and the router whose player is shown.
    var show: (media: MediaDesk, service: RouterService)?
  }

  /// Joins the bus of the session as soon as there is one.
  /// - Parameters:
  ///   - name: of the router, as people see it.
  ///   - media: finds the pictures that the desktop shows.
  func open(to service: RouterService, _ surface: SurfaceService, name: String, _ media: MediaDesk) {
    let bus = MediaBus(identity: name) { request in
      service.post { await Self.perform(request, $0) }
    } events: { [weak self] event in
      self?.note(event, service)
    }
    state.withLock { state in
      state.bus = bus
      state.answer = { errand in service.post { _ in surface.answer([errand], nil) } }
      state.absence = "there is no session bus yet"
      state.show = (media, service)
    }
  }

  /// Leaves the bus.
  func close() { state.withLock { $0.bus.take() }?.stop() }

  /// Sends a client's order to the player of another program that played last, and answers the client.
  /// - Throws: `SessionError` notFound if there is none.
  func control(_ verb: RemoteVerb, for errand: Surface.Errand) throws(SessionError) {
    let (bus, foreign, absence, answer) = state.withLock { ($0.bus, $0.foreign, $0.absence, $0.answer) }
    guard let bus, foreign != nil else {
      let why = absence ?? "no other program has played"
      throw SessionError(.notFound, "no player of the router plays, and \(why)")
    }
    Self.verb(of: verb).map(bus.control)
    answer?(errand)
  }

  /// The verb of the same name that the bus, or the table, has.
  private static func verb<Verb: RawRepresentable<String>>(of other: some RawRepresentable<String>) -> Verb? {
    Verb(rawValue: other.rawValue)
  }

  private func note(_ event: MediaBusEvent, _ service: RouterService) {
    switch event {
    case .connected: state.withLock { $0.absence = nil }
    case .absent(let sentence): state.withLock { ($0.absence, $0.foreign) = (sentence, nil) }
    case .foreign(let player): state.withLock { $0.foreign = player }
    case .refused(let sentence):
      service.post { await $0.tell(.error(client: 0, address: "/remote", SessionError(.denied, sentence))) }
    }
  }

  // MARK: What the desktop asks

  private static func perform(_ request: RemoteRequest, _ router: Router) async {
    let (state, time) = await router.moment
    guard let id = state.nowPlayingPlayers.last, let player = state.players[id] else { return }
    let event: MediaPlayerEvent =
      switch request {
      case .verb(let verb): .order((Self.verb(of: verb) as RemoteVerb?)?.order() ?? .toggle)
      case .seek(let seconds): .order(.seek(max(0, player.position(at: time) + seconds)))
      case .position(let seconds): .order(.seek(seconds))
      case .rate(let rate): .set(.rate(rate))
      case .repeats(let mode): .set(.repeats(mode))
      case .shuffle(let isOn): .set(.shuffles(isOn ? .songs : .off))
      case .gain(let level): .set(.gain(.set(level.value)))
      }
    await router.happen(.player(id, event))
    // MPRIS: what plays after a stop begins at the start of the track.
    if case .verb(.stop) = request { await router.happen(.player(id, .order(.seek(0)))) }
  }

  // MARK: ControlListener

  func publish(_ change: Change) {
    guard let bus = state.withLock(\.bus) else { return }
    let (before, after) = (change.before, change.after)
    let id = after.nowPlayingPlayers.last
    if id != before.nowPlayingPlayers.last || id.map({ before.players[$0] != after.players[$0] }) ?? false {
      publish(after, at: change.time)
    }
    followInterruptions(change, bus)
  }

  /// Tells the desktop what plays. The picture follows when it is found.
  private func publish(_ present: RouterState, at time: Double) {
    guard let bus = state.withLock(\.bus) else { return }
    let player = present.nowPlayingPlayers.last.flatMap { present.players[$0] }
    var now = player.map { NowPlaying($0, at: time) }
    if let file = player?.queue.value.present?.name { now?.track?.cover = cover(of: file) }
    bus.publish(now)
  }

  /// The picture for a sound file, as far as it is known; otherwise it is looked for.
  private func cover(of file: String) -> String? {
    let (known, show) = state.withLock { state in
      let known = state.cover?.file == file ? state.cover : nil
      if known == nil { state.cover = (file, nil) }
      return (known, state.show)
    }
    guard known == nil else { return known?.path }
    show?.media.findCover(of: file) { [self, service = show?.service] path in
      guard let path else { return }
      state.withLock { if $0.cover?.file == file { $0.cover?.path = path } }
      service?.post { router in
        let (present, time) = await router.moment
        self.publish(present, at: time)
      }
    }
    return nil
  }

  /// Pauses the player of another program while a call or another source interrupts, unless a player of the router plays. The end of all interruptions
  /// lets it go on, unless the interruption said that nothing should.
  private func followInterruptions(_ change: Change, _ bus: MediaBus) {
    let (was, isNow) = (!change.before.interruptions.isEmpty, !change.after.interruptions.isEmpty)
    guard was != isNow else { return }
    if isNow {
      guard !change.before.players.contains(where: { (player: MediaPlayer) in player.isPlaying }) else {
        return
      }
      state.withLock { $0.hasPaused = true }
      bus.pauseForeign()
    } else if state.withLock({ state in
      defer { state.hasPaused = false }
      return state.hasPaused
    }) {
      let forbids = change.events.contains { event in
        if case .interruption(_, .ended(shouldResume: false), _) = event.notification { true } else { false }
      }
      if !forbids { bus.resumeForeign() }
    }
  }
}

extension NowPlaying {
  /// A player of the router at a time of the router.
  fileprivate init(_ player: MediaPlayer, at time: Double) {
    let queue = player.queue.value
    let status: Status =
      switch player.state {
      case .playing, .seekingForward, .seekingBackward: .playing
      case .paused, .interrupted: .paused
      case .stopped, .prepared: .stopped
      }
    let track = queue.present.map { item in
      let length = player.facts.duration ?? item.seconds
      return Track(
        id: "\(player.id)-\(player.passes)", title: item.title,
        artists: item.artist.isEmpty ? [] : [item.artist],
        album: item.album, length: length > 0 ? length : nil)
    }
    self.init(status, track, at: Place(seconds: player.position(at: time), time: MonotonicTime.now))
    (rate, repeatMode, isShuffled) = (player.rate, queue.repeatMode, queue.shuffleMode != .off)
    gain = Decibels(player.gain.target)
    (canGoNext, canGoPrevious, canPlay) = (queue.upNext != nil, track != nil, track != nil)
  }
}
