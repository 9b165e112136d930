import MediaFolders
import SystemCalls
import Tags

/// Finds the cover of a sound file.
enum CoverReading {
  /// The picture in the file, or else the one beside it; nil if there is none.
  static func cover(of file: MediaFile) -> CoverPicture? {
    if let cover = embedded(in: file) { return cover }
    guard let (path, type) = picture(beside: file),
      let bytes = try? WholeFile.document(path, limit: Int(TagReader.budget))
    else { return nil }
    return CoverPicture(type: type, bytes: bytes)
  }

  /// The picture in a file; nil if there is none.
  static func embedded(in file: MediaFile) -> CoverPicture? {
    guard let descriptor = try? System.open(file.path, [.nonblocking, .noLink]) else { return nil }
    defer { System.close(descriptor) }
    return (try? TagReader.cover(of: descriptor)) ?? nil
  }

  /// The picture `cover`, `folder` or `front` in the folder of a file; nil if there is none.
  static func picture(beside file: MediaFile) -> (path: String, type: String)? {
    let folder = WholeFile.folder(of: file.path)
    for name in (try? System.readdir(folder)) ?? [] {
      let parts = name.lowercased().split(separator: ".")
      guard parts.count == 2, names.contains(String(parts[0])), let type = types[String(parts[1])] else {
        continue
      }
      // A link could lead out of the media folders.
      if (try? System.lstat("\(folder)/\(name)"))?.kind == .file { return ("\(folder)/\(name)", type) }
    }
    return nil
  }

  /// The ending of the names of pictures of a type; nil for another type.
  static func ending(ofType type: String) -> String? {
    types.filter { $0.value == type }.map(\.key).min { $0.count < $1.count }
  }

  private static let names: Set = ["cover", "folder", "front"]
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp",
  ]
}
