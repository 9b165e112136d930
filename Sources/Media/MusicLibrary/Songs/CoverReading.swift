import MediaFolders
import SystemCalls
import Tags

/// Finds the cover of a sound file.
enum CoverReading {
  static func cover(of file: MediaFile, in folders: MediaFolders) -> CoverPicture? {
    if let descriptor = try? System.open(file.path, [.nonblocking, .noLink]) {
      defer { System.close(descriptor) }
      if let cover = (try? TagReader.cover(of: descriptor)) ?? nil { return cover }
    }
    let folder = WholeFile.folder(of: file.path)
    for name in (try? System.readdir(folder)) ?? [] {
      let parts = name.lowercased().split(separator: ".")
      guard parts.count == 2, names.contains(String(parts[0])), let type = types[String(parts[1])] else {
        continue
      }
      // A link could lead out of the media folders.
      guard (try? System.lstat("\(folder)/\(name)"))?.kind == .file else { continue }
      if let bytes = try? WholeFile.document("\(folder)/\(name)", limit: Int(TagReader.budget)) {
        return CoverPicture(type: type, bytes: bytes)
      }
    }
    return nil
  }

  private static let names: Set = ["cover", "folder", "front"]
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp",
  ]
}
