import SystemCalls

/// The media folders, and the names of the files in them.
///
/// A name is a path below a media folder, such as `Jazz/Blue in Green.flac`. Nothing outside the folders has a name: absolute paths, `..` that leads out
/// and symbolic links that lead out are refused. If two folders have a file of one name, the earlier folder wins. Every call looks at the disk
/// again and may block on it; any thread may call.
public struct MediaFolders: Equatable, Sendable {
  /// The paths of the folders in the order of the search. A folder may be missing for a while, such as one on a USB stick.
  public let paths: [String]
  /// The folder that is made when a file is to be made in it; nil for none.
  let own: String?

  /// - Parameters:
  ///   - paths: absolute, or relative to the working folder; a path that occurs twice counts once.
  ///   - own: the user's own folder, which is made when a file is to be made in it. No other one is made: it may be on a disk that is away.
  public init(_ paths: [String], own: String? = nil) {
    var seen: Set<String> = []
    self.own = own
    self.paths = paths.filter { seen.insert($0).inserted }
  }

  /// Finds what a name means: a sound file, a playlist, or a folder. An empty name or `.` is the first media folder.
  ///
  /// - Throws: `MediaNameError` if the name leads out of the media folders, or if there is nothing of that name.
  public func find(_ name: String) throws(MediaNameError) -> MediaFile {
    let clean = try Self.normalized(name)
    for index in paths.indices {
      guard let root = try? System.realpath(paths[index]) else { continue }
      let path: String
      do throws(SystemError) {
        path = try System.realpath(clean.isEmpty ? root : "\(root)/\(clean)")
      } catch {
        switch error.number {
        case .noSuchFile, .notFolder: continue
        case .tooManyLinks: throw .linkLoop(name)
        case .nameTooLong: throw .missing(name, in: paths)
        default: throw .unreadable(name, reason: error.reason)
        }
      }
      guard let file = try file(at: path, name) else { throw .linkOut(name, target: path) }
      return file
    }
    throw .missing(name, in: paths)
  }

  /// The sound files in a folder and in the folders below, in no order, as they are on the disk now. Hidden files are left out.
  public func sounds(below folder: MediaFile, atMost most: Int) -> [MediaFile] {
    var (found, waiting) = ([MediaFile](), [folder])
    var seen: Set<String> = [folder.path]
    while let next = waiting.popLast(), found.count < most {
      for name in (try? System.readdir(next.path)) ?? [] where !name.hasPrefix(".") {
        guard let file = try? find(next.name.isEmpty ? name : "\(next.name)/\(name)") else { continue }
        switch file.kind {
        case .sound: if MediaFile.Kind.isSound(file.name), found.count < most { found.append(file) }
        // A link to a folder above would lead round and round.
        case .folder: if seen.insert(file.path).inserted { waiting.append(file) }
        case .playlist: break
        }
      }
    }
    return found
  }

  /// The file at a path without links and dots; nil if the path is outside all media folders.
  private func file(at path: String, _ name: String) throws(MediaNameError) -> MediaFile? {
    for index in paths.indices {
      guard let root = try? System.realpath(paths[index]) else { continue }
      guard path == root || path.hasPrefix(root == "/" ? root : root + "/") else { continue }
      let status: FileStatus
      do throws(SystemError) { status = try System.stat(path) } catch {
        throw .unreadable(name, reason: error.reason)
      }
      guard let kind = MediaFile.Kind(path, status.kind) else { throw .special(name) }
      let below = path.dropFirst(root.count).drop { $0 == "/" }
      return MediaFile(folder: index, name: String(below), path: path, kind: kind)
    }
    return nil
  }

  /// A name without empty parts, `.` and `..`.
  /// - Throws: `MediaNameError` if it is absolute or leads out.
  public static func normalized(_ name: String) throws(MediaNameError) -> String {
    guard !name.hasPrefix("/"), !name.hasPrefix("~/") else { throw .absolute(name) }
    guard !name.utf8.contains(0) else { throw .missing(name, in: []) }
    var parts: [Substring] = []
    for part in name.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        throw .leavesFolder(name)
      }
    }
    return parts.joined(separator: "/")
  }
}
