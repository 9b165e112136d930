/// Splits text that consists of several JSON lists, one behind the other.
enum JSONLists {
  /// The bytes of each list or object at the top; nil if there is none, or if the last one is not whole.
  static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
    var lists: [ArraySlice<UInt8>] = []
    var (depth, start) = (0, 0)
    var (isText, isEscaped) = (false, false)
    for index in bytes.indices {
      switch bytes[index] {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 0 { start = index }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard depth >= 0 else { return nil }
        if depth == 0 { lists.append(bytes[start...index]) }
      default: break
      }
    }
    return depth == 0 && !isText && !lists.isEmpty ? lists : nil
  }
}
