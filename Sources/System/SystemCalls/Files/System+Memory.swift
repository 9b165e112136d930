import CLinux
import Glibc

extension System {
  /// Makes memory that processes can share, filled with zeros, as a file without a name (memfd_create(2)). Nobody can change its size, because
  /// whoever reads behind the end of a file that became shorter is ended by the system.
  ///
  /// - Parameters:
  ///   - name: shown in `/proc`.
  ///   - size: in bytes.
  public static func memfd_create(_ name: String, size: Int) throws(SystemError) -> Int32 {
    // MFD_CLOEXEC and MFD_ALLOW_SEALING.
    let descriptor = try check("memfd_create", CLinux.memfd_create(name, 1 | 2))
    do throws(SystemError) {
      try ftruncate(descriptor, size: size)
      // F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK and F_SEAL_GROW.
      try check("fcntl", fcntl(descriptor, 1_033, 1 | 2 | 4))
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Maps a file into memory, for reading and writing, so that all who map it see the same bytes.
  public static func mmap(_ descriptor: Int32, size: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    let memory = Glibc.mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw SystemError("mmap", ErrorNumber(rawValue: errno))
    }
    return memory
  }

  /// Ends a mapping. Nobody may use its memory any more.
  public static func munmap(_ memory: UnsafeMutableRawPointer, size: Int) {
    _ = Glibc.munmap(memory, size)
  }

  /// Makes a number lead to the open file of another descriptor; what the number led to before is closed.
  public static func dup2(_ descriptor: Int32, as number: Int32) throws(SystemError) {
    try retry("dup2") { Glibc.dup2(descriptor, number) }
  }

  /// Makes calls on a descriptor fail with `ErrorNumber.again` where they would wait.
  public static func setNonblocking(_ descriptor: Int32) throws(SystemError) {
    try check("fcntl", fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK))
  }
}
