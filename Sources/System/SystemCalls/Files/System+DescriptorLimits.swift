import Glibc

extension System {
  /// Raises the number of files that this process may have open, as far as the system allows.
  ///
  /// - Returns: the number that it may have open now.
  public static func raiseDescriptorLimit(to wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    let most = rlim_t(wanted)
    if limit.rlim_cur < most {
      limit.rlim_cur = min(most, limit.rlim_max)
      _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Opens standard input, output and error as empty files if this process was started without them. Otherwise the next file that it opens
  /// would get the number of standard error, and the log would be written into that file.
  public static func openStandardDescriptors() {
    var descriptor: Int32 = 0
    repeat { descriptor = Glibc.open("/dev/null", O_RDWR) } while (0...2).contains(descriptor)
    if descriptor > 2 { close(descriptor) }
  }
}
