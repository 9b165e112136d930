import CBenchReference
import CRealtime
import Glibc
import Spawn
import StageKit

/// Which processor's loops OpenBLAS uses: it falls back to those of 2004 on a processor that is newer than itself, which would
/// make whatever is compared with it look good.
enum LibraryCore {
  /// The flag by which this program tells how fast a product is, with the core's name behind it or with the one in force.
  static let timeFlag = "--product-time"

  /// The variable that OpenBLAS reads when it is loaded.
  private static let variable = "OPENBLAS_CORETYPE"

  /// Starts this program anew with the fastest loops, unless they are the library's own choice or somebody has chosen already.
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

  /// Prints the nanoseconds of a product; with the name of a core, as a program started anew.
  static func tellTime(_ words: [String]) -> Int32 {
    if let core = words.first {
      setenv(variable, core, 1)
      restart([timeFlag])
    }
    tell("\(bare_product_nanoseconds())")
    return 0
  }

  /// Runs this program and reads the number that it prints.
  private static func time(_ arguments: [String]) -> UInt64? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    let program = SystemFile.product("bench")
    let spawned = ChildSpawn(
      path: program, arguments: [program] + arguments, input: STDIN_FILENO, output: ends[1],
      error: STDERR_FILENO
    ).start()
    close(ends[1])
    defer { close(ends[0]) }
    guard case .success(let child) = spawned else { return nil }
    var (text, byte) = ("", UInt8(0))
    while read(ends[0], &byte, 1) == 1 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    waitpid(child, nil, 0)
    return UInt64(text.split(separator: "\n").first ?? "")
  }

  /// Returns only if the system refuses.
  private static func restart(_ arguments: [String]) {
    let program = SystemFile.product("bench")
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    execv(program, &words)
  }
}
