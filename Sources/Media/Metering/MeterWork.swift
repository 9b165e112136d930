import Maths
import MediaKernel
import SessionModel
import SoundConversion
import Synchronization
import SystemCalls

/// The thread's side of an output's meters: takes the frames of the tap and measures them.
///
/// Unchecked: only the meters' thread uses it.
final class MeterWork: @unchecked Sendable {
  private let output: MeteredOutput
  private let store: RecorderTapStore
  private let block: UnsafeMutablePointer<Float>
  private var (beginnings, resets) = (0, 0)
  private var peaks: [PeakProgrammeMeter] = []
  private var products: SlidingProducts?
  /// Loudness of the last seconds, and of the programme with its true peaks; nil if it is not wanted or the library is missing.
  private var (live, programme): (LoudnessMeter?, LoudnessMeter?)
  /// The loudness that is shown, and the frames since it was computed: that adds up three seconds.
  private var loudness: [MeterValue: [Float]] = [:]
  private var age = 0
  /// Highest true peaks of this pass, by channel.
  private var truePeaks: [Double] = []

  /// Frames that are taken at once.
  private static let piece = 4_096

  init(_ output: MeteredOutput) {
    (self.output, store) = (output, output.store)
    block = .allocate(capacity: Self.piece * output.store.channelCount)
  }

  deinit { block.deallocate() }

  func isOf(_ other: MeteredOutput) -> Bool { output === other }

  private var channels: Range<Int> { 0..<store.channelCount }
  private func has(_ meter: OutputMeter) -> Bool { output.meters.contains(meter) }

  /// Measures what is there.
  ///
  /// - Returns: whether the next pass must not wait to be woken.
  func pass() -> Bool {
    let wish = output.wish.withLock { $0 }
    if wish.beginnings != beginnings { begin(wish) } else if wish.resets != resets { beginProgramme(wish) }
    truePeaks = channels.map { _ in 0 }
    // Frames that the audio thread left out, because this thread was half a second late, are not measured.
    while store.mark != nil { store.popMark() }
    var hasMeasured = false
    while true {
      let count = store.take(into: block, limit: Self.piece)
      guard count > 0 else { break }
      measure(frames: count)
      hasMeasured = true
    }
    if hasMeasured { show() }
    return wish.order.listens
  }

  // MARK: Beginnings

  /// Begins to listen. What is left of an earlier time is dropped.
  private func begin(_ wish: MeteredOutput.Wish) {
    let isFirst = beginnings == 0
    beginnings = wish.beginnings
    while store.take(into: block, limit: Self.piece) > 0 {}
    output.shown.withLock { $0 = [:] }
    if has(.ppm) {
      peaks = channels.map { _ in PeakProgrammeMeter(sampleRate: Double(output.sampleRate)) }
    }
    if has(.rms) || has(.correlation) {
      products = SlidingProducts(channels: store.channelCount, sampleRate: output.sampleRate)
    }
    // An output with meters of programmes listens all the time.
    guard isFirst else { return }
    if has(.loudness) { live = meter(.live) }
    beginProgramme(wish)
  }

  private func beginProgramme(_ wish: MeteredOutput.Wish) {
    resets = wish.resets
    var measures: LoudnessMeter.Measures = []
    if has(.loudness) { measures.insert(.integrated) }
    if has(.truePeak) { measures.insert(.truePeak) }
    programme = measures.isEmpty ? nil : meter(measures)
  }

  private func meter(_ measures: LoudnessMeter.Measures) -> LoudnessMeter? {
    do throws(DynamicLibrary.Missing) {
      return try LoudnessMeter(
        channels: store.channelCount, sampleRate: output.sampleRate, measures: measures)
    } catch {
      // The loudness of the last seconds comes first; once is enough.
      if measures == .live || !has(.loudness) { output.tell(error) }
      return nil
    }
  }

  // MARK: Measuring

  private func measure(frames: Int) {
    for index in peaks.indices {
      peaks[index].add(block + index, frames: frames, stride: store.channelCount)
    }
    products?.add(block, frames: frames)
    live?.add(block, frames: frames)
    age += frames
    guard let programme else { return }
    programme.add(block, frames: frames)
    guard has(.truePeak) else { return }
    for channel in channels {
      truePeaks[channel] = max(truePeaks[channel], programme.lastTruePeak(ofChannel: channel))
    }
  }

  private func show() {
    var values: [MeterValue: [Float]] = [:]
    if has(.ppm) { values[.ppm] = peaks.map { Self.level(Double($0.level)) } }
    if let products {
      if has(.rms) { values[.rms] = channels.map { Self.level(products.rms(ofChannel: $0)) } }
      if has(.correlation) { values[.correlation] = [Float(products.correlation)] }
    }
    values.merge(newLoudness()) { $1 }
    if let programme, has(.truePeak) {
      values[.truePeak] = truePeaks.map(Self.level)
      values[.highestTruePeak] = channels.map { Self.level(programme.truePeak(ofChannel: $0)) }
    }
    output.shown.withLock { shown in
      let former = shown[.truePeak]
      shown = values
      if let former { shown[.truePeak] = values[.truePeak].map { zip($0, former).map(max) } }
    }
  }

  /// The loudness, ten times a second anew, as EBU Tech 3341 asks for.
  private func newLoudness() -> [MeterValue: [Float]] {
    guard let live, let programme, age >= output.sampleRate / 10 else { return loudness }
    age = 0
    loudness = [
      .momentary: [Self.loudness(live.momentary)], .shortTerm: [Self.loudness(live.shortTerm)],
      .integrated: [Self.loudness(programme.loudness)],
    ]
    return loudness
  }

  private static func level(_ amplitude: Double) -> Float {
    amplitude > 0 ? max(MeterValue.ppm.silence, Float(20 * log10(amplitude))) : MeterValue.ppm.silence
  }

  private static func loudness(_ value: Double?) -> Float {
    max(MeterValue.integrated.silence, value.map { Float($0) } ?? MeterValue.integrated.silence)
  }
}
