import Queues
import SessionModel

extension Table {
  @_optimize(none)
  static var players: [Parameter] {
    playerList + playerSettings + playerTransport + playerFacts + playerQueue
  }

  @_optimize(none)
  private static var playerList: [Parameter] {
    [
      Parameter(
        "/player/create", .command("s id s session[.stream] [s file]"), .surface(.createPlayer),
        "Makes a player of a session's stream, by default the first; a file, folder, playlist or query fills its queue."
      ),
      Parameter(
        "/player/remove", .command("s id"), .surface(.removePlayer), "Fades a player out and removes it."),
      Parameter(
        "/player/list", .command(""), right: .view, .surface(.listPlayers),
        "Lists players: index, total, id, session.stream, state, media id, title."),
    ]
  }

  @_optimize(none)
  private static var playerSettings: [Parameter] {
    [
      Parameter(
        "/player/<p>/stream", .text, player.readOnly { "\($0.session).\($0.stream)" },
        "The stream that it plays into, as session.stream."),
      Parameter(
        "/player/<p>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        player.control(\.gain) { .gain($0) }, "The player's level, before those of its stream and session."),
      Parameter(
        "/player/<p>/mute", .toggle, scope: .mute, key: "mute", player.value(\.isMuted) { .muted($0) },
        "The player's mute; it plays on unheard."),
      Parameter(
        "/player/<p>/pan", .number(-1...1), scope: .pan, key: "pan", player.control(\.pan) { .pan($0) },
        "Balance: left min(1, 1-p), right min(1, 1+p), for 1 and 2 channels; 0 changes nothing."),
      Parameter(
        "/player/<p>/rate", .number(MediaPlayer.rates), scope: .player, key: "rate",
        player.value(\.rate) { .rate($0) }, "Speed; the pitch is kept."),
      Parameter(
        "/player/<p>/loops", .integer(MediaPlayer.endless...MediaPlayer.mostLoops), scope: .player,
        key: "loops",
        player.value(\.loops) { .loops($0) },
        "How often each item is played again; -1 is without end."),
      Parameter(
        "/player/<p>/finish", .choice(of: FinishConduct.self), scope: .player, key: "finish",
        player.value(\.finish) { .finish($0) },
        "What the end of the last item does: deactivate ends the session and notifies others."
      ),
      Parameter(
        "/player/<p>/normalise", .limit(MediaPlayer.loudnesses), unit: "LUFS", scope: .player,
        key: "normalise",
        player.value(
          read: { $0.normalisation.map { .number($0) } ?? .text(Kind.noLimit) },
          write: { value throws(SessionError) in
            .normalisation(value == .text(Kind.noLimit) ? nil : try Double(value))
          }),
        "The loudness that every item is brought to; off leaves items as they are."),
      Parameter(
        "/player/<p>/remote", .toggle, scope: .player, key: "remote",
        player.value(\.isRemote) { .remote($0) }, "Whether `/remote` may reach the player."),
      Parameter(
        "/player/<p>/keep", .toggle, scope: .player, key: "keep", player.value(\.isKept) { .kept($0) },
        "Whether its queue and place survive a restart of the router, and whether it plays; a paused one is stopped then."
      ),
    ]
  }

  @_optimize(none)
  private static var playerTransport: [Parameter] {
    [
      order(
        "play", .play(),
        "Plays; an inactive session becomes active first. Those of one bundle begin on one frame."
      ),
      order("pause", .pause, "Pauses at its place."),
      order("toggle", .toggle, "Pauses a player that plays, and lets any other play."),
      order("stop", .stop, "Stops and keeps the place; a second one goes to the beginning of the item."),
      order("prepare", .prepare, "Reads ahead, so that `play` is heard within a period."),
      Parameter(
        "/player/<p>/playing", .toggle, scope: .player,
        player.transport({ $1.isRunning }) { target, isOn throws(SessionError) in
          try order(target, isOn ? .play() : .pause)
        }, "Whether it plays; off pauses."),
      Parameter(
        "/player/<p>/schedule", .number(0...MediaPlayer.longestDelay), unit: "s", scope: .player,
        player.transport(isMoving: { $1.startTime != nil }) { moment, player in
          player.startTime.map { max(0, $0 - moment.time) } ?? 0
        } write: { target, seconds throws(SessionError) in
          try order(target, .play(after: seconds))
        },
        "Plays so many seconds from now; reads how many are left. `pause` and `stop` cancel it."),
      Parameter(
        "/player/<p>/position", .number(0...MediaPlayer.longestItem), unit: "s", scope: .player,
        player.transport(isMoving: { $1.isMoving(at: $0.time) }) {
          $1.position(at: $0.time)
        } write: {
          target, seconds throws(SessionError) in
          try order(target, .seek(seconds))
        }, "Seconds from the start of the item."),
      Parameter(
        "/player/<p>/progress", .number(0...1), scope: .player,
        player.transport(isMoving: { $1.isMoving(at: $0.time) }) {
          $1.progress(at: $0.time)
        } write: {
          target, part throws(SessionError) in
          try order(target, .seekPart(part))
        }, "The place as a part of the item's length; 0 while the length is unknown."),
      winding("forward", .forward, "fast forward"),
      winding("back", .back, "fast back"),
    ]
  }

  @_optimize(none)
  private static var playerFacts: [Parameter] {
    [
      Parameter(
        "/player/<p>/state", .choice(of: PlayerState.self), player.readOnly(\.state),
        "What it does; `prepared` is ready, or waits for its scheduled start."),
      Parameter(
        "/player/<p>/prepared", .toggle, player.readOnly(\.facts.isReady),
        "Whether `play` is heard within a period."
      ),
      Parameter(
        "/player/<p>/duration", .number(0...MediaPlayer.longestItem), unit: "s",
        player.readOnly { $0.facts.duration ?? 0 }, "Length of the item; 0 while unknown."),
      Parameter(
        "/player/<p>/speed", .number(-16...16), player.readOnly(\.speed),
        "Seconds of the item for each second; 0 unless it plays."),
      Parameter(
        "/player/<p>/loudness", .number(-160...20), unit: "LUFS",
        player.readOnly { $0.facts.loudness ?? -160 },
        "Loudness of the item (EBU R 128); -160 while unknown."),
      Parameter(
        "/player/<p>/buffer", .number(0...60), unit: "s", player.readOnly(\.facts.buffered),
        "Seconds of sound that are read ahead."),
      Parameter(
        "/player/<p>/underruns", .integer(0...Int(Int32.max)), player.readOnly(\.facts.underruns),
        "How often the disk was too slow."),
    ] + power("/player/<p>") + [
      item("title", \.title, "Title of the present item."),
      item("artist", \.artist, "Artist of the present item."),
      item("album", \.album, "Album of the present item."),
      Parameter(
        "/player/<p>/track", .integer(0...9_999), player.readOnly { $0.queue.value.present?.track ?? 0 },
        "Number of the item on its album; 0 if unknown."),
      item(
        "cover", \.media,
        "Media id of the present item, for its cover; empty if the library does not know it."
      ),
    ]
  }

  @_optimize(none)
  private static var playerQueue: [Parameter] {
    [
      Parameter(
        "/player/<p>/file", .text,
        .lamp(.loadPlayer) { state, target in
          player.read(state, target) { .text($0.queue.value.present?.name ?? "none") }
        },
        "The item's file; a file, folder, playlist, media id or query replaces the queue."),
      Parameter(
        "/player/<p>/queue/add", .command("s what..."), .surface(.addToQueue),
        "Adds files, folders, playlists, media ids or queries such as album:Blue at the end."),
      Parameter(
        "/player/<p>/queue/insert", .command("i index s what..."), .surface(.insertIntoQueue),
        "Inserts them before the item of an index; the number of items means the end."),
      Parameter(
        "/player/<p>/queue/move", .command("i from i to"),
        action { request, id throws(SessionError) in
          .player(
            id,
            .queue(
              .move(
                from: try request.integer(at: 0, of: "an item"), to: try request.integer(at: 1, of: "a place")
              ))
          )
        }, "Moves an item to another index; the item that plays goes on."),
      Parameter(
        "/player/<p>/queue/remove", .command("i index"),
        action { request, id throws(SessionError) in
          .player(id, .queue(.remove(try request.integer(at: 0, of: "an item"))))
        }, "Removes an item; if it plays, the one that follows plays."),
      Parameter(
        "/player/<p>/queue/clear", .trigger, action { _, id in .player(id, .queue(.clear)) },
        "Removes all items, and stops."),
      order("queue/next", .next, "Goes to the item that follows."),
      order("queue/previous", .previous, "Goes to the item before; with shuffle to the one heard before."),
      order("queue/beginning", .beginning, "Goes to the beginning of the item."),
      Parameter(
        "/player/<p>/queue/list", .command("[i from [i count]]"), right: .view, .surface(.listQueue),
        "Lists the items: index, total, media id, title, artist, album, seconds."),
      Parameter(
        "/player/<p>/queue/save", .command("s name"), .surface(.saveQueue),
        "Writes the items as a playlist of this name, such as Walk-in.m3u8, into the first media folder."
      ),
      Parameter(
        "/player/<p>/queue/length", .integer(0...PlayQueue.most), player.readOnly { $0.queue.value.count },
        "How many items the queue has."),
      Parameter(
        "/player/<p>/queue/index", .integer(0...PlayQueue.most - 1), scope: .player,
        player.transport({ $1.queue.value.index ?? 0 }) { target, index throws(SessionError) in
          try order(target, .go(index))
        }, "Place of the present item, from 0; another one goes to that item."),
      Parameter(
        "/player/<p>/queue/repeat", .choice(of: RepeatMode.self), scope: .player, key: "repeat",
        player.value(\.queue.value.repeatMode) { .repeats($0) },
        "What follows the end: nothing, the item again, or the queue again."
      ),
      Parameter(
        "/player/<p>/queue/shuffle", .choice(of: ShuffleMode.self), scope: .player, key: "shuffle",
        player.value(\.queue.value.shuffleMode) { .shuffles($0) },
        "The order: the queue's, or each song or album once at random."),
      Parameter(
        "/player/<p>/queue/crossfade", .number(0...MediaPlayer.longestCrossfade), unit: "s", scope: .player,
        key: "crossfade", player.value(\.crossfade) { .crossfade($0) },
        "Crossfade between items; 0 joins them without a gap."),
    ]
  }

  // MARK: Forms

  /// The event of an order to the player of an address.
  private static func order(_ target: Target, _ order: PlayerOrder) throws(SessionError) -> Event {
    .player(try target.id(of: \.player), .order(order))
  }

  /// An address that gives an order.
  private static func order(_ name: String, _ order: PlayerOrder, _ summary: String) -> Parameter {
    Parameter("/player/<p>/\(name)", .trigger, action { _, id in .player(id, .order(order)) }, summary)
  }

  /// An action on the player of an address.
  private static func action(
    _ event: @escaping @Sendable (Parameter.ActionRequest, PlayerID) throws(SessionError) -> Event
  ) -> Parameter.Binding {
    .action { request throws(SessionError) in try event(request, try request.target.id(of: \.player)) }
  }

  private static func winding(_ name: String, _ winding: PlayerWinding, _ what: String) -> Parameter {
    Parameter(
      "/player/<p>/seek/\(name)", .toggle, scope: .player,
      player.transport({ $1.winding == winding }) { target, isHeld throws(SessionError) in
        try order(target, .wind(winding, isHeld))
      }, "Held for \(what): four times as fast, 12 dB lower, while it plays.")
  }

  private static func item(
    _ name: String, _ text: @escaping @Sendable (QueueItem) -> String, _ summary: String
  ) -> Parameter {
    Parameter(
      "/player/<p>/\(name)", .text, player.readOnly { $0.queue.value.present.map(text) ?? "" }, summary)
  }

  /// The meters of a player or recorder.
  @_optimize(none)
  static func power(_ address: String) -> [Parameter] {
    [
      Parameter(
        "\(address)/peak", .meter(channels: true), unit: "dBFS", .surface(.meter), "Peak power per channel."),
      Parameter(
        "\(address)/average", .meter(channels: true), unit: "dBFS", .surface(.meter),
        "Average power per channel."),
    ]
  }
}
