import SystemCalls

extension MediaFolders {
  /// The path of a new file. A name without a folder means the first media folder; the folder of any other name must exist.
  ///
  /// - Throws: `MediaNameError` if the name leads out of the media folders, or has no folder, or if it is taken.
  public func place(of name: String) throws(MediaNameError) -> String {
    let clean = try Self.normalized(name)
    let slash = clean.lastIndex(of: "/")
    let last = clean[(slash.map(clean.index(after:)) ?? clean.startIndex)...]
    guard !last.isEmpty, !name.hasSuffix("/"), !name.hasSuffix("/.") else { throw .folder(name) }
    guard !last.hasPrefix(".") else { throw .hidden(name) }
    let folder = try folder(slash.map { String(clean[..<$0]) } ?? "", of: name)
    // A file of an earlier folder would hide a new one of its name, and one of a later folder would be hidden.
    guard !isTaken(clean) else { throw .taken(name, free: free(clean)) }
    return "\(folder)/\(last)"
  }

  private func folder(_ name: String, of file: String) throws(MediaNameError) -> String {
    guard name.isEmpty else {
      let found: MediaFile
      do throws(MediaNameError) { found = try find(name) } catch {
        guard error.isMissing else { throw error }
        throw .noFolder(file, folder: name, in: paths)
      }
      guard found.kind == .folder else { throw .noFolder(file, folder: name, in: paths) }
      return found.path
    }
    guard let first = paths.first else { throw .missing(file, in: []) }
    if first == own { try? System.makeFolders(first, permissions: 0o700) }
    guard let root = try? System.realpath(first) else { throw .noFolder(file, folder: first, in: []) }
    return root
  }

  /// Whether a folder has anything of a name, be it a link that leads nowhere.
  private func isTaken(_ name: String) -> Bool {
    paths.contains { (try? System.lstat("\($0)/\(name)")) != nil }
  }

  /// The first name like this one that is free, such as `Blue-2.flac`; nil if a hundred are taken.
  private func free(_ name: String) -> String? {
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    let dot = name[start...].lastIndex(of: ".") ?? name.endIndex
    return (2...100).lazy.map { "\(name[..<dot])-\($0)\(name[dot...])" }.first { !isTaken($0) }
  }
}
