import MediaKernel
import SoundFiles
import Synchronization
import SystemCalls
import Threads

/// The writer thread's side of a recorder: takes frames from the tap and writes those that belong to a recording.
///
/// Unchecked: only the writer thread uses it.
final class RecorderWork: @unchecked Sendable {
  private let recorder: Recorder
  private let store: RecorderTapStore
  private var file: RecordingFile?
  /// Whether the frames at this place of the ring belong to the recording.
  private var records = false
  /// Whether the present recording failed or is full, until the next order to record.
  private var isOver = false
  /// The serial of the newest order when it did.
  private var overSerial = 0
  /// The last place of the ring where a recording began, and the frame that stands there.
  private var beginning = (place: 0, frame: 0)
  private var history: History
  private let block: UnsafeMutablePointer<Float>
  private var lost = 0
  /// The serial of the order to prepare whose effect was told.
  private var preparedSerial = 0
  /// Seconds in the file at a pause that was not told yet.
  private var rest: Double?
  private var stopAsked: (serial: Int, since: Double)?

  /// Frames that are taken at once.
  private static let piece = 4_096
  /// Seconds after which a file is finished although no audio thread has obeyed: the server is gone.
  private static let patience = 2.0

  func isOf(_ other: Recorder) -> Bool { recorder === other }

  init(_ recorder: Recorder) {
    (self.recorder, store) = (recorder, recorder.store)
    history = History(width: recorder.store.channelCount)
    block = .allocate(capacity: Self.piece * recorder.store.channelCount)
  }

  deinit { block.deallocate() }

  /// Writes what is there.
  ///
  /// - Returns: whether the next pass must not wait to be woken.
  func pass(_ clock: inout RecordingClock) -> Bool {
    let wish = recorder.wish.withLock { $0 }
    history.setRoom(
      Int(min(max(0, wish.settings.before), RecorderSettings.mostBefore) * Double(recorder.sampleRate)))
    // Read before the marks, too: what the audio thread did before it obeyed is then seen below.
    let obeyed = store.obeyed
    while true {
      if records, isOver { beginAgain(&clock) }
      // Read before the marks: every mark of these frames is then there.
      var limit = min(store.waiting, Self.piece)
      if let mark = store.mark {
        if mark.place <= store.taken {
          store.popMark()
          obey(mark, wish.settings, &clock)
          continue
        }
        limit = min(limit, mark.place - store.taken)
      }
      let count = store.take(into: block, limit: limit)
      if count == 0 { break }
      put(frames: count, wish.settings)
    }
    if store.lost != lost {
      lost = store.lost
      recorder.tell(.lost(frames: lost))
    }
    if wish.prepareSerial > preparedSerial, obeyed >= wish.prepareSerial {
      preparedSerial = wish.prepareSerial
      recorder.tell(.prepared)
    }
    finishIfAsked(wish, obeyed: obeyed)
    // The last word of a recording that ends is `finished`. The order to end may be newer than this pass.
    if !recorder.wish.withLock({ $0.isStopping }) { tellRest() }
    return wish.order.records || wish.order.listens || store.waiting > 0 || file != nil
      || store.obeyed < wish.order.serial
  }

  private func obey(_ mark: TapMark, _ settings: RecorderSettings, _ clock: inout RecordingClock) {
    switch mark.kind {
    case .begin:
      endFormerFile()
      (records, isOver) = (true, false)
      beginning = (mark.place, mark.number)
      guard file == nil else {
        tellRest()
        return recorder.tell(.resumed(frame: mark.number))
      }
      open(settings, frame: mark.number, &clock)
    case .end:
      records = false
      if let file { rest = seconds(of: file) }
    default:
      if records, !isOver {
        attempt { file throws(MediaError) in try file.writeSilence(frames: mark.number) }
      } else {
        history.addSilence(frames: mark.number)
      }
    }
  }

  /// Finishes the file that an order has ended, if a newer one begins another file before this thread came to that.
  private func endFormerFile() {
    let wish = recorder.wish.withLock { $0 }
    guard wish.isStopping, wish.order.records else { return }
    finish()
    recorder.wish.withLock { $0.stopSerial = 0 }
  }

  /// Begins a file for an order to record that took the place of the order to end, which followed the failure of the file before or its limit.
  /// The audio thread has never seen that one, so no mark tells of the beginning.
  private func beginAgain(_ clock: inout RecordingClock) {
    let (wish, obeyed) = (recorder.wish.withLock { $0 }, store.obeyed)
    guard wish.order.records, wish.order.serial > overSerial, obeyed >= wish.order.serial else { return }
    isOver = false
    recorder.wish.withLock { if $0.stopSerial < wish.order.serial { $0.stopSerial = 0 } }
    open(wish.settings, frame: beginning.frame + store.taken - beginning.place, &clock)
  }

  private func open(_ settings: RecorderSettings, frame: Int, _ clock: inout RecordingClock) {
    let rate = Double(recorder.sampleRate)
    let begun = clock.seconds(of: frame, age: Double(store.waiting) / rate, rate: recorder.sampleRate)
    let start = begun - Double(history.count) / rate
    do throws(MediaError) {
      let made = try RecordingFile(
        recorder: recorder.id, settings, channels: store.channelCount, planRate: recorder.sampleRate,
        start: start, written: recorder.written)
      file = made
      recorder.wish.withLock { ($0.path, $0.frames) = (made.path, 0) }
      recorder.tell(.started(path: made.path, frame: frame))
    } catch {
      markOver()
      recorder.tell(.failed(error))
      return
    }
    for piece in history.take() {
      piece.withUnsafeBufferPointer { samples in
        guard let first = samples.baseAddress else { return }
        write(first, frames: samples.count / store.channelCount, settings)
      }
    }
  }

  private func put(frames: Int, _ settings: RecorderSettings) {
    guard records else { return history.add(block, frames: frames) }
    write(block, frames: frames, settings)
  }

  private func write(_ samples: UnsafePointer<Float>, frames: Int, _ settings: RecorderSettings) {
    guard !isOver, let file else { return }
    let most = settings.limit.map { Int(($0 * Double(recorder.sampleRate)).rounded()) } ?? .max
    let count = max(0, min(frames, most - file.frames))
    attempt { file throws(MediaError) in try file.write(samples, frames: count) }
    if !isOver, file.frames >= most { finish(.limit) }
  }

  /// Writes, and ends the recording if that fails.
  private func attempt(_ body: (RecordingFile) throws(MediaError) -> Void) {
    guard let file else { return }
    do throws(MediaError) { try body(file) } catch {
      finish(.failed(error))
      return
    }
    recorder.wish.withLock { $0.frames = file.frames }
  }

  /// Tells of a pause, once.
  private func tellRest() {
    if let rest { recorder.tell(.paused(seconds: rest)) }
    rest = nil
  }

  /// Finishes the file, if there is one.
  private func finish(_ end: RecordingEnd = .stopped) {
    guard let file else { return }
    self.file = nil
    rest = nil
    markOver()
    var end = end
    do throws(MediaError) { try file.close() } catch {
      if case .failed = end {} else { end = .failed(error) }
    }
    recorder.wish.withLock { ($0.path, $0.stopSerial) = (nil, 0) }
    recorder.tell(.finished(path: file.path, seconds: seconds(of: file), end))
  }

  private func markOver() { (isOver, overSerial) = (true, recorder.wish.withLock { $0.order.serial }) }

  private func seconds(of file: RecordingFile) -> Double {
    Double(file.frames) / Double(recorder.sampleRate)
  }

  private func finishIfAsked(_ wish: RecorderWish, obeyed: Int) {
    guard wish.isStopping, file != nil else { return }
    if stopAsked?.serial != wish.stopSerial { stopAsked = (wish.stopSerial, MonotonicTime.now) }
    // The audio thread never saw the order to end, because an order to record took its place: the file goes on.
    if records, wish.order.records, obeyed >= wish.order.serial {
      return recorder.wish.withLock { if $0.order.serial == wish.order.serial { $0.stopSerial = 0 } }
    }
    let isObeyed = obeyed >= wish.stopSerial && !records
    guard isObeyed || MonotonicTime.now - (stopAsked?.since ?? 0) > Self.patience else { return }
    finish()
  }

  /// Finishes the file at the end of the recorder.
  func end() {
    var clock = RecordingClock()
    _ = pass(&clock)
    finish()
  }
}
