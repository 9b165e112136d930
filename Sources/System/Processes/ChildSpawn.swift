import CSpawn
import SystemCalls

/// Starts child processes.
///
/// The child has no blocked or ignored signals, whatever this process has. Pool threads block all signals; a
/// child that inherited that would ignore requests to end.
enum ChildSpawn {
  /// Starts a program and returns its process number. The caller must wait for the child.
  ///
  /// - Parameter streams: descriptors for standard input, output and error. They stay open here.
  static func start(_ program: ChildProgram, streams: [Int32]) throws(SystemError) -> Int32 {
    keepDescriptors()
    let code = withCStrings([program.name ?? program.path] + program.arguments) { arguments in
      withCStrings(program.environment) { environment in
        program.path.withCString { path in
          var request = mr_spawn_request(
            path: path, arguments: arguments, environment: environment,
            descriptors: (streams[0], streams[1], streams[2]), new_session: program.leavesSession,
            ends_with_thread: program.endsWithThread)
          return mr_spawn(&request)
        }
      }
    }
    guard code > 0 else { throw SystemError("exec", ErrorNumber(rawValue: -code), program.path) }
    return code
  }

  /// A descriptor that becomes readable when a child has ended. Waiting for the child then returns at once.
  static func endDescriptor(of child: Int32) throws(SystemError) -> Int32 {
    let descriptor = mr_process_descriptor(child)
    guard descriptor >= 0 else { throw SystemError("pidfd_open", ErrorNumber(rawValue: -descriptor)) }
    return descriptor
  }

  /// Makes children not inherit any descriptor that is open now.
  ///
  /// Otherwise children would inherit libjack's descriptors. A server that writes to a dead client of ours
  /// would then wait without end for the child to read.
  private static func keepDescriptors() {
    for name in (try? System.readdir("/proc/self/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > 2 { System.closeOnExec(descriptor) }
    }
  }

  /// Passes texts as a C list, with a null pointer at its end.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var bytes = texts.flatMap { $0.utf8CString }
    return bytes.withUnsafeMutableBufferPointer { bytes in
      var pointers: [UnsafeMutablePointer<CChar>?] = []
      var start = bytes.baseAddress
      for text in texts {
        pointers.append(start)
        start = start.map { $0 + text.utf8.count + 1 }
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
  }
}
