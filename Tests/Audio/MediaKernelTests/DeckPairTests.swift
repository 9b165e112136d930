import CRealtime
import Foundation
import MediaKernel
import Testing

@Suite struct DeckPairTests {
  /// A pair whose decks a test fills by hand with a ramp: frame n of a deck is n + 1, times its level.
  final class Rig {
    let store = DeckPairStore(channels: 1)
    var order = DeckOrder()
    var time = 0

    init() { store.makePatches() }

    func samples(_ frames: Range<Int>, _ level: Float) -> [Float] { frames.map { Float($0 + 1) * level } }

    /// Makes a spare deck with a head, and a ring if it shall have more frames.
    func make(_ deck: Int, head: Int, ring: Int = 0, level: Float = 1) {
      store.reset(deck, headRoom: head)
      store.writeHead(deck, interleaved: samples(0..<head, level), frames: head)
      if ring > 0 { write(deck, head..<head + ring, level: level) }
    }

    /// Makes a spare deck whose frames all have one value.
    func make(_ deck: Int, headRoom: Int, frames: Int, of value: Float) {
      store.reset(deck, headRoom: headRoom)
      store.writeHead(deck, interleaved: [Float](repeating: value, count: frames), frames: frames)
    }

    func write(_ deck: Int, _ frames: Range<Int>, level: Float = 1) {
      store.makeRing(deck, frames: 4_096)
      store.writeRing(deck, interleaved: samples(frames, level), frames: frames.count)
    }

    func play(at time: Int = DeckOrder.now, generation: Int = 1, fade: Int = 0) {
      order = DeckOrder(serial: order.serial + 1, runs: true, time: time, generation: generation, fade: fade)
    }

    func run(_ frames: Int, waits: Bool = false) -> [Float] {
      mr_rt_enter()
      store.pair.pointee.begin(order, frames: frames, time: time, waits: waits)
      let samples = store.pair.pointee.samples(0)
      mr_rt_exit()
      let heard = samples.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
      store.pair.pointee.end()
      time += frames
      return heard ?? [Float](repeating: 0, count: frames)
    }
  }

  @Test("Head and ring are one stream, whatever the periods")
  func stream() {
    let rig = Rig()
    rig.make(0, head: 100, ring: 900)
    rig.store.complete(0)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    #expect(rig.run(10) == [Float](repeating: 0, count: 10))
    rig.play()
    var heard: [Float] = []
    for frames in [64, 7, 64, 1, 300, 564] { heard += rig.run(frames) }
    #expect(heard == rig.samples(0..<1_000, 1))
    #expect(rig.run(64).allSatisfy { $0 == 0 })
    #expect(rig.store.finished == 1 && !rig.store.isSounding && rig.store.underruns == 0)
  }

  @Test("A head has the samples that were written, bit for bit")
  func head() {
    let rig = Rig()
    let samples: [Float] = (0..<300).map { Float($0) / 300 } + [1.5, -0.0, .leastNonzeroMagnitude]
    rig.store.reset(0, headRoom: samples.count)
    for piece in [0..<100, 100..<200, 200..<samples.count] {
      rig.store.writeHead(0, interleaved: Array(samples[piece]), frames: piece.count)
    }
    rig.write(0, 0..<200)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    let heard = [64, 7, 64, 1, 100, 64].flatMap { rig.run($0) }
    #expect(zip(heard, samples).allSatisfy { $0.bitPattern == $1.bitPattern })
    #expect(rig.run(64).elementsEqual(samples.suffix(3) + rig.samples(0..<61, 1)))
  }

  @Test("A deck that is made again has nothing of the samples before")
  func remade() {
    let rig = Rig()
    for (generation, samples) in [[0.5, 0.25], [0.1, 0.2], [-0.5, -0.25], [0.5, 0.3]].enumerated() {
      let deck = generation % 2
      rig.store.reset(deck, headRoom: 1_000)
      rig.store.writeHead(
        deck, interleaved: (0..<1_000).map { Float(samples[$0 % 2]) }, frames: 1_000)
      rig.store.offer(deck, generation: generation + 1, at: nil, fade: 0)
      rig.play(generation: generation + 1)
      #expect(rig.run(128).suffix(64).elementsEqual((0..<64).map { Float(samples[$0 % 2]) }))
    }
  }

  @Test("An underrun fades out and is counted; the sound fades in when a sixteenth of the ring is there")
  func underrun() {
    let rig = Rig()
    rig.make(0, head: 100, ring: 412)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    #expect(rig.run(256) == rig.samples(0..<256, 1))
    let last = rig.run(256)
    // The last 96 frames fade to nothing.
    #expect(last.prefix(160).elementsEqual(rig.samples(256..<416, 1)))
    #expect(last[160] == 417 && abs(last[208] - 465 * 0.5) < 1 && last[255] < 512 * 0.02)
    #expect(rig.run(256).allSatisfy { $0 == 0 })
    #expect(rig.store.underruns == 1)
    rig.write(0, 512..<700)
    #expect(rig.run(256).allSatisfy { $0 == 0 }, "less than a sixteenth is there")
    rig.write(0, 700..<2_000)
    let resumed = rig.run(256)
    #expect(resumed[0] == 0 && abs(resumed[48] - 561 * 0.5) < 1)
    #expect(resumed.dropFirst(96).elementsEqual(rig.samples(608..<768, 1)))
    #expect(rig.store.underruns == 1)
  }

  @Test("The other deck takes over at its place, with a crossfade that leaves equal sounds as they are")
  func crossfade() {
    let rig = Rig()
    rig.make(0, head: 2_000)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(100)
    #expect(rig.store.spare == 1)
    rig.store.reset(1, headRoom: 1_000)
    rig.store.writeHead(1, interleaved: rig.samples(500..<1_500, 1), frames: 1_000)
    rig.store.offer(1, generation: 2, at: 500, fade: 50)
    var heard = rig.run(430)
    #expect(rig.store.current?.generation == 2 && rig.store.spare == nil)
    heard += rig.run(470)
    #expect(heard == rig.samples(100..<1_000, 1))
    #expect(rig.store.spare == 0)
  }

  /// A rig whose first deck has frames of 1, of which 200 are left, and whose second deck has frames of -1 and is offered with a crossfade of 400.
  private func shortDeck(keepsPower: Bool = false) -> Rig {
    let rig = Rig()
    rig.make(0, headRoom: 300, frames: 300, of: 1)
    rig.store.makeRing(0, frames: 4_096)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(100)
    rig.make(1, headRoom: 2_000, frames: 2_000, of: -1)
    rig.store.offer(1, generation: 2, at: nil, fade: keepsPower ? -400 : 400)
    return rig
  }

  @Test(
    "A crossfade from a deck that lacks frames ends with the last of them, without a step",
    arguments: [false, true])
  func shortCrossfade(keepsPower: Bool) {
    let rig = shortDeck(keepsPower: keepsPower)
    let heard = [1] + rig.run(600)
    // From 1 to -1 within 200 frames; a fade that keeps the power is up to twice as steep.
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.021 })
    #expect(heard.dropFirst(201).allSatisfy { $0 == -1 })
  }

  @Test("In freewheel a crossfade waits for the frames of the deck that it leaves")
  func awaitedCrossfade() {
    let rig = shortDeck()
    // The disk needs a hundred times as long as the period would without it.
    let disk = Thread { [store = rig.store] in
      Thread.sleep(forTimeInterval: 0.02)
      store.writeRing(0, interleaved: [Float](repeating: 1, count: 1_000), frames: 1_000)
    }
    disk.start()
    let heard = [1] + rig.run(600, waits: true)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.0051 })
    #expect(heard[400] > -1 && heard.dropFirst(401).allSatisfy { $0 == -1 })
    #expect(rig.store.timeouts == 0)
  }

  @Test(
    "A deck that has ended before it comes is taken, and the sound before it fades out",
    arguments: [0, 50])
  func lateEnd(frames: Int) {
    let rig = Rig()
    rig.make(0, headRoom: 2_000, frames: 2_000, of: 1)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(600)
    rig.make(1, headRoom: 200, frames: frames, of: 1)
    rig.store.complete(1)
    // At frame 600 the deck has no frames left.
    rig.store.offer(1, generation: 2, at: 500, fade: 0)
    let heard = [1] + rig.run(300)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.011 })
    #expect(heard.suffix(150).allSatisfy { $0 == 0 })
    #expect(rig.store.finished == 2 && !rig.store.isSounding)
  }

  @Test("A deck that comes late goes on where it would be, and one that is taken back is never heard")
  func late() {
    let rig = Rig()
    rig.make(0, head: 2_000)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(600)
    rig.make(1, head: 100, level: -1)
    rig.store.offer(1, generation: 2, at: 610, fade: 50)
    rig.store.takeBack()
    #expect(rig.run(100) == rig.samples(600..<700, 1))
    rig.store.reset(1, headRoom: 1_000)
    rig.store.writeHead(1, interleaved: rig.samples(500..<1_500, 1), frames: 1_000)
    rig.store.offer(1, generation: 3, at: 500, fade: 50)
    #expect(rig.run(300) == rig.samples(700..<1_000, 1))
  }

  @Test(
    "An order to play at the end of a deck, at once or within the period, ends there again",
    arguments: [false, true])
  func playsAtEnd(isLater: Bool) {
    let rig = Rig()
    rig.make(0, head: 100)
    rig.store.complete(0)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(64) + rig.run(64)
    #expect(rig.store.finished == 1)
    rig.play(at: isLater ? rig.time + 10 : DeckOrder.now)
    #expect(rig.run(64).allSatisfy { $0 == 0 })
    #expect(rig.store.obeyed == rig.order.serial && rig.store.finished == 1 && !rig.store.isSounding)
  }

  @Test("An order to play waits for the deck of the seek before it")
  func generation() {
    let rig = Rig()
    rig.make(0, head: 1_000)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    _ = rig.run(10)
    rig.play(generation: 2)
    #expect(rig.run(100).allSatisfy { $0 == 0 })
    rig.make(1, head: 1_000, level: 2)
    rig.store.offer(1, generation: 2, at: nil, fade: 0)
    #expect(rig.run(100) == rig.samples(0..<100, 2))
  }

  @Test("A stop that is taken back in its fade turns around without a step")
  func turn() {
    let rig = Rig()
    rig.make(0, headRoom: 2_000, frames: 2_000, of: 1)
    rig.store.offer(0, generation: 1, at: nil, fade: 0)
    rig.play()
    _ = rig.run(100)
    rig.order = DeckOrder(serial: 2, runs: false, fade: 240)
    var heard = rig.run(100)
    rig.play(fade: 240)
    heard += rig.run(300)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.006 })
    #expect(heard.last == 1 && heard[100] < 0.6)
  }
}
