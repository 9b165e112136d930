import SystemCalls

/// The lines that were entered at the console, kept in a file that only its user may read.
///
/// Each line is added at once, so that nothing is lost, and two consoles keep both their lines.
struct PromptHistory {
  private let path: String
  /// The lines that the prompt offers, the oldest first.
  private(set) var lines: [String]
  /// How many lines the file has.
  private var count: Int

  /// The most lines that are offered; the file is cut when it has twice as many.
  static let limit = 1_000
  /// The most bytes of a kept line.
  private static let longest = 4_096

  /// Reads the file of a state folder; none is an empty history.
  /// - Throws: `SystemError` if there is one that cannot be read.
  init(in folder: String) throws(SystemError) {
    path = "\(folder)/console-history"
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try WholeFile.document(path, limit: 2 * (Self.limit + 1) * (Self.longest + 1))
    } catch {
      guard error.number == .noSuchFile else { throw error }
    }
    let all = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter(Self.isPlain)
    (lines, count) = (all.suffix(Self.limit), all.count)
  }

  /// Adds a line, unless it is empty, the last one again, begins with a blank, or may contain a passcode.
  /// Returns whether it did.
  /// - Throws: `SystemError` if the line is not on the disk.
  mutating func add(_ line: String) throws(SystemError) -> Bool {
    let words = (try? LineWord.words(of: line[...])) ?? []
    guard let first = line.first, !first.isWhitespace, line != lines.last,
      line.utf8.count <= Self.longest, Self.isPlain(line), !words.contains(where: { $0.text == "/hello" })
    else { return false }
    lines = lines.suffix(Self.limit - 1) + [line]
    count += 1
    try System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
    if count > 2 * Self.limit {
      try WholeFile.replace(path, with: Self.bytes(lines), permissions: 0o600)
      count = lines.count
      return true
    }
    let descriptor = try System.open(path, [.write, .create, .append, .nonblocking], permissions: 0o600)
    defer { System.close(descriptor) }
    try System.writeAll(descriptor, Self.bytes([line]))
    return true
  }

  private static func isPlain(_ line: String) -> Bool {
    !line.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func bytes(_ lines: some Collection<String>) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }
}
