import Queues
import SessionModel

extension LawEvents {
  private static let players: [PlayerID] = ["walkin", "jingle", "bed"]
  private static let recorders: [RecorderID] = ["tape", "desk"]

  /// An event about players and recorders.
  mutating func media(_ state: RouterState) -> Event {
    guard number(below: 5) > 1 else { return recorder(pick(Self.recorders), state) }
    return player(pick(Self.players), state)
  }

  // MARK: Players

  private mutating func player(_ id: PlayerID, _ state: RouterState) -> Event {
    guard let player = state.players[id] else {
      let session = pick(Self.sessions)
      guard state.sessions.contains(session, where: { $0.streams.contains("main") }) else {
        return .createStream(session, "main", channels: 2, placed: true)
      }
      return .player(id, .create(session, "main", seed: UInt64(number(below: 100))))
    }
    guard !player.queue.value.isEmpty else { return .player(id, .queue(.add(items()))) }
    return .player(id, playerEvent(player))
  }

  private mutating func playerEvent(_ player: MediaPlayer) -> MediaPlayerEvent {
    let count = player.queue.value.count
    let pass = player.passes - (number(below: 5) == 0 ? 1 : 0)
    switch number(below: 20) {
    case 0: return number(below: 3) == 0 ? .remove : .order(.prepare)
    case 1...6:
      return player.isPlaying ? .report(.advanced(pass: pass)) : .order(.play(after: pick([0, 0, 0, 5])))
    case 7: return .order(order(count))
    case 8: return .order(pick([.pause, .stop, .toggle]))
    case 9, 10: return .queue(.add(items()))
    case 11: return .queue(edit(count))
    case 12: return .report(.advanced(pass: pass))
    case 13, 18: return .report(chance() ? .finished(pass: pass) : .started)
    case 14: return .report(.failed(pass: pass, SessionError(.io, "it is no sound file")))
    case 15, 16: return .report(.facts(pass: pass, facts(player)))
    default: return .set(playerSetting())
    }
  }

  private mutating func order(_ count: Int) -> PlayerOrder {
    switch number(below: 7) {
    case 0: .seek(Double(number(below: 200)))
    case 1: .seekPart(0.5)
    case 2: .wind(pick([.forward, .back]), chance())
    case 3: .next
    case 4: .previous
    case 5: .beginning
    default: .go(number(below: count + 1))
    }
  }

  private mutating func edit(_ count: Int) -> QueueEdit {
    switch number(below: 6) {
    case 0: .insert(items(), at: number(below: count + 2))
    case 1: .move(from: number(below: count + 1), to: number(below: count + 1))
    case 2, 3: .remove(number(below: count + 1))
    case 4: .clear
    default: .replace(items())
    }
  }

  private mutating func items() -> [QueueItem] {
    (0..<number(below: 4)).map { _ in
      let title = pick(["one", "two", "three"])
      return QueueItem(
        name: "\(title).flac", media: title, title: title, artist: pick(["", "Band"]),
        album: pick(["", "Blue"]),
        track: number(below: 12))
    }
  }

  private mutating func facts(_ player: MediaPlayer) -> PlayerFacts {
    var facts = PlayerFacts()
    facts.jump = player.jump.number
    facts.mark = PlayerFacts.Mark(seconds: Double(number(below: 90)), speed: player.isRunning ? 1 : 0)
    facts.duration = chance() ? 100 : nil
    facts.isReady = chance()
    facts.loudness = chance() ? -18 : nil
    (facts.buffered, facts.underruns) = (Double(number(below: 3)), number(below: 3))
    return facts
  }

  private mutating func playerSetting() -> PlayerSetting {
    switch number(below: 12) {
    case 0: .gain(.set(pick([0, -6, 3])))
    case 1: .muted(chance())
    case 2: .pan(.set(pick([0, -1, 0.5])))
    case 3: .rate(pick([0.5, 1, 2]))
    case 4: .loops(pick([0, -1, 3]))
    case 5: .finish(pick(FinishConduct.allCases))
    case 6: .normalisation(pick([nil, -23, -14]))
    case 7: .crossfade(pick([0, 4]))
    case 8: .remote(chance())
    case 9: .kept(chance())
    case 10: .repeats(pick(RepeatMode.allCases))
    default: .shuffles(pick(ShuffleMode.allCases))
    }
  }

  // MARK: Recorders

  private mutating func recorder(_ id: RecorderID, _ state: RouterState) -> Event {
    guard let recorder = state.recorders[id] else { return .recorder(id, .create(source())) }
    if !recorder.isRecording, chance() { return .recorder(id, .order(.record())) }
    switch number(below: 12) {
    case 0: return .recorder(id, number(below: 3) == 0 ? .remove : .order(.prepare))
    case 1...5: return .recorder(id, .order(.record(after: pick([0, 0, 5]))))
    case 6: return .recorder(id, .order(chance() ? .pause : .stop))
    case 7: return .recorder(id, .report(chance() ? .started : .limit))
    case 8: return .recorder(id, .report(.failed(SessionError(.io, "the disk is full"))))
    case 9: return .recorder(id, .report(.facts(facts(recorder))))
    default: return .recorder(id, .set(recorderSetting()))
    }
  }

  private mutating func source() -> RecorderSource {
    switch number(below: 6) {
    case 0: .session(pick(Self.sessions))
    case 1: .stream(pick(Self.sessions), "main")
    case 2: .output(pick(Self.outputs))
    default: .input(pick(["mic", "mic", "usb"]))
    }
  }

  private mutating func facts(_ recorder: MediaRecorder) -> RecorderFacts {
    var facts = RecorderFacts()
    (facts.file, facts.seconds) = (pick(["a.wav", "b.wav"]), Double(number(below: 50)))
    (facts.speed, facts.lost) = (recorder.isRunning ? 1 : 0, Double(number(below: 2)))
    facts.buffered = Double(number(below: 2))
    facts.isOpen = recorder.isRunning || number(below: 4) == 0
    return facts
  }

  private mutating func recorderSetting() -> RecorderSetting {
    switch number(below: 8) {
    case 0: .format(pick(RecordingFormat.allCases))
    case 1: .quality(pick(RecordingQuality.allCases))
    case 2: .rate(pick([0, 44_100, 48_000]))
    case 3: .channels(pick([0, 1, 2, 16]))
    case 4: .bits(pick([16, 24, 32, 20]))
    case 5: .template(pick(["{recorder}", "../up", "take-{n}"]))
    case 6: .limit(pick([0, 60]))
    default: .before(pick([0, 10]))
    }
  }
}
