import SessionModel

extension Folders {
  /// The file that a person means by a preset: a path if it contains `/` or ends in `.json`, else an id.
  /// - Throws: `CommandFailure` unreadableFile with the nearest id.
  public func presetPath(_ name: String) throws(CommandFailure) -> String {
    if name.contains("/") || name.hasSuffix(".json") {
      guard !Files.isFile(name) else { return name }
      // Says why: no such file, a folder, no permission.
      _ = try Files.read(name)
      return name
    }
    if let found = presets.map({ "\($0)/\(name).json" }).first(where: Files.isFile) { return found }
    let known = presetFiles.map(\.id)
    let near = NearestName.suggestion(for: name, among: known).map { "; did you mean \($0)?" }
    throw CommandFailure(
      .unreadableFile,
      "there is no preset '\(name)'\(near ?? "; multiroute presets lists what there is")",
      "Looked in \(presets.joined(separator: ", ")).")
  }

  /// Every preset there is: id and path, the user's own first; of the same id the first one counts.
  public var presetFiles: [(id: String, path: String)] {
    var seen: Set<String> = []
    return presets.flatMap { folder in
      Files.names(in: folder).filter { $0.hasSuffix(".json") }.map {
        (String($0.dropLast(5)), "\(folder)/\($0)")
      }
    }.filter { SessionID.isSlug($0.0) && seen.insert($0.0).inserted }
  }
}
