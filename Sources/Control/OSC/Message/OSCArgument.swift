/// One argument of a message, with its OSC type.
///
/// Arguments are equal if their payloads are; so a NaN differs from itself.
public enum OSCArgument: Hashable, Sendable {
  /// `i`
  case int32(Int32)
  /// `h`
  case int64(Int64)
  /// `f`; NaN and infinities are legal on the wire.
  case float(Float)
  /// `d`
  case double(Double)
  /// `s`; bytes that are not UTF-8 are replaced by U+FFFD.
  case string(String)
  /// `S`; a string for systems that distinguish symbols from strings.
  case symbol(String)
  /// `b`
  case blob([UInt8])
  /// `c`; an ASCII code.
  case character(UInt8)
  /// `t`
  case timetag(OSCTimetag)
  /// `m`; port, status and two data bytes, the port in the most significant byte.
  case midi(UInt32)
  /// `r`; red, green, blue and alpha, red in the most significant byte.
  case colour(UInt32)
  /// `T` or `F`
  case boolean(Bool)
  /// `N`
  case null
  /// `I`; also called infinitum.
  case impulse

  /// The OSC type tag.
  public var typeTag: Unicode.Scalar {
    switch self {
    case .int32: "i"
    case .int64: "h"
    case .float: "f"
    case .double: "d"
    case .string: "s"
    case .symbol: "S"
    case .blob: "b"
    case .character: "c"
    case .timetag: "t"
    case .midi: "m"
    case .colour: "r"
    case .boolean(let value): value ? "T" : "F"
    case .null: "N"
    case .impulse: "I"
    }
  }
}

extension OSCArgument: CustomStringConvertible {
  /// The value as text; types without a value give their name.
  public var description: String {
    switch self {
    case .int32(let value): String(value)
    case .int64(let value): String(value)
    case .float(let value): String(describing: value)
    case .double(let value): String(describing: value)
    case .string(let text), .symbol(let text): "\"\(text)\""
    case .blob(let bytes): "[\(bytes.count) bytes]"
    case .character(let code): "'\(Unicode.Scalar(code))'"
    case .timetag(let time): time.isImmediate ? "immediately" : String(describing: time.unixTime)
    case .midi(let bytes): "midi:\(String(bytes, radix: 16))"
    case .colour(let channels): "colour:\(String(channels, radix: 16))"
    case .boolean(let value): String(value)
    case .null: "nil"
    case .impulse: "impulse"
    }
  }
}
