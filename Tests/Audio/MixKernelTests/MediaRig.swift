import MediaKernel
import MixEngine

/// A player whose deck a test fills by hand, in the place of the reader thread.
final class HandPlayer {
  let store: DeckPairStore
  private(set) var order = DeckOrder()
  private let sound: (_ channel: Int, _ frame: Int) -> Float
  private var generation = 0

  /// Makes a player with a deck of a sound; most of it is in the head, the rest in the ring.
  init(
    channels: Int = 2, frames: Int, ring: Int = 0,
    _ sound: @escaping (_ channel: Int, _ frame: Int) -> Float = { noise(500 + $0, $1) }
  ) {
    store = DeckPairStore(channels: channels)
    self.sound = sound
    store.makePatches()
    offer(0..<frames, ring: ring, at: nil, fade: 0)
  }

  func sound(_ channel: Int, _ frames: Range<Int>) -> [Float] { frames.map { sound(channel, $0) } }

  /// Makes a deck of some frames of the sound, and offers it.
  func offer(_ frames: Range<Int>, ring: Int = 0, at place: Int?, fade: Int) {
    guard let deck = store.spare else { return }
    let head = frames.count - ring
    store.reset(deck, headRoom: head)
    interleaved(frames.prefix(head)) { store.writeHead(deck, interleaved: $0, frames: head) }
    if ring > 0 {
      store.makeRing(deck, frames: ring)
      interleaved(frames.suffix(ring)) { store.writeRing(deck, interleaved: $0, frames: ring) }
    }
    store.complete(deck)
    generation += 1
    store.offer(deck, generation: generation, at: place, fade: fade)
  }

  private func interleaved(_ frames: Range<Int>, _ body: (UnsafePointer<Float>) -> Void) {
    let samples = frames.flatMap { frame in (0..<store.channelCount).map { sound($0, frame) } }
    samples.withUnsafeBufferPointer { if let first = $0.baseAddress { body(first) } }
  }

  func play(at time: Int = DeckOrder.now, fade: Int = 0) -> DeckOrder {
    give(DeckOrder(runs: true, time: time, generation: generation, fade: fade))
  }

  func pause(fade: Int = 240) -> DeckOrder {
    give(DeckOrder(runs: false, generation: generation, fade: fade))
  }

  private func give(_ order: DeckOrder) -> DeckOrder {
    let serial = self.order.serial + 1
    self.order = order
    self.order.serial = serial
    return self.order
  }

  func channel(_ channel: Int) -> MixStructure.Source { .init(.deck(DeckChannel(store, channel: channel))) }
}

/// A recorder whose frames a test takes, in the place of the writer thread.
final class HandRecorder {
  let store: RecorderTapStore
  private(set) var order = TapOrder()

  init(channels: Int = 2, frames: Int = 32_768) {
    store = RecorderTapStore(channels: channels)
    store.makeRing(frames: frames)
  }

  func record(at time: Int = DeckOrder.now) -> TapOrder {
    order = TapOrder(serial: order.serial + 1, listens: true, records: true, time: time)
    return order
  }

  /// All frames that wait, by channel.
  func take() -> [[Float]] {
    var result = Array(repeating: [Float](), count: store.channelCount)
    var piece = Array(repeating: Float(0), count: 8_192 * store.channelCount)
    while true {
      let count = piece.withUnsafeMutableBufferPointer { samples in
        samples.baseAddress.map { store.take(into: $0, limit: 8_192) } ?? 0
      }
      guard count > 0 else { return result }
      for channel in result.indices {
        result[channel] += (0..<count).map { piece[$0 * store.channelCount + channel] }
      }
    }
  }

  func tap(_ channel: Int) -> TapChannel { TapChannel(store, channel: channel) }
  func sink(_ channel: Int) -> MixStructure.Sink { .init(.tap(tap(channel)), output: nil, stages: []) }
}

extension MixStructure {
  /// Each source to the sink of its index, at unity.
  static func straight(_ sources: [Source], _ sinks: [Sink]) -> MixStructure {
    MixStructure(
      sources: sources, sinks: sinks,
      rows: sources.indices.map { .init(source: $0, stages: []) },
      cells: (0..<min(sources.count, sinks.count)).map {
        .init(row: $0, sink: $0, stage: Sample.cell($0, $0))
      },
      outputs: [.init(id: Sample.usb)])
  }

  /// Both channels of a player to both channels of a recorder.
  static func straight(_ player: HandPlayer, _ recorder: HandRecorder) -> MixStructure {
    straight([player.channel(0), player.channel(1)], [recorder.sink(0), recorder.sink(1)])
  }
}

extension MediaOrders {
  init(_ decks: [(HandPlayer, DeckOrder)], _ taps: [(HandRecorder, TapOrder)] = []) {
    self.init()
    for (player, order) in decks { self[player.store] = order }
    for (recorder, order) in taps { self[recorder.store] = order }
  }
}
