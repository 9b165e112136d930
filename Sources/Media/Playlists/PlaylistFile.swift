public import MediaFolders
import SystemCalls

/// Reads, expands and writes the playlists in the media folders. Blocks on the disk; any thread may call.
public struct PlaylistFile: Sendable {
  public let folders: MediaFolders

  public init(in folders: MediaFolders) { self.folders = folders }

  /// The greatest size of a playlist's file in bytes, the most files that one playlist may mean, and how deep playlists may name playlists.
  public static let (largest, longest, deepest) = (4 << 20, 10_000, 8)

  /// What a playlist means.
  public struct Content: Equatable, Sendable {
    /// The sound files in order. A file may occur several times.
    public var files: [MediaFile] = []
    /// Lines that mean no file, each with the reason; the rest of the list counts.
    public var problems: [PlaylistProblem] = []
  }

  /// Reads a playlist by its name, and the playlists and folders that it names.
  ///
  /// - Throws: `PlaylistProblem` if the playlist itself cannot be read.
  public func content(of name: String) throws(PlaylistProblem) -> Content {
    let file: MediaFile
    do throws(MediaNameError) { file = try folders.find(name) } catch {
      throw PlaylistProblem(playlist: name, reason: error.description)
    }
    var content = Content()
    try add(file, to: &content, within: [])
    return content
  }

  /// Reads a playlist as it is written.
  public func read(_ file: MediaFile) throws(PlaylistProblem) -> Playlist {
    do throws(SystemError) {
      return Playlist(try WholeFile.document(file.path, limit: Self.largest))
    } catch {
      throw PlaylistProblem(playlist: file.name, reason: "it cannot be read: \(error.reason)")
    }
  }

  /// Adds what a playlist names. `chain` has the playlists on the way to this one.
  private func add(
    _ file: MediaFile, to content: inout Content, within chain: [MediaFile]
  ) throws(PlaylistProblem) {
    let folder = file.name.lastIndex(of: "/").map { String(file.name[..<$0]) } ?? ""
    for entry in try read(file).entries {
      guard content.files.count < Self.longest else {
        content.problems.append(
          PlaylistProblem(
            playlist: file.name, line: entry.path, reason: "only the first \(Self.longest) files are taken"))
        return
      }
      do throws(PlaylistProblem) {
        let found = try find(entry.path, in: folder, of: file)
        switch found.kind {
        case .sound: content.files.append(found)
        case .folder:
          throw PlaylistProblem(
            playlist: file.name, line: entry.path,
            reason: "it is a folder; a playlist names files and playlists")
        case .playlist:
          let chain = chain + [file]
          if let index = chain.firstIndex(of: found) {
            let way = (chain[index...] + [found]).map(\.name).joined(separator: " names ")
            throw PlaylistProblem(
              playlist: file.name, line: entry.path, reason: "it would never end: \(way)")
          }
          guard chain.count < Self.deepest else {
            throw PlaylistProblem(
              playlist: file.name, line: entry.path,
              reason: "playlists may name each other at most \(Self.deepest) deep")
          }
          try add(found, to: &content, within: chain)
        }
      } catch { content.problems.append(error) }
    }
  }

  /// Finds what a line means. A path of Windows, with backslashes, is understood if no file has that name.
  private func find(
    _ path: String, in folder: String, of file: MediaFile
  ) throws(PlaylistProblem) -> MediaFile {
    func refused(_ reason: String) -> PlaylistProblem {
      PlaylistProblem(playlist: file.name, line: path, reason: reason)
    }
    if path.firstRange(of: "://") != nil {
      throw refused("it is an address; only files in the media folders can be played")
    }
    var failure: MediaNameError?
    for candidate in path.contains("\\") ? [path, String(path.map { $0 == "\\" ? "/" : $0 })] : [path] {
      do throws(MediaNameError) {
        guard !candidate.hasPrefix("/") else { throw MediaNameError.absolute(path) }
        let found = try folders.find(folder.isEmpty ? candidate : "\(folder)/\(candidate)")
        return found
      } catch { failure = failure ?? error }
    }
    throw refused(failure?.description ?? "")
  }

  /// Writes a playlist of files into a media folder; replaces one of that name in one step.
  ///
  /// - Parameters:
  ///   - name: such as `Walk-in.m3u8`, below the first media folder; its folder must exist.
  ///   - entries: names below the media folders, with what `#EXTINF` shall say.
  /// - Throws: `PlaylistProblem` with the name or entry that is refused.
  public func write(_ name: String, title: String?, _ entries: [Playlist.Entry]) throws(PlaylistProblem) {
    func refused(_ line: String?, _ reason: String) -> PlaylistProblem {
      PlaylistProblem(playlist: name, line: line, reason: reason)
    }
    guard name.hasSuffix(".m3u8") else { throw refused(nil, "the name of a playlist ends in .m3u8") }
    let clean: String
    do throws(MediaNameError) { clean = try MediaFolders.normalized(name) } catch {
      throw refused(nil, error.description)
    }
    let slash = clean.lastIndex(of: "/")
    let parent = slash.map { String(clean[..<$0]) } ?? ""
    let last = slash.map { String(clean[clean.index(after: $0)...]) } ?? clean
    let folder: MediaFile
    do throws(MediaNameError) { folder = try folders.find(parent) } catch {
      throw refused(nil, error.description)
    }
    guard folder.kind == .folder else { throw refused(nil, "\(parent) is no folder") }
    var playlist = Playlist(title: title)
    for entry in entries {
      let file: MediaFile
      do throws(MediaNameError) { file = try folders.find(entry.path) } catch {
        throw refused(entry.path, error.description)
      }
      guard file.folder == folder.folder else {
        throw refused(entry.path, "it is in another media folder than the playlist")
      }
      let path = Self.relative(file.name, to: folder.name)
      guard Playlist.canHold(path) else { throw refused(entry.path, "a playlist cannot hold such a name") }
      playlist.entries.append(.init(path, title: entry.title, seconds: entry.seconds))
    }
    do throws(SystemError) {
      try WholeFile.replace("\(folder.path)/\(last)", with: Array(playlist.text.utf8), permissions: 0o644)
    } catch {
      throw refused(nil, "it cannot be written: \(error.reason)")
    }
  }

  /// The path from a folder to a file, both below one media folder.
  private static func relative(_ name: String, to folder: String) -> String {
    let (parts, base) = (name.split(separator: "/"), folder.split(separator: "/"))
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    return (base.dropFirst(shared).map { _ in ".." } + parts.dropFirst(shared)).joined(separator: "/")
  }
}
