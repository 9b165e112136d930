import Glibc
import Media
import Synchronization
import Threads

/// Writes what a simulated device receives into a WAV of 32-bit floats, by a disk thread of its own.
///
/// Belongs to the thread that owns the device.
public final class Recording {
  /// What a recording holds and what it lacks.
  public struct Report: Hashable, Sendable {
    public var path: String
    /// Frames in the file.
    public var frames: Int
    /// Frames lost because the disk was too slow; 0 means that no sample is missing.
    public var dropped: Int
    /// How often the server's time jumped: it left out frames, or the device was unplugged for a while.
    public var jumps: Int
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
  /// - Parameter room: frames that may wait for the disk; make it as long as the recording if the server freewheels.
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
  /// - Throws: `StageError.media` if something could not be written.
  public func stop() throws(StageError) -> Report {
    finish()
    if let error = work.error { throw .media(error) }
    return Report(
      path: path, frames: work.frames, dropped: listener.dropped, jumps: listener.jumps,
      startTime: listener.startTime ?? 0)
  }
}

/// What the disk thread works on.
///
/// Unchecked: the owner reads the results after the thread has ended.
private final class DiskWork: @unchecked Sendable {
  let listener: Listener
  let writer: SoundFileWriter
  let isStopping = Atomic<Bool>(false)
  var frames = 0
  var error: MediaError?

  init(listener: Listener, writer: SoundFileWriter) { (self.listener, self.writer) = (listener, writer) }

  func run() {
    while true {
      // Asked before the look at the ring: what came before the stop is then always taken.
      let isLast = isStopping.load(ordering: .acquiring)
      let samples = listener.take()
      if !samples.isEmpty { write(samples) }
      if samples.isEmpty {
        if isLast { break }
        usleep(2_000)
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
