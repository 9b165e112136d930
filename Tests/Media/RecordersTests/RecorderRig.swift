import Encoders
import MediaKernel
import Recorders
import Synchronization
import Threads

/// A recorder, and a loop in the place of the audio thread that gives it a counted sound.
final class RecorderRig {
  let writer: RecorderWriter
  let recorder: Recorder
  let events = Events()
  /// The frame at which the next period begins.
  private(set) var time = 0
  var period = 256
  var waits = true
  /// The sound that is recorded.
  var sample: (_ frame: Int, _ channel: Int) -> Float = { CountedSound.sample($0, channel: $1) }

  final class Events: Sendable {
    private let list = Mutex<[RecorderEvent]>([])
    private let bell = Semaphore()

    func add(_ event: RecorderEvent) {
      list.withLock { $0.append(event) }
      bell.signal()
    }

    var all: [RecorderEvent] { list.withLock { $0 } }

    /// Waits for a wanted event; nil after 20 s.
    func wait<Value>(_ wanted: (RecorderEvent) -> Value?) -> Value? {
      let end = MonotonicTime.now + 20
      while true {
        if let value = all.lazy.compactMap(wanted).first { return value }
        guard bell.wait(seconds: end - MonotonicTime.now) else { return all.lazy.compactMap(wanted).first }
      }
    }
  }

  init(
    _ settings: RecorderSettings, id: String = "desk", channels: Int = 2, rate: Int = 48_000,
    writer: RecorderWriter? = nil, stalling gate: Semaphore? = nil
  ) {
    let writer = writer ?? RecorderWriter()
    writer.setFreewheel(true)
    self.writer = writer
    recorder = Recorder(writer, id: id, channels: channels, sampleRate: rate, settings: settings) {
      [events] event in
      events.add(event)
      // A disk that hangs after the start of a file.
      if case .started = event { gate?.wait() }
    }
  }

  deinit { recorder.close() }

  /// Gives the recorder some frames of the counted sound, each with the number of its time.
  func run(_ frames: Int) {
    let tap = recorder.store.tap
    var left = frames
    while left > 0 {
      let count = min(period, left)
      tap.pointee.begin(recorder.order, frames: count, time: time, waits: waits)
      for channel in 0..<recorder.store.channelCount {
        guard let samples = tap.pointee.samples(channel) else { continue }
        for frame in 0..<count { samples[frame] = sample(time + frame, channel) }
      }
      tap.pointee.end()
      time += count
      left -= count
    }
  }

  /// Stops, and waits for the end of the file. Returns its path.
  func stop() -> String? {
    _ = recorder.stop()
    run(period)
    return finished()
  }

  func finished() -> String? {
    events.wait { if case .finished(let path, _, _) = $0 { path } else { nil } }
  }
}
