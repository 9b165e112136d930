import MediaFolders
import SystemCalls

/// A file that a scan has found in a folder.
struct FoundFile {
  /// The row of its folder, the index of the media folder, and the folder's path below that.
  var folder: FolderRow
  var name: String
  /// Its absolute path.
  var path: String
  var status: FileStatus
  /// Why it cannot be used, as the end of a sentence; nil if it is to be opened.
  var problem: String?

  /// Its name below the media folder.
  var mediaName: String { folder.path.isEmpty ? name : "\(folder.path)/\(name)" }
}

/// A folder as the database knows it.
struct FolderRow: Hashable {
  var id: Int64
  /// The index of its media folder.
  var root: Int
  /// Its path below the media folder; empty for the media folder itself.
  var path: String
}
