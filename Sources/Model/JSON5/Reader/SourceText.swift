/// A document as Unicode scalars; finds line and column of an index.
struct SourceText {
  let scalars: [Unicode.Scalar]
  /// Indices of the replacement characters for bytes that are not UTF-8, one for each run of such bytes.
  let malformed: [Int]
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    var scalars: [Unicode.Scalar] = []
    var malformed: [Int] = []
    var lineStarts = [0]
    var parser = UTF8.ForwardParser()
    var iterator = content.makeIterator()
    reading: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): scalars.append(UTF8.decode(encoded))
      case .error:
        if malformed.isEmpty || malformed.last != scalars.count - 1 {
          malformed.append(scalars.count)
          scalars.append("\u{FFFD}")
        }
      case .emptyInput: break reading
      }
    }
    for (index, scalar) in scalars.enumerated() where scalar == "\n" || scalar == "\r" {
      if scalar == "\r", scalars.dropFirst(index + 1).first == "\n" { continue }
      lineStarts.append(index + 1)
    }
    (self.scalars, self.malformed, self.lineStarts) = (scalars, malformed, lineStarts)
  }

  /// Line and column of a scalar. An index past the end gives the position after the last character.
  func position(of index: Int) -> SourcePosition {
    // The last line that starts at or before the index.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: index - lineStarts[low] + 1)
  }

  /// The scalars of a range as a string.
  subscript(range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }
}
