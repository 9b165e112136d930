import CLinux
import Glibc

extension System {
  /// A way to use a file.
  public enum Access: Sendable {
    /// No use: the file only has to exist.
    case exist
    case read, write, execute
  }

  /// Whether this process may use a file in a certain way; false if the file does not exist.
  public static func access(_ path: String, _ access: Access = .exist) -> Bool {
    let mode =
      switch access {
      case .exist: F_OK
      case .read: R_OK
      case .write: W_OK
      case .execute: X_OK
      }
    return Glibc.access(path, mode) == 0
  }

  /// The status of a file. Follows symbolic links.
  public static func stat(_ path: String) throws(SystemError) -> FileStatus {
    var status = Glibc.stat()
    try check("stat", look(path, &status), path)
    return FileStatus(status)
  }

  /// Looks at a file, or at a symbolic link itself.
  public static func lstat(_ path: String) throws(SystemError) -> FileStatus {
    var status = Glibc.stat()
    try check("lstat", Glibc.lstat(path, &status), path)
    return FileStatus(status)
  }

  /// Looks at an open file.
  public static func fstat(_ descriptor: Int32) throws(SystemError) -> FileStatus {
    var status = Glibc.stat()
    try check("fstat", Glibc.fstat(descriptor, &status))
    return FileStatus(status)
  }

  /// Makes a folder.
  public static func mkdir(_ path: String, permissions: UInt32 = 0o777) throws(SystemError) {
    try check("mkdir", Glibc.mkdir(path, permissions), path)
  }

  /// Makes a folder and its parents, as far as they do not exist.
  public static func makeFolders(_ path: String, permissions: UInt32 = 0o777) throws(SystemError) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      do throws(SystemError) { try mkdir(folder, permissions: permissions) } catch {
        guard (try? stat(folder))?.kind == .folder else { throw error }
      }
    }
  }

  /// Removes an empty folder.
  public static func rmdir(_ path: String) throws(SystemError) {
    try check("rmdir", Glibc.rmdir(path), path)
  }

  /// Removes a file.
  public static func unlink(_ path: String) throws(SystemError) {
    try check("unlink", Glibc.unlink(path), path)
  }

  /// Renames a file. Replaces a file of the new name at once.
  public static func rename(_ old: String, to new: String) throws(SystemError) {
    try check("rename", Glibc.rename(old, new), old)
  }

  /// Renames a file to a name that no file has.
  ///
  /// - Throws: `SystemError` exists if there is a file of the new name.
  public static func rename(_ old: String, toNew new: String) throws(SystemError) {
    do throws(SystemError) {
      // 1 is RENAME_NOREPLACE, which Swift's module of the C library lacks.
      try check("renameat2", renameat2(AT_FDCWD, old, AT_FDCWD, new, 1), new)
    } catch {
      // Some file systems, such as NFS, cannot rename so.
      guard error.number == .invalidArgument else { throw error }
      guard (try? lstat(new)) == nil else { throw SystemError("rename", .exists, new) }
      try rename(old, to: new)
    }
  }

  /// Changes the permissions of a file, for example to `0o600`.
  public static func chmod(_ path: String, _ permissions: UInt32) throws(SystemError) {
    try check("chmod", Glibc.chmod(path, permissions), path)
  }

  /// Changes the permissions of an open file, or of the file that an unbound Unix socket gets when it is bound.
  public static func fchmod(_ descriptor: Int32, _ permissions: UInt32) throws(SystemError) {
    try check("fchmod", Glibc.fchmod(descriptor, permissions))
  }

  /// Sets the permissions that new files of this process do not get, for all its threads. Returns the former value.
  public static func umask(_ permissions: UInt32) -> UInt32 { Glibc.umask(permissions) }

  /// The process's working folder.
  public static func getcwd() throws(SystemError) -> String {
    guard let folder = Glibc.getcwd(nil, 0) else { throw SystemError("getcwd", ErrorNumber(rawValue: errno)) }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// The target of a symbolic link.
  public static func readlink(_ path: String) throws(SystemError) -> String {
    let target = try bytes(Int(PATH_MAX)) { buffer throws(SystemError) in
      try check(
        "readlink", Glibc.readlink(path, buffer.bindMemory(to: CChar.self).baseAddress!, buffer.count), path)
    }
    return String(decoding: target, as: UTF8.self)
  }

  /// The path of a file without symbolic links and dots; the file must exist.
  public static func realpath(_ path: String) throws(SystemError) -> String {
    guard let real = Glibc.realpath(path, nil) else {
      throw SystemError("realpath", ErrorNumber(rawValue: errno), path)
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// Makes a folder with a new name and returns its path. `template` ends with `XXXXXX`, which the system
  /// replaces.
  public static func mkdtemp(_ template: String) throws(SystemError) -> String {
    var path = Array(template.utf8CString)
    guard Glibc.mkdtemp(&path) != nil else {
      throw SystemError("mkdtemp", ErrorNumber(rawValue: errno), template)
    }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names in a folder in byte order, without `.` and `..`.
  ///
  /// Names that are not UTF-8 are left out, because no string means them; `readdirForeign` lists those.
  public static func readdir(_ path: String) throws(SystemError) -> [String] {
    try entries(of: path).compactMap { String(validating: $0, as: UTF8.self) }
  }

  /// The names in a folder that are not UTF-8, in byte order, each byte outside ASCII written as in `\xE9`, and the status of what they name.
  public static func readdirForeign(
    _ path: String
  ) throws(SystemError) -> [(name: String, status: FileStatus)] {
    let names = try entries(of: path).filter { String(validating: $0, as: UTF8.self) == nil }
    guard !names.isEmpty else { return [] }
    let folder = try open(path, .folder)
    defer { close(folder) }
    return names.compactMap { name in
      var status = Glibc.stat()
      let path = name.map(CChar.init(bitPattern:)) + [0]
      guard fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      return (escaped(name), FileStatus(status))
    }
  }

  private static func escaped(_ name: [UInt8]) -> String {
    name.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "\\x\(String($0, radix: 16, uppercase: true))" }
      .joined()
  }

  /// The bytes of the names in a folder in byte order, without `.` and `..`.
  private static func entries(of path: String) throws(SystemError) -> [[UInt8]] {
    guard let folder = opendir(path) else {
      throw SystemError("opendir", ErrorNumber(rawValue: errno), path)
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = Glibc.readdir(folder) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) })
    }
    let own = [".", ".."].map { Array($0.utf8) }
    return names.filter { !own.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// Outside `System`, where `stat` would mean the function above. In C, `stat` is also a structure.
private func look(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }
