import MediaKernel
import MixEngine
import Players
import Recorders
import SessionModel

/// Carries out what the state wants of players and recorders, at the present server. Belongs to the policy thread.
final class MediaKeeper {
  let files: MediaFiles
  /// Called on the threads of the files.
  private let report: @Sendable (MediaReport) -> Void
  /// Frames per second; 0 while there is no server.
  private var rate = 0
  private var players: [PlayerID: KeptPlayer] = [:]
  private var recorders: [RecorderID: KeptRecorder] = [:]
  /// The bytes of the recorders' files, over all servers.
  private var written: [RecorderID: WrittenBytes] = [:]
  private var lastNumber = 0
  /// The players of the state as far as they are carried out.
  private var carried = Registry<PlayerID, MediaPlayer>()
  /// What the mix has.
  private(set) var mix = MixMedia()
  /// Players and recorders that are gone from the state, and fade out.
  private var (leavingPlayers, leavingRecorders): ([Player], [Recorder]) = ([], [])

  init(_ files: MediaFiles, report: @escaping @Sendable (MediaReport) -> Void) {
    (self.files, self.report) = (files, report)
  }

  var keptPlayers: [PlayerID: KeptPlayer] { players }
  func player(_ id: PlayerID) -> KeptPlayer? { players[id] }
  func recorder(_ id: RecorderID) -> KeptRecorder? { recorders[id] }

  /// Whether players or recorders wait until they have faded out.
  var isReleasing: Bool { !leavingPlayers.isEmpty || !leavingRecorders.isEmpty }

  // MARK: Servers

  /// Begins to work at a server.
  func open(rate: Int) { self.rate = rate }

  /// Ends the work at a server that is gone. Recordings are finished, and begin anew at the next server.
  /// - Returns: where the players stand, and how long the recordings are.
  func close(at time: Double) -> [Event] {
    let events =
      players.map { id, kept in
        Event.player(id, .report(.facts(pass: kept.wanted.passes, kept.lastFacts(at: time))))
      } + recorders.map { id, kept in Event.recorder(id, .report(.facts(kept.lastFacts(at: time)))) }
    for player in players.values.map(\.player) + leavingPlayers { player.close() }
    for recorder in recorders.values.map(\.recorder) + leavingRecorders {
      _ = recorder.stop()
      recorder.close()
    }
    (players, recorders, carried, mix, rate) = ([:], [:], Registry(), MixMedia(), 0)
    (leavingPlayers, leavingRecorders) = ([], [])
    return events
  }

  // MARK: Changes of the state

  /// Carries out a state.
  /// - Parameters:
  ///   - frame: the frame of the plans' count.
  ///   - fade: seconds of a recall's fade, in which players start and stop; nil if the change is no recall.
  /// - Returns: the newest orders of all players and recorders, if any of them is new.
  func follow(_ state: RouterState, at time: Double, frame: UInt64, fading fade: Double? = nil) -> MediaOrders
  {
    guard rate > 0,
      !state.players.isEmpty || !state.recorders.isEmpty || !players.isEmpty || !recorders.isEmpty
    else { return MediaOrders() }
    let moment = MediaMoment(time: time, frame: frame, rate: rate, fade: fade.flatMap { $0 > 0 ? $0 : nil })
    let (hasPlayed, hasRecorded) = (followPlayers(state, moment), followRecorders(state, moment))
    return hasPlayed || hasRecorded ? orders : MediaOrders()
  }

  /// The newest orders of all players and recorders.
  var orders: MediaOrders {
    var orders = MediaOrders()
    for (id, kept) in players where mix.decks[id] != nil { orders[kept.player.store] = kept.order }
    for recorder in recorders.values.map(\.recorder) + leavingRecorders {
      orders[recorder.store] = recorder.order
    }
    return orders
  }

  private func followPlayers(_ state: RouterState, _ moment: MediaMoment) -> Bool {
    var isNew = false
    for (id, kept) in players
    where width(of: state.players[id], in: state) != kept.player.store.channelCount
      || state.players[id].map(StreamAddress.init) != kept.address
    {
      (players[id], mix.decks[id]) = (nil, nil)
      leavingPlayers.append(kept.player)
    }
    for player in state.players.values where players[player.id] == nil {
      guard let channels = width(of: player, in: state) else { continue }
      lastNumber += 1
      let made = Player(files.reader, channels: channels, sampleRate: rate) {
        [report, id = player.id, number = lastNumber] event in
        report(MediaReport(content: .player(id, event), number: number))
      }
      players[player.id] = KeptPlayer(player, made, number: lastNumber, moment)
    }
    for id in state.players.keys(changedSince: carried) {
      guard let player = state.players[id], let kept = players[id] else { continue }
      if kept.follow(player, moment) { isNew = true }
    }
    // A player that came to its end may have to play again although the state is the same.
    for kept in players.values where kept.hasEnded {
      if kept.follow(kept.wanted, moment) { isNew = true }
    }
    carried = state.players
    if addToMix() { isNew = true }
    return begin(moment) || isNew
  }

  /// Adds the players to the mix that are wanted for the first time. Before, a player takes no memory there.
  /// - Returns: whether there was one.
  private func addToMix() -> Bool {
    var hasAdded = false
    for (id, kept) in players where mix.decks[id] == nil && kept.mustBeReady {
      mix.decks[id] = kept.player.store
      hasAdded = true
    }
    return hasAdded
  }

  /// Starts the players that are due, together: those of one message, bundle or recall begin on the same frame. Unless the audio waits for the
  /// disk, they wait for each other until all are prepared.
  private func begin(_ moment: MediaMoment) -> Bool {
    let due = players.values.filter { $0.due != nil }
    guard !due.isEmpty else { return false }
    if due.count > 1, !files.freewheels, !due.allSatisfy(\.isReady),
      due.contains(where: { $0.due.map { moment.time - $0 < Self.patience } ?? false })
    {
      for kept in due {
        kept.prepare()
        kept.look = min(kept.look ?? .infinity, moment.time + KeptPlayer.reaction)
      }
      return false
    }
    // Each of them, not the first alone.
    return due.reduce(false) { $1.begin(moment) || $0 }
  }

  /// Whether players wait for each other.
  var isHolding: Bool { players.values.contains { $0.due != nil && !$0.list.items.isEmpty } }

  /// Seconds that players of one start wait for each other at most.
  private static let patience = 2.0

  /// A player has the channels of its stream.
  private func width(of player: MediaPlayer?, in state: RouterState) -> Int? {
    player.flatMap { state.sessions[$0.session]?.streams[$0.stream]?.channels }
  }

  private func followRecorders(_ state: RouterState, _ moment: MediaMoment) -> Bool {
    var isNew = false
    for (id, kept) in recorders {
      let now = state.recorders[id]
      if let now, !kept.mustChange(now, channels: state.channels(of: now)) { continue }
      (recorders[id], mix.taps[id]) = (nil, nil)
      _ = kept.recorder.stop()
      leavingRecorders.append(kept.recorder)
      isNew = true
    }
    if written.count > state.recorders.count { written = written.filter { state.recorders[$0.key] != nil } }
    guard let folder = files.recordings else { return isNew }
    let place = RecordingPlace(
      folder: folder, ownFolder: files.ownFolder, scene: state.presets.current?.name ?? "")
    for wanted in state.recorders.values {
      if let kept = recorders[wanted.id] {
        if kept.follow(wanted, place, moment) { isNew = true }
        continue
      }
      lastNumber += 1
      let (id, number, channels) = (wanted.id, lastNumber, state.channels(of: wanted))
      let written = written[id] ?? WrittenBytes()
      self.written[id] = written
      let kept = KeptRecorder(wanted, number: number, place, moment) { settings in
        Recorder(
          files.writer, id: id.name, channels: channels, sampleRate: rate, settings: settings,
          written: written
        ) { [report] event in report(MediaReport(content: .recorder(id, event), number: number)) }
      }
      recorders[id] = kept
      mix.taps[id] = kept.recorder.store
      isNew = true
    }
    return isNew
  }

  /// The gates to open at once: those of sessions that begin to sound with a player, whose attack a ramp would cut. A session that sounds
  /// already keeps its ramp.
  func opening(_ liveness: Liveness, in state: RouterState) -> Liveness {
    var live = liveness
    for kept in players.values where kept.isBeginning {
      let session = kept.address.session
      let isSilent =
        !live.streams.contains { $0.session == session }
        && !players.values.contains { $0.address.session == session && $0.player.store.isSounding }
      if isSilent { live.beginningSessions.insert(session) }
    }
    return live
  }

  /// Closes the players and recorders that the mix has no longer.
  func release(_ keeper: MixKeeper) {
    guard isReleasing else { return }
    var stores = Set(keeper.copies.map { ObjectIdentifier($0.tap.store) })
    for point in keeper.points {
      switch point {
      case .player(_, let channel): stores.insert(ObjectIdentifier(channel.store))
      case .recorder(_, let channel): stores.insert(ObjectIdentifier(channel.store))
      case .port, .voice, .loudspeaker, .effect: break
      }
    }
    leavingPlayers.removeAll { player in
      guard !stores.contains(ObjectIdentifier(player.store)) else { return false }
      player.close()
      return true
    }
    leavingRecorders.removeAll { recorder in
      guard !stores.contains(ObjectIdentifier(recorder.store)) else { return false }
      recorder.close()
      return true
    }
  }

  /// How full the rings of the players that sound and of the recorders that record are, in seconds of sound.
  var fills: [(name: String, fill: Double)] {
    let playing = players.filter { $1.player.store.isSounding }.map { ("player:\($0)", $1.player.buffered) }
    let recording = recorders.filter { $1.wanted.facts.speed != 0 }.map {
      ("recorder:\($0)", $1.recorder.buffered)
    }
    return (playing + recording).sorted { $0.0 < $1.0 }
  }

  /// How many bytes each recorder has written since the router's start.
  var writtenBytes: [RecorderID: Int] { written.mapValues(\.count) }

  /// Measures at once the present items that are to be normalised. For renderers alone: it waits for the disk until it has read whole files.
  /// - Returns: whether any was measured, so that there is news to look at.
  func measureLoudness(at time: Double) -> Bool {
    var hasMeasured = false
    for kept in players.values {
      guard let (pass, name) = kept.unmeasured else { continue }
      kept.note(files.loudness(of: name), of: pass)
      kept.look = time
      hasMeasured = true
    }
    return hasMeasured
  }

  // MARK: Looks

  /// When to look at players and recorders, in seconds since the router's start; nil while all rest.
  var due: Double? {
    (players.values.compactMap(\.look) + recorders.values.compactMap(\.look)).min()
  }

  /// Looks at the players and recorders for which it is time.
  /// - Parameter frame: the frame of the plans' count.
  /// - Returns: what is new.
  func look(at time: Double, frame: UInt64) -> [Event] {
    var events: [Event] = []
    for (id, kept) in players where kept.look.map({ $0 <= time }) ?? false {
      if let start = kept.start, frame >= start {
        kept.noteStart()
        events.append(.player(id, .report(.started)))
      }
      if let facts = kept.look(at: time) {
        events.append(.player(id, .report(.facts(pass: kept.wanted.passes, facts))))
      }
    }
    for (id, kept) in recorders where kept.look.map({ $0 <= time }) ?? false {
      if let facts = kept.look(at: time) { events.append(.recorder(id, .report(.facts(facts)))) }
    }
    return events
  }
}

extension StreamAddress {
  init(_ player: MediaPlayer) { self.init(session: player.session, stream: player.stream) }
}

extension RouterState {
  /// The channels of a recorder's files: those that the operator chose, or those of the source.
  func channels(of recorder: MediaRecorder) -> Int {
    guard recorder.channels == 0 else { return recorder.channels }
    let width: Int? =
      switch recorder.source {
      case .session(let id): sessions[id]?.streams.values.map(\.channels).max()
      case .stream(let session, let stream): sessions[session]?.streams[stream]?.channels
      case .output(let id): outputs[id]?.channels
      case .input(let id): inputs[id]?.channels
      }
    return min(64, max(1, width ?? 1))
  }
}
