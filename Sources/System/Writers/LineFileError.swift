import Glibc

/// Why a line could not be written.
public enum LineFileError: Error, Equatable, CustomStringConvertible {
  /// The path is a folder, a socket or a device.
  case notAFile
  /// The path is a FIFO, or the descriptor a pipe, that no program reads.
  case noReader
  /// Any other error of the system, by its number.
  case system(Int32)

  public var description: String {
    switch self {
    case .notAFile: "it is neither a file nor a FIFO"
    case .noReader: "no program reads it"
    case .system(let code): String(cString: strerror(code))
    }
  }

  init(code: Int32) {
    self =
      switch code {
      case ENXIO, EPIPE: .noReader
      case EISDIR: .notAFile
      default: .system(code)
      }
  }
}
