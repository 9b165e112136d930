import AwaitedEvents
import MediaKernel
import Players

/// A player, and a loop in the place of the audio thread, which waits for the disk as in freewheel.
final class PlayerRig {
  let reader: PlayerReader
  let player: Player
  let events = AwaitedEvents<PlayerEvent>()
  /// The frame at which the next period begins.
  private(set) var time = 0
  var period = 256
  var waits = true

  init(_ items: [PlayerItem] = [], channels: Int = 2, rate: Int = 48_000, reader: PlayerReader? = nil) {
    let reader = reader ?? PlayerReader()
    reader.setFreewheel(true)
    self.reader = reader
    player = Player(reader, channels: channels, sampleRate: rate) { [events] in events.add($0) }
    player.setItems(items)
  }

  deinit { player.close() }

  /// Prepares the player, and waits until it is.
  func prepare() -> Bool {
    player.prepare()
    return waitUntilPrepared()
  }

  func waitUntilPrepared() -> Bool { events.wait(until: { player.isPrepared }) }

  /// Runs some frames in periods and returns what is heard.
  func run(_ frames: Int) -> [[Float]] {
    var heard = Array(repeating: [Float](), count: player.store.channelCount)
    for channel in heard.indices { heard[channel].reserveCapacity(frames) }
    var left = frames
    while left > 0 {
      let count = min(period, left)
      let pair = player.store.pair
      pair.pointee.begin(player.order, frames: count, time: time, waits: waits)
      for channel in heard.indices {
        if let samples = pair.pointee.samples(channel) {
          heard[channel] += UnsafeBufferPointer(start: samples, count: count)
        } else {
          heard[channel] += repeatElement(0, count: count)
        }
      }
      pair.pointee.end()
      time += count
      left -= count
    }
    return heard
  }
}
