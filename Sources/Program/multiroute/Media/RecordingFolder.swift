import SessionModel
import SoundFiles
import SystemCalls
import WebServer

/// The folder into which recorders write. Its recordings are the plain files in it with the endings of recordings. Each call blocks on the disk.
struct RecordingFolder {
  private let path: String

  init(_ path: String) { self.path = path }

  /// A finished recording, or one that is being written.
  struct Recording: Equatable {
    var name: String
    var bytes: Int
    /// When it was written last, in seconds since 1970.
    var modified: Int
  }

  /// Whether a text can name a file of the folder: it leads into no other one, and names no hidden file.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.contains("\0") && !name.hasPrefix(".")
  }

  /// The recordings, the newest first; none while there is no folder.
  func files() throws(SystemError) -> [Recording] {
    let names: [String]
    do throws(SystemError) { names = try System.readdir(path) } catch {
      guard error.number == .noSuchFile else { throw error }
      return []
    }
    // A file may go meanwhile.
    return names.filter { Self.isName($0) && Self.type(of: $0) != nil }.compactMap { name in
      guard let status = try? System.lstat("\(path)/\(name)"), status.kind == .file else { return nil }
      return Recording(name: name, bytes: status.size, modified: status.modified)
    }.sorted { ($1.modified, $0.name) < ($0.modified, $1.name) }
  }

  /// Opens a recording for a client; nil if there is none of this name.
  func open(_ name: String) throws(SystemError) -> WebFile? {
    guard Self.isName(name), Self.type(of: name) != nil else { return nil }
    do throws(SystemError) {
      // Without waiting, so that a FIFO cannot hold up the thread.
      let descriptor = try System.open("\(path)/\(name)", [.noLink, .nonblocking])
      do throws(SystemError) {
        let status = try System.fstat(descriptor)
        if status.kind == .file { return WebFile(descriptor, size: status.size) }
        System.close(descriptor)
        return nil
      } catch {
        System.close(descriptor)
        throw error
      }
    } catch {
      guard error.number == .noSuchFile || (try? System.lstat("\(path)/\(name)"))?.kind == .link else {
        throw error
      }
      return nil
    }
  }

  /// The media type of a recording by its ending; nil for a file that no recorder writes.
  static func type(of name: String) -> String? {
    let format = SoundCoding.Format.allCases.first { name.hasSuffix(".\($0.ending)") }
    return switch format {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .opus: "audio/ogg"
    case nil: nil
    }
  }
}

extension RouterState {
  /// The recorder that writes a recording now; nil if none does.
  func writer(of name: String) -> MediaRecorder? {
    recorders.values.first { $0.facts.isOpen && $0.facts.file == name }
  }
}
