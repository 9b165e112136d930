import MediaKernel
import MixEngine
import MixKernel
import SessionModel
import Testing

/// Orders for players and recorders in plans, and how long the engine keeps their stores.
@Suite struct MediaOrderTests {
  @Test(
    "Three players and a recorder begin on one frame, also within a period", arguments: [256, 1_000, 1_001])
  func oneFrame(start: Int) {
    let rig = Rig()
    let (players, recorder) = ((0..<3).map { _ in HandPlayer(frames: 2_000) }, HandRecorder(channels: 3))
    rig.input = { _, _ in nil }
    rig.publish(.straight(players.map { $0.channel(1) }, (0..<3).map { recorder.sink($0) }))
    rig.run([100, 28])
    for player in players { #expect(!player.store.isSounding) }
    let time = Int(rig.engine.framesProcessed) + start
    rig.engine.publish(
      changing: [:],
      orders: MediaOrders(players.map { ($0, $0.play(at: time)) }, [(recorder, recorder.record(at: time))]))
    for _ in 0..<8 { rig.run(256) }
    let heard = recorder.take()
    let begin = recorder.store.mark
    #expect(begin?.kind == .begin && begin?.number == time)
    let place = begin?.place ?? 0
    for channel in 0..<3 {
      #expect(heard[channel][..<place].allSatisfy { $0 == 0 })
      #expect(heard[channel][place...].elementsEqual(players[0].sound(1, 0..<128 + 2_048 - time)))
    }
  }

  @Test(
    "Orders and levels of one publish take effect in the same period, also in a plan that replaces another")
  func withLevels() {
    let rig = Rig()
    let (player, recorder) = (
      HandPlayer(channels: 1, frames: 2_000) { _, _ in 0.5 }, HandRecorder(channels: 1)
    )
    rig.input = { _, _ in 0.25 }
    var mix = MixStructure.straight(
      [player.channel(0), .init(.port(PortHandle(rawValue: 1)))],
      [recorder.sink(0), .init(.port(PortHandle(rawValue: 2)), output: 0, stages: [])])
    mix.rows[1].stages = [Sample.gain]
    rig.publish(mix, orders: MediaOrders([], [(recorder, recorder.record())]))
    rig.run(64)
    rig.engine.publish(
      changing: [Sample.gain: rig.level(0, .linear, 1)], orders: MediaOrders([(player, player.play())]))
    // This plan replaces the one before.
    rig.engine.publish(changing: [Sample.cell(0, 0): rig.level(0.5, .linear, 1)])
    rig.run(64)
    let heard = recorder.take()[0]
    #expect(heard[..<64].allSatisfy { $0 == 0 } && heard[127] == 0.25)
    #expect(rig.output[1][63] == 0.25 && rig.output[1][127] == 0)
  }

  @Test(
    "Of two orders the newer one counts, in whatever sequence they come; orders for absent players are ignored"
  )
  func newest() {
    let rig = Rig()
    let (player, absent) = (HandPlayer(frames: 2_000), HandPlayer(frames: 2_000))
    let recorder = HandRecorder()
    rig.input = { _, _ in nil }
    let (play, pause) = (player.play(), player.pause(fade: 0))
    rig.publish(.straight(player, recorder), orders: MediaOrders([(player, pause)]))
    rig.engine.publish(changing: [:], orders: MediaOrders([(player, play), (absent, absent.play())]))
    rig.run(64)
    #expect(!player.store.isSounding && !absent.store.isSounding)
    rig.engine.publish(changing: [:], orders: MediaOrders([(player, player.play())]))
    rig.run(64)
    #expect(player.store.isSounding)
    rig.engine.publish(changing: [:], orders: MediaOrders([(player, pause)]))
    rig.run(64)
    #expect(player.store.isSounding)
  }

  @Test("A player that pauses and goes on fades: no step is greater than the fade's")
  func pause() {
    let rig = Rig()
    let (player, recorder) = (HandPlayer(frames: 8_000) { _, _ in 1 }, HandRecorder())
    rig.input = { _, _ in nil }
    rig.publish(
      .straight(player, recorder),
      orders: MediaOrders([(player, player.play(fade: 240))], [(recorder, recorder.record())]))
    rig.run([100, 300])
    rig.engine.publish(changing: [:], orders: MediaOrders([(player, player.pause())]))
    rig.run([64, 100, 200])
    rig.engine.publish(changing: [:], orders: MediaOrders([(player, player.play(fade: 240))]))
    rig.run([64, 100, 200])
    let heard = recorder.take()[0]
    #expect(heard[399] == 1 && heard[700] == 0 && heard[1_127] == 1)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 1.01 / 240 })
  }

  @Test(
    "The engine keeps players and recorders until the audio thread has given back the last plan with them")
  func lifetime() {
    let rig = Rig()
    weak var deck: DeckPairStore?
    weak var tap: RecorderTapStore?
    rig.input = { _, _ in nil }
    do {
      let (player, recorder) = (HandPlayer(frames: 1_000), HandRecorder())
      (deck, tap) = (player.store, recorder.store)
      rig.publish(
        .straight(player, recorder),
        orders: MediaOrders([(player, player.play())], [(recorder, recorder.record())]))
    }
    rig.run(64)
    #expect(deck?.isSounding == true)
    rig.publish(Sample.single)
    _ = rig.telemetry()
    #expect(deck != nil && tap != nil, "the audio thread may still use the old plan")
    rig.run(64)
    #expect(deck != nil && tap != nil, "the control side has not yet taken the old plan back")
    _ = rig.telemetry()
    #expect(deck == nil && tap == nil)
    do {
      let player = HandPlayer(frames: 10)
      deck = player.store
      rig.publish(.straight([player.channel(0)], []))
      rig.publish(Sample.single)
    }
    #expect(deck == nil, "a plan that was never adopted keeps nothing")
  }

  @Test("A player that leaves in a crossfade gives both decks back, and goes on when a plan has it again")
  func leaving() {
    let rig = Rig()
    let (player, recorder) = (HandPlayer(frames: 4_000), HandRecorder())
    rig.input = { _, _ in nil }
    let mix = MixStructure.straight(player, recorder)
    rig.publish(mix, orders: MediaOrders([(player, player.play())], [(recorder, recorder.record())]))
    rig.run(64)
    player.offer(2_000..<4_000, at: nil, fade: -1_000)
    rig.run(64)
    #expect(player.store.isSounding && player.store.spare == nil)
    // A structure that still has the player leaves it alone.
    var wider = mix
    wider.outputs.append(.init(id: "more"))
    rig.publish(wider)
    rig.run(64)
    _ = rig.telemetry()
    #expect(player.store.isSounding && player.store.spare == nil)
    rig.publish(Sample.single)
    rig.run(64)
    _ = rig.telemetry()
    #expect(!player.store.isSounding && player.store.spare == 0)
    player.store.reset(0, headRoom: 0)
    let before = recorder.take()[0].count
    #expect(before == 192)
    rig.publish(mix, orders: MediaOrders([(player, player.order)]))
    rig.run(64)
    #expect(recorder.take()[1] == player.sound(1, 2_128..<2_192))
  }

  @Test("Frees the players of an engine that is gone")
  func engineGone() {
    let player = HandPlayer(frames: 1_000)
    do {
      let rig = Rig()
      rig.input = { _, _ in nil }
      rig.publish(.straight([player.channel(0)], []), orders: MediaOrders([(player, player.play(at: 100))]))
      rig.run([64, 64])
      #expect(player.store.isSounding)
    }
    #expect(!player.store.isSounding)
    // The count of a new engine begins at 0, before the frame of the order that was in force.
    let (rig, recorder) = (Rig(), HandRecorder())
    rig.input = { _, _ in nil }
    rig.publish(
      .straight(player, recorder),
      orders: MediaOrders([(player, player.order)], [(recorder, recorder.record())]))
    rig.run(64)
    #expect(recorder.take()[0] == player.sound(0, 28..<92))
  }
}
