internal import CRealtime
package import Rings
internal import Synchronization

/// The audio thread's side of the voice processing of one capture.
///
/// The audio thread gives the microphone and what the loudspeakers play to a worker thread, and takes from the worker what it made of the
/// microphone a constant number of frames before. Nothing here waits, except in freewheel. Each period calls `begin`, writes the microphone
/// and the loudspeakers' channels, and calls `end`. The sound begins with silence for the transport's time, and then with a fade.
///
/// If the worker is late, the microphone is passed on as it is, with the same latency. Each change between the two is a fade, also the one to
/// the microphone, for which no processed samples are left: there the last one fades out.
public struct VoiceNode: ~Copyable {
  let timing: VoiceTiming
  /// To the worker: the microphone, then the loudspeakers' channels.
  private let input: UnsafeMutablePointer<SampleRing>
  /// From the worker: the processed microphone.
  private let output: UnsafeMutablePointer<SampleRing>
  let share: UnsafeMutablePointer<VoiceShare>
  private let memory: VoiceMemory

  // MARK: The present period

  private var period = 0
  /// Whether the worker's ring has room for the period.
  private var fits = false

  // MARK: Since the start

  /// Frames of the microphone.
  private var heard = 0
  /// The frame from which on the worker has got every period.
  private var whole = 0
  /// Frames that were due of the worker.
  private var due = 0
  /// Whether the sound is or becomes the worker's.
  private var isProcessed = true
  /// Share of the worker's samples in the sound, 0 to 1; the rest is the unprocessed microphone.
  private var processed: Float = 1
  /// The last sample of the worker.
  private var last: Float = 0
  /// Gain of the unprocessed microphone, 0 to 1.
  private var gate: Float = 1
  /// Frames for which the loudspeakers still count as loud.
  private var loudFrames = 0

  /// Naps in freewheel before the audio goes on without the worker: 5 s.
  private static var patience: Int { @_noLocks get { 100_000 } }
  /// The loudspeakers are loud above this amplitude: -50 dBFS.
  private static var loud: Float { @_noLocks get { 0.003_162 } }

  package init(
    timing: VoiceTiming, input: UnsafeMutablePointer<SampleRing>, output: UnsafeMutablePointer<SampleRing>,
    share: UnsafeMutablePointer<VoiceShare>, memory: VoiceMemory
  ) {
    (self.timing, self.input, self.output) = (timing, input, output)
    (self.share, self.memory) = (share, memory)
  }

  // MARK: A period

  /// Begins a period: makes its samples, from the worker's or from the microphone's.
  ///
  /// - Parameters:
  ///   - frames: length of the period, at most 8,192.
  ///   - waits: whether to wait for the worker, at most 5 s: in freewheel and offline alone.
  @_noLocks
  public mutating func begin(frames: Int, waits: Bool) {
    period = frames
    share.pointee.isAwaited.store(waits, ordering: .relaxed)
    let begin = input.pointee.framesWritten() &- timing.transport
    fits = input.pointee.beginWriting(frames: frames)
    if !fits { whole = input.pointee.framesWritten() }
    let silent = min(frames, max(0, 0 &- begin))
    for frame in 0..<silent { memory.sound[frame] = 0 }
    guard silent < frames else { return }
    let there = take(from: max(0, begin), frames: frames &- silent, waits: waits)
    fill(from: silent, processed: there)
    if there > 0 { output.pointee.endReading(frames: there) }
  }

  /// The period's samples.
  @_noLocks
  public func sound() -> UnsafePointer<Float> { UnsafePointer(memory.sound) }

  /// Where the microphone's samples of this period go.
  @_noLocks
  public func microphone() -> UnsafeMutablePointer<Float> { memory.microphone }

  /// Where the samples of this period of a loudspeakers' channel go, counted from 0.
  @_noLocks
  public func loudspeaker(_ channel: Int) -> UnsafeMutablePointer<Float> {
    fits
      ? input.pointee.writePointer(channel: channel &+ 1)
      : memory.loudspeakers + channel &* SampleRing.longestPiece
  }

  /// Ends the period: the worker may take its frames.
  @_noLocks
  public mutating func end() {
    let frames = period
    let mask = memory.historyFrames &- 1
    for frame in 0..<frames { memory.history[(heard &+ frame) & mask] = memory.microphone[frame] }
    heard &+= frames
    if share.pointee.isGated.load(ordering: .relaxed) { watchLoudspeakers(frames: frames) }
    guard fits else { return }
    input.pointee.write(channel: 0, from: memory.microphone, frames: frames)
    input.pointee.endWriting(frames: frames)
  }

  // MARK: The worker's samples

  /// Returns how many of the worker's samples from a frame on are there; they are then the ring's next ones.
  @_noLocks
  private func take(from first: Int, frames: Int, waits: Bool) -> Int {
    if waits { waitForWorker(until: first &+ frames) }
    // Frames for which the worker was late have become useless.
    let behind = first &- output.pointee.framesRead()
    if behind > 0 { output.pointee.endReading(frames: min(behind, output.pointee.available())) }
    guard output.pointee.framesRead() == first, first >= whole else { return 0 }
    return min(frames, output.pointee.available())
  }

  /// Waits for the worker's samples up to a frame, as far as the worker has got what they need. After a change of the period it has not.
  @_noLocks
  private func waitForWorker(until wanted: Int) {
    let end = min(wanted, input.pointee.framesWritten() / timing.block &* timing.block)
    for _ in 0..<Self.patience {
      if output.pointee.framesWritten() >= end || share.pointee.isAbandoned.load(ordering: .acquiring) {
        return
      }
      mr_freewheel_nap()
    }
  }

  // MARK: Sound

  /// Writes the period's samples from a frame on.
  @_noLocks
  private mutating func fill(from silent: Int, processed there: Int) {
    let (wanted, samples) = (period &- silent, output.pointee.readPointer(channel: 0))
    if there < wanted { share.pointee.late.wrappingAdd(wanted &- there, ordering: .relaxed) }
    // Samples that have come in time again follow a fade that has ended.
    if there == wanted, processed == 0 { isProcessed = true }
    let sound = memory.sound + silent
    if isProcessed, there == wanted, processed == 1, due >= timing.algorithm &+ timing.entry {
      UnsafeMutableRawPointer(sound).copyMemory(from: samples, byteCount: wanted &* 4)
      last = samples[wanted &- 1]
    } else {
      for frame in 0..<wanted {
        if frame >= there { isProcessed = false }
        if isProcessed { last = samples[frame] }
        sound[frame] = mixed(at: heard &+ silent &+ frame) * entryGain(due &+ frame)
      }
    }
    due &+= wanted
  }

  /// The next sample in a fade between the worker's sound and the unprocessed microphone, or behind one.
  @_noLocks
  private mutating func mixed(at frame: Int) -> Float {
    let step = 1 / Float(timing.change)
    processed = isProcessed ? min(1, processed + step) : max(0, processed - step)
    let isShut = loudFrames > 0 && share.pointee.isGated.load(ordering: .relaxed)
    gate = isShut ? max(0, gate - step) : min(1, gate + step)
    if loudFrames > 0 { loudFrames &-= 1 }
    return processed * last + (1 - processed) * gate * delayed(frame)
  }

  /// The unprocessed microphone with the latency of the processed one.
  @_noLocks
  private func delayed(_ frame: Int) -> Float {
    let place = frame &- timing.latency
    guard place >= 0, place < heard, heard &- place <= memory.historyFrames else { return 0 }
    return memory.history[place & (memory.historyFrames &- 1)]
  }

  /// The gain of the fade in which the sound begins. The library's own delay is silent.
  @_noLocks
  private func entryGain(_ frame: Int) -> Float {
    let place = frame &- timing.algorithm
    return place <= 0 ? 0 : place >= timing.entry ? 1 : Float(place) / Float(timing.entry)
  }

  /// Notes whether the loudspeakers are loud; they count as loud for 0.3 s.
  @_noLocks
  private mutating func watchLoudspeakers(frames: Int) {
    for channel in 0..<input.pointee.channelCount &- 1 {
      let samples = loudspeaker(channel)
      for frame in 0..<frames where abs(samples[frame]) > Self.loud {
        loudFrames = timing.block &* 30
        return
      }
    }
  }
}
