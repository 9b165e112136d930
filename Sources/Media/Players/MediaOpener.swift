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
    /// Gets the path where the file is.
    var serve: @Sendable (Result<String, MediaError>) -> Void
  }

  /// The files that wait to be opened.
  final class Requests: Sendable {
    /// Files that are looked at only wait for those that are to be played.
    private struct Waiting {
      var opens: [Request] = []
      var looks: [Request] = []

      mutating func next() -> Request? {
        if !opens.isEmpty { return opens.removeFirst() }
        return looks.isEmpty ? nil : looks.removeFirst()
      }
    }

    private let waiting = Mutex(Waiting())
    fileprivate let bell = PacedThread.Bell()

    /// Opens a file soon. `done` is called on the opener's thread.
    func open(_ path: String, _ done: @escaping @Sendable (Result<Opened, MediaError>) -> Void) {
      let request = Request(path: path) { place in
        done(
          place.flatMap { path in Result { () throws(MediaError) in Opened(try SoundFileReader(path: path)) }
          })
      }
      waiting.withLock { $0.opens.append(request) }
      bell.ring()
    }

    /// Reads soon what the header of a file says of it. `done` is called on the opener's thread.
    func look(at path: String, _ done: @escaping @Sendable (Result<ItemFacts, MediaError>) -> Void) {
      let request = Request(path: path) { place in
        done(
          place.flatMap { path in
            Result { () throws(MediaError) in ItemFacts(try SoundFileReader(path: path, depth: .header)) }
          })
      }
      waiting.withLock { $0.looks.append(request) }
      bell.ring()
    }

    fileprivate func serve(_ find: (String) throws(MediaError) -> String) -> PacedThread.Pace {
      guard let request = waiting.withLock({ $0.next() }) else { return .woken }
      request.serve(Result { () throws(MediaError) in try find(request.path) })
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
