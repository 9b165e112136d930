import Foundation

/// A disk that a test can stop. A program that starts with `environment` waits in each write and each sync of
/// one file while the disk is stopped.
public final class StalledDisk {
  /// Thrown if the library could not be built.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// The variables for the program.
  public let environment: [String: String]
  private let gate: Int32
  private let reached: String

  /// A library that the loader puts before the C library. A lock on a file stops its calls; the system
  /// releases the lock if the test process dies.
  private static let source = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/file.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static void wait_at_gate(int descriptor) {
      char name[64], path[4096];
      const char *part = getenv("MR_STALLED_PATH"), *gate = getenv("MR_STALL_GATE");
      const char *reached = getenv("MR_STALL_REACHED");
      if (!part || !gate || !reached) return;
      snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(name, path, sizeof path - 1);
      if (length < 0) return;
      path[length] = 0;
      if (!strstr(path, part)) return;
      int lock = open(gate, O_RDONLY | O_CLOEXEC);
      if (flock(lock, LOCK_SH | LOCK_NB) != 0) {
        close(open(reached, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        while (flock(lock, LOCK_SH) != 0) { }
      }
      close(lock);
    }

    ssize_t write(int descriptor, const void *bytes, size_t count) {
      wait_at_gate(descriptor);
      return syscall(SYS_write, descriptor, bytes, count);
    }

    int fsync(int descriptor) {
      wait_at_gate(descriptor);
      return syscall(SYS_fsync, descriptor);
    }
    """

  /// Builds the library. The disk is not stopped.
  ///
  /// - Parameters:
  ///   - part: a part of the path of the file whose writes wait.
  ///   - folder: the folder for the library.
  /// - Throws: `Failure`, or `ChildProcess.CannotStart` if there is no C compiler.
  public init(holding part: String, in folder: TemporaryFolder) throws {
    let source = try folder.write(Self.source, to: "stalled-disk.c")
    let library = folder.file("stalled-disk.so")
    let compiler = try ChildProcess("cc", ["-shared", "-fPIC", "-O1", "-o", library, source])
    guard compiler.wait(seconds: 60) == 0 else { throw Failure(description: compiler.errors.text) }
    let path = try folder.write("", to: "stalled-disk.gate")
    reached = folder.file("stalled-disk.reached")
    gate = open(path, O_RDONLY | O_CLOEXEC)
    guard gate >= 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
    environment = [
      "LD_PRELOAD": library, "MR_STALLED_PATH": part, "MR_STALL_GATE": path, "MR_STALL_REACHED": reached,
    ]
  }

  deinit { close(gate) }

  /// Stops the disk.
  public func stop() {
    unlink(reached)
    flock(gate, LOCK_EX)
  }

  /// Lets the disk continue.
  public func goOn() { flock(gate, LOCK_UN) }

  /// Waits until the program waits for the stopped disk; false after some seconds.
  public func waitUntilReached(seconds: Double = 10) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while access(reached, F_OK) != 0 {
      guard Date() < end else { return false }
      usleep(5_000)
    }
    return true
  }
}
