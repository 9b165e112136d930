/// Splits the output of `pw-dump` into its arrays.
///
/// The first array has all objects of the server, and each further one the objects that have changed. Nothing but white space stands
/// between them.
struct DumpArrays {
  private var array: [UInt8] = []
  /// Number of open brackets and braces.
  private var depth = 0
  private var isInText = false
  private var isAfterBackslash = false
  /// Whether the rest of the output cannot be split: something else than white space stands between two arrays, or an array is
  /// longer than `sizeLimit`.
  private(set) var isBroken = false

  /// The most bytes of an array; that of a studio has less than a tenth of them.
  static let sizeLimit = 16 << 20

  /// Whether the last array is complete.
  var isBetweenArrays: Bool { depth == 0 && !isBroken }

  /// Takes further bytes of the output, and returns the arrays that they complete.
  mutating func receive(_ bytes: [UInt8]) -> [[UInt8]] {
    var complete: [[UInt8]] = []
    for byte in bytes where !isBroken {
      if depth == 0 {
        guard byte == UInt8(ascii: "[") else {
          isBroken = !Self.space.contains(byte)
          continue
        }
      }
      array.append(byte)
      follow(byte)
      if depth == 0 {
        complete.append(array)
        array = []
      }
      isBroken = array.count > Self.sizeLimit
    }
    return complete
  }

  private static let space = " \t\r\n".utf8

  /// Follows brackets, braces and quotes within an array.
  private mutating func follow(_ byte: UInt8) {
    if isAfterBackslash {
      isAfterBackslash = false
    } else if isInText {
      isAfterBackslash = byte == UInt8(ascii: "\\")
      isInText = byte != UInt8(ascii: "\"")
    } else {
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
  }
}
