import Synchronization
import Threads

/// A file on its way to a client. Only the thread of the web server uses it.
final class WebDownload {
  let file: WebFile
  /// When the download must have ended, in seconds of the monotonic clock.
  let end: Double
  /// Bytes that were read and not yet sent.
  private var ahead: ArraySlice<UInt8> = []
  private var readCount = 0
  private(set) var isReading = false
  private(set) var hasFailed = false

  /// Bytes that are read at once.
  private static let mostAhead = 1 << 18

  init(_ file: WebFile, end: Double) { (self.file, self.end) = (file, end) }

  /// The next bytes to send; nil while none were read.
  func next(most: Int) -> ArraySlice<UInt8>? {
    guard !ahead.isEmpty else { return nil }
    defer { ahead = ahead.dropFirst(most) }
    return ahead.prefix(most)
  }

  /// Begins to read what comes next, unless that has begun.
  func read(with reader: WebFileReader, _ done: @escaping @Sendable ([UInt8]?) -> Void) {
    guard !isReading else { return }
    isReading = true
    reader.read(file, at: readCount, most: Self.mostAhead, done)
  }

  /// Takes what was read; nil if that failed.
  func take(_ bytes: [UInt8]?) {
    isReading = false
    hasFailed = bytes == nil
    ahead = (bytes ?? [])[...]
    readCount += ahead.count
  }
}

/// Reads the files of downloads on a thread of its own: a disk may hang, and the thread of the web server also serves WebSockets.
final class WebFileReader: Sendable {
  private let state = Mutex(State())
  /// Counts the reads that wait, and the end.
  private let bell = Semaphore()

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var hasThread = false
    var isEnded = false
  }

  /// Reads a part of a file. `done` is called on another thread, with nil if the part cannot be read.
  func read(_ file: WebFile, at offset: Int, most: Int, _ done: @escaping @Sendable ([UInt8]?) -> Void) {
    let mustBegin = state.withLock { state in
      state.waiting.append { done(file.read(at: offset, most: most)) }
      defer { state.hasThread = true }
      return !state.hasThread
    }
    bell.signal()
    guard mustBegin else { return }
    do throws(OwnThread.Failure) {
      // Nobody waits for its end, because a disk may hang.
      try OwnThread.start("mr-download") { [self] in while let work = next() { work() } }.detach()
    } catch {
      // The time limit ends the downloads, and the next one tries again.
      state.withLock { ($0.waiting, $0.hasThread) = ([], false) }
    }
  }

  /// Waits for a read; nil at the end.
  private func next() -> (@Sendable () -> Void)? {
    while true {
      bell.wait()
      let (work, isEnded) = state.withLock {
        ($0.waiting.isEmpty ? nil : $0.waiting.removeFirst(), $0.isEnded)
      }
      if work != nil || isEnded { return work }
    }
  }

  /// Ends the thread after what it reads now.
  func end() {
    state.withLock { ($0.isEnded, $0.waiting) = (true, []) }
    bell.signal()
  }
}
