import MixEngine
import Synchronization
import Threads
import VoiceKernel

/// The worker of a voice processing, which passes the microphone on and remembers what it got.
final class PassingWorker: Sendable {
  let store: VoiceNodeStore
  private let log: Heard
  private let thread: PacedThread

  init(period: Int, loudspeakers: Int) {
    let store = VoiceNodeStore(
      VoiceTiming(rate: 48_000, period: period, algorithm: 0), loudspeakers: loudspeakers)
    self.store = store
    let heard = Heard()
    log = heard
    let block = store.timing.block
    thread = PacedThread(name: "worker", bell: PacedThread.Bell()) {
      store.process { near, far, out in
        out.update(from: near, count: block)
        heard.sounds.withLock {
          $0.near += UnsafeBufferPointer(start: near, count: block)
          $0.far += UnsafeBufferPointer(start: far, count: block)
        }
      }
      return .after(milliseconds: 1)
    }
  }

  deinit { thread.stop() }

  private final class Heard: Sendable {
    let sounds = Mutex<(near: [Float], far: [Float])>(([], []))
  }

  var near: [Float] { log.sounds.withLock { $0.near } }
  var far: [Float] { log.sounds.withLock { $0.far } }

  func channel(_ kind: VoiceChannel.Kind) -> VoiceChannel { VoiceChannel(store, kind) }
}
