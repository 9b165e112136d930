import JSON5
import Parameters
import Queues
import SessionModel

/// The entry of a player.
struct PlayerEntry: Sendable {
  var place: Place
  var session: Placed<SessionID>?
  var stream: Placed<StreamID>?
  /// The words that its queue comes from: names of files, folders and playlists, media ids, and queries.
  var contents: Placed<[String]>?
  var isPlaying: Placed<Bool>?
  /// The item of the queue that it starts with, from 0.
  var index: Placed<Int>?
  /// Seconds from the start of that item.
  var position: Placed<Double>?
  var leaves: [Leaf] = []
  var isDamaged = false
}

/// The entry of a recorder.
struct RecorderEntry: Sendable {
  var place: Place
  var source: Placed<RecorderSource>?
  var isRecording: Placed<Bool>?
  var leaves: [Leaf] = []
  var isDamaged = false
}

extension PlayerEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    session = other.session ?? session
    stream = other.stream ?? stream
    contents = other.contents ?? contents
    isPlaying = other.isPlaying ?? isPlaying
    index = other.index ?? index
    position = other.position ?? position
    leaves.extend(by: other.leaves)
    isDamaged = isDamaged || other.isDamaged
  }
}

extension RecorderEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    source = other.source ?? source
    isRecording = other.isRecording ?? isRecording
    leaves.extend(by: other.leaves)
    isDamaged = isDamaged || other.isDamaged
  }
}

// MARK: Reading

extension DocumentReader {
  static func player(_ value: ValueReader, _ place: Place) -> PlayerEntry {
    var entry = PlayerEntry(place: place)
    guard let object = value.object(.player) else {
      entry.isDamaged = true
      return entry
    }
    if let session = object["session"] {
      entry.session = session.placed(session.identifier())
      entry.isDamaged = entry.session == nil
    }
    if let stream = object["stream"] { entry.stream = stream.placed(stream.identifier()) }
    let file = object["file"].flatMap { file in file.placed(file.text().map { [$0] }) }
    let queue = object["queue"].flatMap { queue in queue.placed(queue.list { $0.text() }) }
    if object["file"] != nil, let both = object["queue"] {
      both.report(
        "a player has either a file or a queue", fix: "add the file to the queue, and remove \"file\"",
        aspect: .meaning)
    }
    entry.contents = queue ?? file
    if let playing = object["playing"] { entry.isPlaying = playing.placed(playing.bool()) }
    if let index = object["index"] { entry.index = index.placed(index.integer(0...PlayQueue.most - 1)) }
    if let position = object["position"] {
      entry.position = position.placed(position.number(0...MediaPlayer.longestItem, unit: "s"))
    }
    entry.leaves = object.leaves(of: .player)
    return entry
  }

  static func recorder(_ value: ValueReader, _ place: Place) -> RecorderEntry {
    var entry = RecorderEntry(place: place)
    guard let object = value.object(.recorder) else {
      entry.isDamaged = true
      return entry
    }
    if let source = object["source"], let text = source.text() {
      entry.source = source.placed(RecorderSource(text))
      if entry.source == nil {
        source.report(
          "\(text.quoted) is no source of a recorder",
          fix: "write session:<id>, stream:<session>.<stream>, output:<id> or input:<id>")
      }
    }
    entry.isDamaged = object["source"] != nil && entry.source == nil
    if let recording = object["recording"] { entry.isRecording = recording.placed(recording.bool()) }
    entry.leaves = object.leaves(of: .recorder)
    return entry
  }
}

// MARK: Steps

extension PresetDocument {
  /// The players of all sessions, or only those of one.
  func players(only id: SessionID?) -> Registry<PlayerID, PlayerEntry> {
    guard let id else { return players }
    var registry = Registry<PlayerID, PlayerEntry>()
    for (player, entry) in players where entry.session?.value == id { registry[player] = entry }
    return registry
  }
}

extension PresetDocument {
  /// The steps that place, start or stop one player.
  func transport(of id: PlayerID, in state: RouterState, at time: Double) -> [Step] {
    var list = StepList(state: state, for: .restoration, at: time)
    players[id]?.appendTransport(id, to: &list)
    return list.steps
  }

  /// The steps that start and stop recorders.
  func transportOfRecorders(in state: RouterState, at time: Double) -> [Step] {
    var list = StepList(state: state, for: .restoration, at: time)
    for (id, recorder) in recorders { recorder.appendTransport(id, to: &list) }
    return list.steps
  }
}

extension PlayerEntry {
  /// The stream that the player feeds; nil if the session has none.
  func stream(in document: PresetDocument, _ state: RouterState) -> StreamID? {
    guard let session = session?.value else { return nil }
    return stream?.value ?? document.sessions[session]?.streams.keys.first
      ?? state.sessions[session]?.streams.keys.first
  }

  /// Adds the steps that make the player and set it; those of its transport come after the activation of sessions.
  func appendSteps(_ id: PlayerID, of document: PresetDocument, to list: inout StepList) {
    guard let session = session?.value else { return }
    let target = Target(player: id)
    let old = list.state.players[id]
    let stream = stream(in: document, list.state) ?? SessionDefaults.stream
    if old?.session != session || old?.stream != stream {
      if old != nil {
        list.append(.player(id, .remove), about: target, at: place)
        list.forget(id)
      }
      list.append(
        .player(id, .create(session, stream, seed: ContentHash(of: id.name).number)),
        about: target, at: self.stream?.place ?? self.session?.place ?? place)
    }
    if let contents, list.state.players[id]?.contents != contents.value {
      list.append(.player(id, .queue(.contents(contents.value))), about: target, at: contents.place)
    }
    list.append(leaves, of: .player, at: target)
  }

  /// Adds the steps that place, start and stop the player.
  func appendTransport(_ id: PlayerID, to list: inout StepList) {
    let old = list.state.players[id]
    func append(_ order: PlayerOrder, at place: Place) {
      list.append(.player(id, .order(order)), about: Target(player: id), at: place)
    }
    // A player that plays the same queue goes on from where it is; an interrupted one plays as soon as it may. Another queue stops it.
    let goesOn =
      old.map { player in
        (player.isPlaying || player.transport == .interrupted)
          && (contents.map { $0.value == player.contents } ?? true)
      } ?? false
    if !goesOn {
      // Another queue, or another item of it, begins at its beginning.
      var isAnew = contents.map { $0.value != old?.contents } ?? false
      if let index, isAnew || old?.queue.value.index != index.value {
        append(.go(index.value), at: index.place)
        isAnew = true
      }
      if let position, isAnew || old?.position(at: list.time) != position.value {
        append(.seek(position.value), at: position.place)
      }
    }
    guard let isPlaying, isPlaying.value != goesOn else { return }
    append(isPlaying.value ? .play() : .stop, at: isPlaying.place)
  }
}

extension RecorderEntry {
  func appendSteps(_ id: RecorderID, to list: inout StepList) {
    guard let source = source?.value else { return }
    let target = Target(recorder: id)
    let old = list.state.recorders[id]
    if old?.source != source {
      if old != nil {
        list.append(.recorder(id, .remove), about: target, at: place)
        list.forget(id)
      }
      list.append(.recorder(id, .create(source)), about: target, at: self.source?.place ?? place)
    }
    list.append(leaves, of: .recorder, at: target)
  }

  func appendTransport(_ id: RecorderID, to list: inout StepList) {
    guard let isRecording, isRecording.value != list.state.recorders[id]?.isWanted ?? false else { return }
    list.append(
      .recorder(id, .order(isRecording.value ? .record() : .stop)), about: Target(recorder: id),
      at: isRecording.place)
  }
}
