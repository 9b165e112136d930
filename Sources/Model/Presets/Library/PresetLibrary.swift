public import JSON5
public import SessionModel
import SystemCalls

/// The presets in some folders. If two have the same id, the earlier folder wins.
///
/// Every call looks into the folders again, so presets may appear, change and disappear. For any thread; calls may block on the disk.
public struct PresetLibrary: Sendable {
  public let folders: [String]
  /// What copies of this library have read before; nil reads everything anew.
  private let memory: PresetMemory?

  /// - Parameters:
  ///   - folders: folders that do not exist are ignored.
  ///   - isRemembering: whether a preset that has not changed is neither parsed nor checked again. Then all calls of `read` must have readers with
  ///     the same law.
  public init(folders: [String], isRemembering: Bool = false) {
    self.folders = folders
    memory = isRemembering ? PresetMemory() : nil
  }

  /// A preset in the library.
  public struct Entry: Equatable, Sendable {
    public let id: PresetID
    /// The title; the id if the title cannot be read.
    public let title: String
    public let file: String
  }

  /// All presets, sorted by id with numbers in numeric order. Files whose names are not valid ids are left
  /// out.
  public func list() -> [Entry] {
    var files: [PresetID: String] = [:]
    for folder in folders {
      for name in (try? System.readdir(folder)) ?? [] where name.hasSuffix(Self.suffix) {
        guard let id = PresetID(name.dropLast(Self.suffix.count)), files[id] == nil else { continue }
        files[id] = Self.path(folder, name)
      }
    }
    let titles = memory?.titles(of: files.values, reading: Self.title) ?? [:]
    return files.sorted { PortGlob.inChannelOrder($0.key.name, $1.key.name) }.map { id, file in
      let title = titles[file] ?? Self.title(of: file)
      return Entry(id: id, title: title ?? id.name, file: file)
    }
  }

  /// The file of a preset.
  /// - Throws: `PresetLibraryError` unknown.
  public func file(of id: PresetID) throws(PresetLibraryError) -> String {
    try file(named: id.name, in: folders).file
  }

  /// Finds a preset by a name: a path if it contains `/` or ends with `.json`, otherwise an id.
  ///
  /// The id of a file outside the library is made from the file's name.
  /// - Throws: `PresetLibraryError`.
  public func find(_ name: String) throws(PresetLibraryError) -> PresetSource {
    guard name.contains("/") || name.hasSuffix(Self.suffix) else {
      return try source(named: name, in: folders)
    }
    let last = name.split(separator: "/").last ?? ""
    let stem = last.hasSuffix(Self.suffix) ? last.dropLast(Self.suffix.count) : last
    return try Self.source(PresetID(stem) ?? PresetID(slugging: String(stem)), file: name)
  }

  /// Finds the preset that another one extends: in the same folder, or else in the library.
  /// - Throws: `PresetLibraryError`.
  public func base(_ id: PresetID, of source: PresetSource) throws(PresetLibraryError) -> PresetSource {
    let slash = source.file.lastIndex(of: "/")
    let folder = slash.map { $0 == source.file.startIndex ? "/" : String(source.file[..<$0]) } ?? "."
    return try self.source(
      named: id.name, in: [folder] + folders.filter { Self.path($0, "") != Self.path(folder, "") })
  }

  /// Finds and reads a preset with all presets that it extends.
  /// - Throws: `PresetLibraryError` if the preset itself is not found. Mistakes in it are problems in the
  ///   result.
  public func read(
    _ name: String, with reader: PresetReader
  ) throws(PresetLibraryError) -> (preset: Preset?, problems: [Problem]) {
    let source = try find(name)
    if let known = memory?.reading(of: source, base: { id in try? base(id, of: source) }) { return known }
    var bases: [PresetSource] = []
    let result = reader.read(source) { id throws(PresetLibraryError) in
      let base = try base(id, of: source)
      bases.append(base)
      return base
    }
    memory?.note(result, of: source, extending: bases)
    return result
  }

  private func source(named name: String, in folders: [String]) throws(PresetLibraryError) -> PresetSource {
    let (id, file) = try file(named: name, in: folders)
    return try Self.source(id, file: file)
  }

  private func file(
    named name: String, in folders: [String]
  ) throws(PresetLibraryError) -> (id: PresetID, file: String) {
    guard let id = PresetID(name),
      let file = folders.map({ Self.path($0, name + Self.suffix) }).first(where: { System.access($0) })
    else {
      let known = PresetLibrary(folders: folders).list().map(\.id.name)
      throw .unknown(id: name, folders: folders, nearest: NearestName.suggestion(for: name, among: known))
    }
    return (id, file)
  }

  private static let suffix = ".json"

  private static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// - Throws: `PresetLibraryError` unreadable.
  private static func source(_ id: PresetID, file: String) throws(PresetLibraryError) -> PresetSource {
    do throws(SystemError) {
      return PresetSource(id: id, file: file, bytes: try bytes(of: file))
    } catch {
      throw .unreadable(file: file, code: error.number.rawValue, reason: error.reason)
    }
  }

  private static func bytes(of file: String) throws(SystemError) -> [UInt8] {
    try WholeFile.document(file, limit: JSON5Reader.sizeLimit)
  }

  private static func title(of file: String) -> String? {
    guard let bytes = try? bytes(of: file),
      let root = JSON5Reader.read(bytes, file: file).value
    else { return nil }
    return ValueReader(root, log: ProblemLog(file: file)).anyObject()?["title"]?.text()
  }
}
