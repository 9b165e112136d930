import EffectBlocks
import EffectKernel
import Threads

/// A chain of effects with a thread in place of the effects program, which halves each sample, or plays what the side chain hears.
final class HalvingProgram: Sendable {
  let memory: EffectMemoryStore
  let stores: [EffectNodeStore]
  private let thread: PacedThread

  init(period: Int, chains: Int = 1, channels: Int = 2, sideChannels: Int = 0) throws {
    let memory = try EffectMemoryStore(frames: period)
    self.memory = memory
    let stores = (0..<chains).map {
      EffectNodeStore(
        memory, place: $0, channels: channels, sideChannels: sideChannels, period: period, change: 96)
    }
    self.stores = stores
    for store in stores { store.setRevision(1) }
    thread = PacedThread(name: "program", bell: PacedThread.Bell()) {
      let number = memory.exchange.asked()
      for store in stores {
        let blocks = memory.exchange.chain(store.place)
        guard let (begin, frames) = blocks.given(period: number) else { continue }
        // A block may be written again while it is read, so each sample is written as it stays.
        for channel in 0..<channels {
          let isSide = channel == 0 && sideChannels > 0
          let from = isSide ? blocks.side(channel: 0, period: number) : blocks.input(channel: channel) + begin
          let to = blocks.output(channel: channel, period: number)
          for frame in 0..<frames { to[frame] = isSide ? from[frame] : from[frame] / 2 }
        }
        blocks.finish(period: number, frames: frames, latency: 0, revision: 1)
      }
      return .after(milliseconds: 1)
    }
  }

  deinit { thread.stop() }

  func channel(_ kind: EffectChannel.Kind, of chain: Int = 0) -> EffectChannel {
    EffectChannel(stores[chain], kind)
  }
}
