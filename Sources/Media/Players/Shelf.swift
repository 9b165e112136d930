import SoundFiles
import Synchronization

/// The open files of a player that no deck reads now. A seek needs a second reader of a file, and finds it here the next time.
final class Shelf: Sendable {
  enum Answer {
    case ready(SoundFileReader)
    /// The file is being opened; the reader thread is woken when it is there.
    case opening
    case failed(MediaError)
  }

  private enum Entry: Sendable {
    case opening
    case opened(MediaOpener.Opened)
    case failed(MediaError)
  }

  private let entries = Mutex<[String: Entry]>([:])
  private let opener: MediaOpener.Requests
  private let wake: @Sendable () -> Void

  init(_ opener: MediaOpener.Requests, wake: @escaping @Sendable () -> Void) {
    (self.opener, self.wake) = (opener, wake)
  }

  /// Takes a reader of a file; asks for one if there is none.
  func take(_ path: String) -> Answer {
    let answer: Answer? = entries.withLock { entries in
      switch entries[path] {
      case nil:
        entries[path] = .opening
        return nil
      case .opening: return .opening
      case .opened(let opened):
        entries[path] = nil
        // What has the name now is what shall be played.
        if opened.reader.successor == nil { return .ready(opened.reader) }
        entries[path] = .opening
        return nil
      case .failed(let error):
        entries[path] = nil
        return .failed(error)
      }
    }
    if let answer { return answer }
    opener.open(path) { [weak self] result in
      guard let self else { return }
      entries.withLock { entries in
        // A shelf that was cleared meanwhile does not keep the file.
        guard case .opening = entries[path] else { return }
        switch result {
        case .success(let opened): entries[path] = .opened(opened)
        case .failure(let error): entries[path] = .failed(error)
        }
      }
      wake()
    }
    return .opening
  }

  /// Whether a file is being opened.
  var isOpening: Bool {
    entries.withLock { $0.values.contains { if case .opening = $0 { true } else { false } } }
  }

  /// Puts a reader back. One for each file is kept.
  func putBack(_ reader: SoundFileReader, _ path: String) {
    let opened = MediaOpener.Opened(reader)
    entries.withLock { entries in if entries[path] == nil { entries[path] = .opened(opened) } }
  }

  /// Closes all files, but those of some paths.
  func clear(but paths: Set<String> = []) {
    entries.withLock { entries in entries = entries.filter { paths.contains($0.key) } }
  }
}
