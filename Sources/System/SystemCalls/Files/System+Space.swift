import CLinux
import Glibc

extension System {
  /// The size of the file system of a path in bytes, and how much of it this user may still fill.
  public static func statvfs(_ path: String) throws(SystemError) -> (size: Int, free: Int) {
    var status = Glibc.statvfs()
    try check("statvfs", look(path, &status), path)
    let unit = Int(status.f_frsize)
    return (Int(status.f_blocks) * unit, Int(status.f_bavail) * unit)
  }

  /// The bytes that this user may still write into a folder, which need not exist yet; nil if the system does not tell them. Waits for the disk.
  public static func freeBytes(for folder: String) -> Int? {
    var path = folder
    while true {
      if let space = try? statvfs(path) { return space.free }
      guard path != "/", path != "." else { return nil }
      path = WholeFile.folder(of: path)
    }
  }

  /// Reserves room on the disk for bytes from an offset on; the size of the file stays.
  public static func fallocate(_ descriptor: Int32, from offset: Int, count: Int) throws(SystemError) {
    // FALLOC_FL_KEEP_SIZE
    try retry("fallocate") { CLinux.fallocate(descriptor, 1, off_t(offset), off_t(count)) }
  }

  /// Cuts a file, or gives back the room that was reserved behind its end.
  public static func ftruncate(_ descriptor: Int32, size: Int) throws(SystemError) {
    try retry("ftruncate") { Glibc.ftruncate(descriptor, off_t(size)) }
  }

  /// Has the system read bytes of a file ahead. Never waits for them, and never fails: it is advice.
  public static func posix_fadvise(_ descriptor: Int32, willNeed offset: Int, count: Int) {
    _ = Glibc.posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_WILLNEED)
  }
}

/// Outside `System`, where `statvfs` would mean the function above. In C, `statvfs` is also a structure.
private func look(_ path: String, _ status: inout statvfs) -> Int32 { statvfs(path, &status) }
