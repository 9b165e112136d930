import SoundFiles
import Synchronization
import Threads

/// Opens sound files on a thread of its own: to open a file may take a second (a long mp3 on a slow disk), in which other players need frames.
final class MediaOpener: Sendable {
  /// A file that was opened here and is read there.
  ///
  /// Unchecked: one thread has it at a time.
  final class Opened: @unchecked Sendable {
    let reader: SoundFileReader
    init(_ reader: SoundFileReader) { self.reader = reader }
  }

  private struct Request: Sendable {
    var path: String
    var done: @Sendable (Result<Opened, MediaError>) -> Void
  }

  /// The files that wait to be opened.
  final class Requests: Sendable {
    private let waiting = Mutex<[Request]>([])
    fileprivate let bell = PacedThread.Bell()

    /// Opens a file soon. `done` is called on the opener's thread.
    func open(_ path: String, _ done: @escaping @Sendable (Result<Opened, MediaError>) -> Void) {
      waiting.withLock { $0.append(Request(path: path, done: done)) }
      bell.ring()
    }

    fileprivate func serve(_ find: (String) throws(MediaError) -> String) -> PacedThread.Pace {
      guard let request = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .woken }
      do throws(MediaError) {
        request.done(.success(Opened(try SoundFileReader(path: find(request.path)))))
      } catch {
        request.done(.failure(error))
      }
      return .atOnce
    }
  }

  let requests = Requests()
  private let thread: PacedThread

  /// - Parameter find: the path of a file, for its name.
  init(_ find: @escaping @Sendable (String) throws(MediaError) -> String) {
    thread = PacedThread(name: "mr-opener", bell: requests.bell) { [requests] in requests.serve(find) }
  }

  func stop() { thread.stop() }
}
