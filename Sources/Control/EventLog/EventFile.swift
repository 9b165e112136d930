import Synchronization
public import Writers

/// The file of `--events`, with every notification as a line of JSON.
///
/// A full or stuck disk, or a FIFO without a reader, loses lines but blocks nothing else. The first lost line is reported at
/// once. The number of lost lines is reported when the file can be written again. If the file was rotated, replaced or deleted, the next line
/// goes into a new file of that name.
public final class EventFile: Sendable {
  private let writer: LineWriter
  private let trouble: FileTrouble

  /// Seconds after which a write that has not returned is reported.
  private static let patience = 5.0

  /// Opens the file or creates it. A FIFO must have a reader.
  ///
  /// - Parameters:
  ///   - room: the size of the queue, in bytes of lines.
  ///   - tell: receives a message for the user on any thread; it must not wait.
  /// - Throws: `LineFileError`.
  public init(
    path: String, room: Int = 1 << 20, tell: @escaping @Sendable (String) -> Void
  ) throws(LineFileError) {
    let file = Mutex(try LineFile(path: path))
    let trouble = FileTrouble(path: path, tell: tell)
    self.trouble = trouble
    writer = LineWriter(name: "mr-events", room: room) { entry in
      switch entry {
      case .dropped(let count): trouble.noteGap(of: count)
      case .line(let line):
        do throws(LineFileError) {
          try Self.present(file, path).append(line)
          trouble.noteWritten()
        } catch {
          trouble.noteFailed(error)
        }
      }
    }
  }

  /// The file that has the path now. While a new one cannot be made, lines go on into one that was only renamed.
  private static func present(_ file: borrowing Mutex<LineFile>, _ path: String) throws(LineFileError)
    -> LineFile
  {
    let former = file.withLock { $0 }
    let names = former.names(at: path)
    guard !names.isThere else { return former }
    do throws(LineFileError) {
      let next = try LineFile(path: path)
      file.withLock { $0 = next }
      return next
    } catch {
      guard names.isAnywhere else { throw error }
      return former
    }
  }

  /// Appends a line. Any thread may call; the call never waits.
  func append(_ line: String) {
    if !writer.post(line) { trouble.noteDropped() }
    if writer.secondsInWrite > Self.patience { trouble.noteStalled() }
  }

  /// Writes the waiting lines, for at most `seconds`.
  public func finish(within seconds: Double) { writer.finish(within: seconds) }
}
