import SoundFiles
import Synchronization
import SystemCalls
import Threads

/// Records the sound that a simulated device receives into a WAV file of 32-bit floats. A thread of its own writes the file.
///
/// Only the thread that owns the device may use it.
public final class Recording {
  /// The length of a recording, and the frames that are missing in it.
  public struct Report: Hashable, Sendable {
    public var path: String
    /// Frames in the file.
    public var frames: Int
    /// Number of frames lost because the disk was too slow; 0 means that no sample is missing.
    public var dropped: Int
    /// How often the server's time jumped, because the server skipped frames or the device was unplugged for a while.
    public var jumps: Int
    /// Where the server's time jumped, for the first 16,384 times.
    public var clockJumps: [ClockJump]
    /// The server's frame time of the first frame, 0 if there is none.
    public var startTime: UInt32
  }

  private let listener: Listener
  private let path: String
  private let work: DiskWork
  private let thread: OwnThread
  private var isStopped = false

  /// Starts to record all playback channels of a device at the next period.
  ///
  /// - Parameter room: number of frames that may wait for the disk. If the server freewheels, make it as long as the recording.
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`, `media`.
  public init(_ client: SimulatedClient, path: String, room: Int = 1 << 18) throws(StageError) {
    guard let rate = client.sampleRate else { throw .notPlugged(client.name) }
    let writer: SoundFileWriter
    do throws(MediaError) {
      writer = try SoundFileWriter(
        path: path, channelCount: client.layout.inputs.count, sampleRate: rate)
    } catch {
      throw .media(error)
    }
    listener = try Listener(client, room: room)
    self.path = path
    work = DiskWork(listener: listener, writer: writer)
    thread = OwnThread("stage-disk", work.run)
  }

  deinit { finish() }

  private func finish() {
    guard !isStopped else { return }
    isStopped = true
    listener.stop()
    work.isStopping.store(true, ordering: .releasing)
    thread.join()
  }

  /// Ends the recording and finishes the file.
  ///
  /// - Throws: `StageError.media` if a part could not be written.
  public func stop() throws(StageError) -> Report {
    finish()
    if let error = work.error { throw .media(error) }
    return Report(
      path: path, frames: work.frames, dropped: listener.dropped, jumps: listener.jumps,
      clockJumps: listener.clockJumps, startTime: listener.startTime ?? 0)
  }
}

/// The state of the disk thread.
///
/// Unchecked: the owner reads the results only after the thread has ended.
private final class DiskWork: @unchecked Sendable {
  let listener: Listener
  let writer: SoundFileWriter
  let isStopping = Atomic<Bool>(false)
  var frames = 0
  var error: MediaError?

  init(listener: Listener, writer: SoundFileWriter) { (self.listener, self.writer) = (listener, writer) }

  func run() {
    while true {
      // Read before the ring is read, so that all frames from before the stop are written.
      let isLast = isStopping.load(ordering: .acquiring)
      let samples = listener.take()
      if !samples.isEmpty { write(samples) }
      if samples.isEmpty {
        if isLast { break }
        System.sleep(seconds: 0.002)
      }
    }
    do throws(MediaError) { try writer.close() } catch { self.error = self.error ?? error }
  }

  private func write(_ samples: [Float]) {
    guard error == nil else { return }
    do throws(MediaError) {
      try writer.write(interleaved: samples[...])
      frames += samples.count / listener.channelCount
    } catch {
      self.error = error
    }
  }
}
