import JSON5
public import SessionModel
import SystemCalls

/// Writes presets into the user's own folder, with ten earlier versions of each.
///
/// A file is always the old or the new one, whole, whenever the process dies. Two routers never write at the same time. Any thread may
/// call; calls wait for the disk.
public struct PresetStore: Sendable {
  private let library: PresetLibrary
  /// The user's own folder; all others are only read.
  private var folder: String { library.folders.first ?? "." }

  public init(_ library: PresetLibrary) { self.library = library }

  /// An earlier version of a preset.
  public struct Version: Equatable, Sendable {
    public let number: Int
    /// When it was replaced, in ISO 8601.
    public let time: String
  }

  /// The greatest number of versions of a preset; older ones are removed.
  public static let mostVersions = 10

  // MARK: Writing

  /// Writes a new preset.
  /// - Throws: `SessionError` exists or io.
  public func create(_ id: PresetID, _ text: String) throws(SessionError) {
    try exclusively { () throws(SessionError) in
      if let file = file(of: id) {
        throw SessionError(
          .exists, "\(id) exists already (\(file)); write /preset/update to replace it, or choose another id")
      }
      try write(text, to: id)
    }
  }

  /// Replaces a preset, and keeps what it was as a version.
  ///
  /// - Parameters:
  ///   - dropsComments: whether comments, which the new text does not have, may get lost.
  ///   - isUnchanged: whether the file still has the content that the caller knows; called while no other router writes.
  /// - Throws: `SessionError` notFound, locked, exists if something would be lost, or io.
  public func update(
    _ id: PresetID, _ text: String, dropsComments: Bool, isUnchanged: () -> Bool
  ) throws(SessionError) {
    try exclusively { () throws(SessionError) in
      let bytes = try content(of: id)
      try checkLock(of: id)
      guard isUnchanged() else {
        throw SessionError(
          .exists,
          "the file of \(id) has changed since it was recalled, by an editor or another router; recall it first, or store under another id"
        )
      }
      guard dropsComments || !JSON5Reader.hasComments(bytes) else {
        throw SessionError(
          .exists,
          "\(id) has comments, which an update would lose; update it with a second argument 1 (--drop-comments), or store under another id"
        )
      }
      try keep(bytes, of: id)
      try write(text, to: id)
    }
  }

  /// Makes an earlier version the present one. What it replaces becomes a version itself.
  /// - Throws: `SessionError` notFound, locked or io.
  public func restore(_ id: PresetID, _ number: Int) throws(SessionError) {
    try exclusively { () throws(SessionError) in
      try checkLock(of: id)
      let old: [UInt8]
      do throws(SystemError) {
        old = try WholeFile.document(path(of: number, id), limit: JSON5Reader.sizeLimit)
      } catch {
        let known = versions(of: id).map { "\($0.number)" }.joined(separator: ", ")
        throw SessionError(
          .notFound,
          "\(id) has no version \(number); \(known.isEmpty ? "there are none" : "there are \(known)")")
      }
      if let present = try? content(of: id) { try keep(present, of: id) }
      try write(String(decoding: old, as: UTF8.self), to: id)
    }
  }

  /// Deletes a preset. Its versions stay, and what it was becomes one of them.
  /// - Throws: `SessionError` notFound, locked, denied for a preset that is not in the user's own folder, or io.
  public func delete(_ id: PresetID) throws(SessionError) {
    try exclusively { () throws(SessionError) in
      let bytes = try content(of: id)
      try checkLock(of: id)
      guard file(of: id) == own(id) else {
        throw SessionError(.denied, "\(file(of: id) ?? "\(id)") is not in your own folder, \(folder)")
      }
      try keep(bytes, of: id)
      try run { () throws(SystemError) in try System.unlink(own(id)) }
      WholeFile.syncFolder(of: own(id))
    }
  }

  // MARK: Versions and locks

  /// The earlier versions of a preset, oldest first.
  public func versions(of id: PresetID) -> [Version] {
    let names = (try? System.readdir(versionFolder(of: id))) ?? []
    return names.compactMap { name in
      name.hasSuffix(Self.suffix) ? Int(name.dropLast(Self.suffix.count)) : nil
    }.sorted().map { number in
      let seconds = (try? System.stat(path(of: number, id)))?.modified ?? 0
      return Version(number: number, time: System.gmtime(seconds))
    }
  }

  public func isLocked(_ id: PresetID) -> Bool { System.access(lockFile(of: id)) }

  /// Locks a preset against updates, restores and deletion, or unlocks it.
  /// - Throws: `SessionError` notFound or io.
  public func lock(_ id: PresetID, _ isLocked: Bool) throws(SessionError) {
    try exclusively { () throws(SessionError) in
      _ = try content(of: id)
      guard isLocked != self.isLocked(id) else { return }
      try run { () throws(SystemError) in
        try System.makeFolders(versionFolder(of: id))
        if isLocked {
          try WholeFile.replace(lockFile(of: id), with: [], permissions: Self.permissions)
        } else {
          try System.unlink(lockFile(of: id))
        }
      }
    }
  }

  private func checkLock(of id: PresetID) throws(SessionError) {
    guard isLocked(id) else { return }
    throw SessionError(.locked, "\(id) is locked; write /preset/\(id)/lock 0 first")
  }

  // MARK: Files

  private static let suffix = ".json"
  private static let permissions: UInt32 = 0o644

  private func own(_ id: PresetID) -> String { "\(folder)/\(id)\(Self.suffix)" }
  /// The folder of all versions; its name keeps it out of lists of presets.
  private var archive: String { "\(folder)/.versions" }
  private func versionFolder(of id: PresetID) -> String { "\(archive)/\(id)" }
  private func path(of number: Int, _ id: PresetID) -> String {
    "\(versionFolder(of: id))/\(number)\(Self.suffix)"
  }
  private func lockFile(of id: PresetID) -> String { "\(versionFolder(of: id))/locked" }

  /// The file of a preset, in whichever folder; nil if there is none.
  private func file(of id: PresetID) -> String? {
    library.folders.map { "\($0)/\(id)\(Self.suffix)" }.first { System.access($0) }
  }

  private func content(of id: PresetID) throws(SessionError) -> [UInt8] {
    guard let file = file(of: id) else {
      let known = library.list().map(\.id.name)
      throw SessionError(
        .notFound, "there is no preset \(id); \(NearestName.hint(for: id.name, among: known))")
    }
    var bytes: [UInt8] = []
    try run { () throws(SystemError) in
      bytes = try WholeFile.document(file, limit: JSON5Reader.sizeLimit)
    }
    return bytes
  }

  private func write(_ text: String, to id: PresetID) throws(SessionError) {
    try run { () throws(SystemError) in
      try System.makeFolders(folder)
      // A preset may be a link into a folder that a person shares or keeps versions of.
      let file = try WholeFile.target(of: own(id))
      try WholeFile.replace(file, with: Array(text.utf8), permissions: Self.permissions)
    }
  }

  /// Keeps the content of a preset as its newest version, and removes the oldest ones.
  private func keep(_ bytes: [UInt8], of id: PresetID) throws(SessionError) {
    let versions = versions(of: id)
    let number = (versions.last?.number ?? 0) + 1
    try run { () throws(SystemError) in
      try System.makeFolders(versionFolder(of: id))
      try WholeFile.replace(path(of: number, id), with: bytes, permissions: Self.permissions)
    }
    for version in versions.dropLast(Self.mostVersions - 1) {
      try? System.unlink(path(of: version.number, id))
    }
  }

  /// Does something while no other router writes into the folder.
  private func exclusively(_ body: () throws(SessionError) -> Void) throws(SessionError) {
    var descriptor: Int32 = -1
    try run { () throws(SystemError) in
      try System.makeFolders(archive)
      descriptor = try System.open("\(archive)/writing", [.readWrite, .create, .noLink], permissions: 0o644)
    }
    defer { System.close(descriptor) }
    guard (try? System.flock(descriptor)) == true else {
      throw SessionError(.io, "another router writes a preset at this moment; send the command again")
    }
    try body()
  }

  private func run(_ body: () throws(SystemError) -> Void) throws(SessionError) {
    do throws(SystemError) { try body() } catch {
      throw SessionError(.io, "\(error.subject ?? folder): \(error.reason); the presets are as they were")
    }
  }
}
