import Queues
import SessionModel
import Testing

@testable import Router

/// Which players of the state are in the mix.
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
}
