public import MediaFolders
import SystemCalls
import Tags

/// The covers of sound files as files of pictures, for programs that show them, such as the desktop.
///
/// A picture beside the sound file is that file. One inside a sound file is written once into a cache, under a name that its bytes give, so that
/// the songs of an album share one. The oldest pictures leave the cache when it is full. Every call blocks on the disk; one thread at a time may call.
public struct CoverFiles: Sendable {
  private let folders: MediaFolders
  private let cache: String

  /// Greatest number of bytes in the cache, and of one picture.
  static let (most, largest) = (32 << 20, 8 << 20)

  /// - Parameter cache: the path of the folder of written pictures, which is made when it is needed.
  public init(_ folders: MediaFolders, cache: String) { (self.folders, self.cache) = (folders, cache) }

  /// The path of the picture for a sound file of the media folders, by the file's name; nil if there is none.
  public func path(of name: String) -> String? {
    guard let file = try? folders.find(name) else { return nil }
    guard let cover = CoverReading.embedded(in: file) else { return CoverReading.picture(beside: file)?.path }
    guard cover.bytes.count <= Self.largest, let path = path(of: cover) else { return nil }
    if System.access(path) { return path }
    makeRoom(cover.bytes.count)
    try? System.makeFolders(cache, permissions: 0o700)
    return (try? WholeFile.replace(path, with: cover.bytes, permissions: 0o600)).map { path }
  }

  /// The ending of the name is that of the picture's type; what is no picture by its type has no place.
  private func path(of cover: CoverPicture) -> String? {
    guard let ending = CoverReading.ending(ofType: cover.type) else { return nil }
    return "\(cache)/\(String(contentHash(cover.bytes), radix: 36)).\(ending)"
  }

  /// Removes the oldest pictures until there is room for another one.
  private func makeRoom(_ bytes: Int) {
    let files = ((try? System.readdir(cache)) ?? []).compactMap { name in
      (try? System.lstat("\(cache)/\(name)")).map { (path: "\(cache)/\(name)", status: $0) }
    }.sorted { $0.status.modifiedNanoseconds < $1.status.modifiedNanoseconds }
    var size = files.reduce(0) { $0 + $1.status.size }
    for file in files where size + bytes > Self.most {
      try? System.unlink(file.path)
      size -= file.status.size
    }
  }
}
