import AwaitedEvents
import Encoders
import MediaKernel
import Recorders
import Threads

/// A recorder, and a loop in the place of the audio thread that gives it a counted sound.
final class RecorderRig {
  let writer: RecorderWriter
  let recorder: Recorder
  let events = AwaitedEvents<RecorderEvent>()
  /// The frame at which the next period begins.
  private(set) var time = 0
  var period = 256
  var waits = true
  /// The sound that is recorded.
  var sample: (_ frame: Int, _ channel: Int) -> Float = { CountedSound.sample($0, channel: $1) }

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
    events.first { if case .finished(let path, _, _) = $0 { path } else { nil } }
  }
}
