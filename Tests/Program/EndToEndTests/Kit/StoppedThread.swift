import Foundation
import TestKit

/// One thread of a program that is stopped while all others run, as a debugger stops it. It goes on when this object is released, or `goOn` is
/// called.
final class StoppedThread {
  private let debugger: ChildProcess

  /// PTRACE_SEIZE, PTRACE_INTERRUPT and `__WALL` (ptrace(2), wait(2)). The thread goes on when the debugger ends.
  private static let script = """
    import ctypes, os, sys
    libc, thread = ctypes.CDLL(None, use_errno=True), int(sys.argv[1])
    libc.ptrace.argtypes = [ctypes.c_long] * 4
    for request in [0x4206, 0x4207]:
        if libc.ptrace(request, thread, 0, 0) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
    os.waitpid(thread, 0x40000000)
    print("stopped", flush=True)
    sys.stdin.read()
    """

  /// Stops a thread by its name. Nil if the system does not let this user stop threads of other programs; the run then reports that.
  init?(_ name: String, of process: Int32) throws {
    let folder = "/proc/\(process)/task"
    let thread = try FileManager.default.contentsOfDirectory(atPath: folder).first {
      (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)) == "\(name)\n"
    }
    guard let thread else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder]) }
    debugger = try ChildProcess("python3", ["-c", Self.script, thread])
    guard debugger.output.line(containing: "stopped", seconds: 10) != nil else {
      TestNotes.remark("no test stopped a single thread: \(debugger.errors.text)")
      return nil
    }
  }

  deinit { goOn() }

  /// Lets the thread go on.
  func goOn() {
    debugger.endInput()
    _ = debugger.wait(seconds: 10)
  }
}
