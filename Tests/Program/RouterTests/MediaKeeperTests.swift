import Players
import Queues
import Recorders
import SessionModel
import SoundFiles
import Testing

@testable import Router

/// What of the state players and recorders carry out, and which of their reports the law is told.
@Suite struct MediaKeeperTests {
  @Test("A player comes into the mix when it is prepared or plays for the first time, and stays")
  func mix() throws {
    let keeper = MediaKeeper(MediaFiles(MediaSettings(), freewheels: true)) { _ in }
    defer {
      _ = keeper.close(at: 0)
      keeper.files.stop()
    }
    keeper.open(rate: 48_000)
    let ids: [PlayerID] = ["cue", "jingle", "music"]
    var state = try Show.state(
      Show.ports + Show.session
        + ids.flatMap { id -> [Event] in
          let item = QueueItem(name: "\(id).wav", title: id.name)
          return [.player(id, .create("show", "band", seed: 1)), .player(id, .queue(.replace([item])))]
        })
    func inMix(after event: Event?) throws -> Set<PlayerID> {
      if let event { state = try Show.state([event], from: state) }
      _ = keeper.follow(state, at: 0, frame: 0)
      return Set(keeper.mix.decks.keys)
    }
    #expect(try inMix(after: nil).isEmpty)
    #expect(try inMix(after: .player("cue", .order(.prepare))) == ["cue"])
    #expect(try inMix(after: .player("music", .order(.play()))) == ["cue", "music"])
    #expect(try inMix(after: .player("cue", .order(.stop))) == ["cue", "music"])
    #expect(try inMix(after: .player("music", .remove)) == ["cue"])
  }

  /// A keeper with the show, and the events that it made of reports.
  private final class Rig {
    let keeper = MediaKeeper(MediaFiles(MediaSettings(recordings: "/absent"), freewheels: true)) { _ in }
    private(set) var state: RouterState
    private(set) var made: [Event] = []

    init(_ events: [Event]) throws {
      keeper.open(rate: 48_000)
      state = try Show.state(Show.ports + Show.session + events)
      _ = keeper.follow(state, at: 0, frame: 0)
    }

    deinit {
      _ = keeper.close(at: 0)
      keeper.files.stop()
    }

    func happen(_ event: Event) throws {
      state = try Show.state([event], from: state)
      _ = keeper.follow(state, at: 0, frame: 0)
    }

    func report(_ content: MediaReport.Content, _ number: Int) {
      keeper.take(
        MediaReport(content: content, number: number),
        for: MediaKeeper.Owner(
          time: 0, state: { self.state },
          happen: { event in
            self.made.append(event)
            try? self.happen(event)
          }, tell: { _ in }))
    }
  }

  private static func items(_ names: String...) -> [QueueItem] {
    names.map { QueueItem(name: $0, title: $0) }
  }

  /// The player plays `song`, behind which `gone` was found broken, and then `last`.
  private func broken() throws -> (rig: Rig, kept: KeptPlayer) {
    let rig = try Rig([
      .player("music", .create("show", "band", seed: 1)),
      .player("music", .queue(.replace(Self.items("song", "gone", "last")))),
      .player("music", .order(.play())),
    ])
    let kept = try #require(rig.keeper.player("music"))
    let error = MediaError.unreadable(path: "gone", reason: "it is gone")
    rig.report(.player("music", .failed(kept.list.items[1], error)), kept.number)
    #expect(kept.list.items.map(\.path) == ["song", "last"] && rig.made.isEmpty)
    return (rig, kept)
  }

  @Test(
    "A fault that was found ahead is that of its item alone, and an order has the item tried again",
    arguments: [
      ([.queue(.insert(items("good"), at: 1))], ["song", "good", "gone", "last"]),
      ([.queue(.remove(1)), .queue(.add(items("good")))], ["song", "last", "good"]),
      ([.queue(.replace(items("good"))), .order(.play())], ["good"]),
      ([.queue(.replace(items("gone"))), .order(.play())], ["gone"]),
      ([.order(.next)], ["gone", "last"]),
      ([.order(.pause), .order(.play())], ["song", "gone", "last"]),
      ([.set(.loops(1))], ["song", "last"]),
    ] as [([MediaPlayerEvent], [String])])
  func faults(events: [MediaPlayerEvent], wanted: [String]) throws {
    let (rig, kept) = try broken()
    for event in events { try rig.happen(.player("music", event)) }
    #expect(kept.list.items.map(\.path) == wanted)
  }

  @Test(
    "A fault that was found ahead is told when the item behind it is heard, and keeps no item from its turn")
  func faultInTurn() throws {
    let (rig, kept) = try broken()
    let pass = rig.state.players["music"]!.passes
    rig.report(.player("music", .item(kept.list.items[1])), kept.number)
    #expect(
      rig.made == [
        .player("music", .report(.advanced(pass: pass, intoBroken: true))),
        .player("music", .report(.failed(pass: pass + 1, SessionError(.io, "it is gone")))),
      ])
    #expect(kept.list.items.map(\.path) == ["last"])
  }

  @Test("A recorder that goes on at its scheduled time is told to record, as one that begins a file")
  func scheduledResume() throws {
    let rig = try Rig([
      .recorder("tape", .create(.session("show"))), .recorder("tape", .order(.record())),
      .recorder("tape", .order(.pause)), .recorder("tape", .order(.record(after: 1))),
    ])
    #expect(rig.state.recorders["tape"]?.state == .prepared)
    let kept = try #require(rig.keeper.recorder("tape"))
    rig.report(.recorder("tape", .resumed(frame: 48_000)), kept.number)
    #expect(rig.made == [.recorder("tape", .report(.started))])
    #expect(rig.state.recorders["tape"]?.state == .recording)
  }
}
