public import MediaKernel
import Synchronization

/// Records what a plan gives to its tap into sound files, one after another.
///
/// The owner (the router) puts `store` and the newest order into its plan; the audio thread obeys the order and writes the frames there. The
/// writer thread (`RecorderWriter`) takes them to the disk. Any thread but the audio thread may call every function; none waits for the disk.
/// Errors come as events.
public final class Recorder: Sendable {
  /// The audio thread's way to the recorder.
  public let store: RecorderTapStore
  /// Part of the names of files.
  public let id: String
  /// Of the plan, in Hz.
  public let sampleRate: Int
  /// Counts the bytes of its files.
  public let written: WrittenBytes
  let wish: Mutex<RecorderWish>
  let tell: @Sendable (RecorderEvent) -> Void
  private let writer: RecorderWriter.Recorders

  /// Seconds for which the audio thread and a slow disk are independent of each other.
  public static let ringSeconds = 5

  /// Makes a recorder, which takes about 10 kB until it is prepared.
  ///
  /// - Parameters:
  ///   - channels: 1 to 64.
  ///   - sampleRate: of the plan, in Hz. A server with another rate needs new recorders.
  ///   - written: counts the bytes of its files; those of a recorder that it takes the place of go on.
  ///   - tell: called on the writer thread; it must not wait.
  public init(
    _ writer: RecorderWriter, id: String, channels: Int, sampleRate: Int, settings: RecorderSettings,
    written: WrittenBytes = WrittenBytes(), tell: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    store = RecorderTapStore(channels: channels)
    (self.writer, self.id, self.sampleRate, self.tell) = (writer.recorders, id, sampleRate, tell)
    self.written = written
    wish = Mutex(RecorderWish(settings: settings))
    self.writer.add(self)
  }

  /// Finishes the file and takes the recorder off the writer thread. The owner takes it out of its plans first.
  public func close() { writer.remove(self) }

  /// How it records; a change holds from the next file on.
  public var settings: RecorderSettings {
    get { wish.withLock { $0.settings } }
    set {
      wish.withLock { $0.settings = newValue }
      writer.wake()
    }
  }

  // MARK: Transport

  /// Gets ready. If the file shall begin with what was heard before, the tap listens from now on.
  ///
  /// - Returns: the order for the plan.
  public func prepare() -> TapOrder {
    order(prepares: true) {
      $0.order = TapOrder(listens: $0.settings.before > 0, records: $0.order.records)
    }
  }

  /// Begins a file, or goes on after a pause, with the first frame of the period that gets the order.
  ///
  /// - Parameter time: the frame at which it shall begin, in the count of the plan's periods.
  /// - Returns: the order for the plan. Orders of one plan take effect on one frame.
  public func record(at time: Int = DeckOrder.now) -> TapOrder {
    order { $0.order = TapOrder(listens: true, records: true, time: time) }
  }

  /// Leaves out what comes until the next `record`, which goes on in the same file.
  public func pause() -> TapOrder { order { $0.order = TapOrder(listens: false, records: false) } }

  /// Ends the file.
  public func stop() -> TapOrder {
    order(ends: true) { wish in
      wish.order = TapOrder(listens: wish.settings.before > 0, records: false)
    }
  }

  private func order(
    ends: Bool = false, prepares: Bool = false, _ body: (inout RecorderWish) -> Void
  ) -> TapOrder {
    defer { writer.wake() }
    return wish.withLock { wish in
      store.makeRing(frames: sampleRate * Self.ringSeconds)
      let serial = wish.order.serial + 1
      body(&wish)
      wish.order.serial = serial
      if ends { wish.stopSerial = serial }
      if prepares { wish.prepareSerial = serial }
      return wish.order
    }
  }

  // MARK: What it does

  /// The newest order.
  public var order: TapOrder { wish.withLock { $0.order } }
  /// Whether it was told to record.
  public var isRecording: Bool { wish.withLock { $0.order.records } }
  /// The file that is written; nil for none.
  public var path: String? { wish.withLock { $0.path } }
  /// Seconds in the present file.
  public var time: Double { wish.withLock { Double($0.frames) / Double(sampleRate) } }
  /// Seconds that wait for the disk.
  public var buffered: Double { Double(store.waiting) / Double(sampleRate) }
  /// Frames of recordings for which silence stands, since the disk was too slow.
  public var lost: Int { store.lost }
}
