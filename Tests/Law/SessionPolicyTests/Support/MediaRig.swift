import LawWorld
import Queues
import SessionModel
import SessionPolicy
import Testing

/// The rig of the scenarios with the player `walkin` in the inactive session `music`, whose programs are not there.
struct MediaRig {
  var rig: Rig

  init(
    _ category: SessionModel.Category = .playback, _ options: Int = 0, _ mode: Mode = .default, items: Int = 3
  ) throws {
    rig = try Rig()
    try rig.make("music", category, options, mode)
    try rig.handle(.connected("music", false))
    try rig.handle(.session("music", .outputIO(.auto)))
    try rig.handle(.player("walkin", .create("music", "main", seed: 1)))
    if items > 0 { try rig.handle(.player("walkin", .queue(.add(Self.items(items))))) }
  }

  static func items(_ count: Int) -> [QueueItem] {
    zip(1...count, ["One", "Two", "Three"]).map { number, title in
      QueueItem(name: "\(number).flac", media: "m\(number)", title: title)
    }
  }

  var state: RouterState { rig.state }
  var player: MediaPlayer { rig.state.players["walkin"]! }
  var music: Session { rig["music"] }

  @discardableResult
  mutating func handle(_ event: Event) throws -> [Notification] { try rig.handle(event) }
  @discardableResult
  mutating func order(_ order: PlayerOrder) throws -> [Notification] {
    try rig.handle(.player("walkin", .order(order)))
  }
  @discardableResult
  mutating func edit(_ edit: QueueEdit) throws -> [Notification] {
    try rig.handle(.player("walkin", .queue(edit)))
  }
  @discardableResult
  mutating func report(_ report: PlayerReport) throws -> [Notification] {
    try rig.handle(.player("walkin", .report(report)))
  }

  /// The player reports of an item of 100 s.
  mutating func facts(seconds: Double, speed: Double) throws {
    var facts = PlayerFacts()
    facts.jump = player.jump.number
    facts.mark = PlayerFacts.Mark(seconds: seconds, time: rig.world.time, speed: speed)
    facts.duration = 100
    try report(.facts(pass: player.passes, facts))
  }

  mutating func refusal(_ event: MediaPlayerEvent, of id: PlayerID = "walkin") -> ErrorCode? {
    rig.world.refusal(.player(id, event))
  }

  mutating func sentence(_ event: MediaPlayerEvent, of id: PlayerID = "walkin") -> String? {
    var state = rig.state
    do throws(SessionError) {
      _ = try Policy.reduce(&state, .player(id, event), at: rig.world.time)
      return nil
    } catch { return error.sentence }
  }
}

extension Notification {
  var isRoute: Bool { if case .route = self { true } else { false } }
}
