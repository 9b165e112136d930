import MediaFolders
import Playlists
import SoundFiles
import SystemCalls
import Tags

/// Opens a file and reads what the library keeps of it.
enum FileReading {
  /// What a file is.
  enum Content {
    case song(FileTags)
    case playlist(title: String, lines: Int)
    /// It cannot be used; the reason is the end of a sentence.
    case unusable(String)
  }

  /// - Throws: if the library of tags is missing: songs would be kept without their tags, and not be read again.
  static func content(of file: FoundFile) throws(DatabaseError) -> Content {
    if let problem = file.problem { return .unusable(problem) }
    return MediaFile.Kind.isPlaylist(file.name) ? playlist(file) : try song(file)
  }

  private static func playlist(_ file: FoundFile) -> Content {
    do throws(SystemError) {
      let playlist = Playlist(try WholeFile.document(file.path, limit: PlaylistFile.largest))
      let stem = file.name.lastIndex(of: ".").map { String(file.name[..<$0]) } ?? file.name
      return .playlist(title: playlist.title ?? stem, lines: playlist.entries.count)
    } catch {
      return .unusable("it cannot be read: \(error.reason)")
    }
  }

  private static func song(_ file: FoundFile) throws(DatabaseError) -> Content {
    let descriptor: Int32
    // Another program may have put something else there meanwhile.
    do throws(SystemError) { descriptor = try System.open(file.path, [.nonblocking, .noLink]) } catch {
      return .unusable("it cannot be opened: \(error.reason)")
    }
    defer { System.close(descriptor) }
    guard (try? System.fstat(descriptor))?.kind == .file else { return .unusable("it is no file") }
    do throws(TagError) {
      var tags = try TagReader.tags(of: descriptor)
      if let seconds = chainedSeconds(file) { tags.seconds = seconds }
      return .song(tags)
    } catch {
      if case .missing(let missing) = error { throw DatabaseError(code: -3, text: missing.description) }
      return withoutTags(file, error)
    }
  }

  /// The length of an Ogg file of several links, of which the library of tags counts one; nil for any other file.
  private static func chainedSeconds(_ file: FoundFile) -> Double? {
    guard [".ogg", ".oga", ".opus"].contains(where: { file.name.lowercased().hasSuffix($0) }),
      let reader = try? SoundFileReader(path: file.path), reader.isChained
    else { return nil }
    return seconds(reader)
  }

  /// The length that a file declares; 0 if it declares none.
  private static func seconds(_ reader: SoundFileReader) -> Double {
    Double(reader.length ?? 0) / Double(reader.sampleRate)
  }

  /// A format without tags, or one whose tags are damaged, may still be a sound.
  private static func withoutTags(_ file: FoundFile, _ failure: TagError) -> Content {
    do throws(MediaError) {
      let reader = try SoundFileReader(path: file.path)
      var tags = FileTags()
      tags.seconds = seconds(reader)
      return .song(tags)
    } catch {
      return .unusable(failure == .unknown ? error.reason : failure.description)
    }
  }
}
