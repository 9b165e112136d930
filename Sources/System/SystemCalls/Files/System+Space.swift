import Glibc

extension System {
  /// The size of the file system of a path in bytes, and how much of it this user may still fill.
  public static func statvfs(_ path: String) throws(SystemError) -> (size: Int, free: Int) {
    var status = Glibc.statvfs()
    try check("statvfs", look(path, &status), path)
    let unit = Int(status.f_frsize)
    return (Int(status.f_blocks) * unit, Int(status.f_bavail) * unit)
  }
}

/// Outside `System`, where `statvfs` would mean the function above. In C, `statvfs` is also a structure.
private func look(_ path: String, _ status: inout statvfs) -> Int32 { statvfs(path, &status) }
