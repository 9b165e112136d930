import CBenchReference
import CRealtime
import Glibc
import Processes
import StageKit

/// Chooses the loops that OpenBLAS uses. On a processor that is newer than the library, OpenBLAS uses loops for processors of 2004, and a
/// comparison with these would flatter the router.
enum LibraryCore {
  /// The flag that makes this program print the time of a product, with the core whose name follows or with the present one.
  static let timeFlag = "--product-time"

  /// The environment variable that OpenBLAS reads when it is loaded.
  private static let variable = "OPENBLAS_CORETYPE"

  /// Starts this program again with the fastest loops, unless the library has chosen them itself or the environment variable is set.
  static func chooseFastest(_ arguments: [String]) {
    guard getenv(variable) == nil, var least = time([timeFlag]) else { return }
    var fastest: String?
    for core in candidates {
      guard let time = time([timeFlag, core]), time < least else { continue }
      (fastest, least) = (core, time)
    }
    guard let fastest, setenv(variable, fastest, 1) == 0 else { return }
    restart(arguments)
  }

  private static var candidates: [String] {
    [mr_newer_processor() ? "Haswell" : nil, mr_widest_processor() ? "SkylakeX" : nil].compactMap(\.self)
  }

  /// Prints the time of a product in nanoseconds; with the name of a core, starts the program again for that core.
  static func tellTime(_ words: [String]) -> Int32 {
    if let core = words.first {
      setenv(variable, core, 1)
      restart([timeFlag])
    }
    tell("\(bare_product_nanoseconds())")
    return 0
  }

  /// Runs this program for a core and reads the number that it prints.
  private static func time(_ arguments: [String]) -> UInt64? {
    var run = ChildProgram(SystemFile.product("bench"), arguments)
    (run.input, run.output, run.error) = (.descriptor(STDIN_FILENO), .us, .descriptor(STDERR_FILENO))
    guard let child = try? Child(run) else { return nil }
    var lines = LineStream(child.output)
    let number = lines.next().flatMap { UInt64($0) }
    _ = child.wait()
    return number
  }

  /// Replaces this process by the program with a core chosen. It returns only if the system refuses.
  private static func restart(_ arguments: [String]) {
    let program = SystemFile.product("bench")
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    execv(program, &words)
  }
}
