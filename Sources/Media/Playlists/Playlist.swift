/// A playlist as its file holds it (M3U with its usual extensions).
public struct Playlist: Equatable, Sendable {
  /// A line of the list.
  public struct Entry: Equatable, Sendable {
    /// The path as it is written: relative to the playlist's folder, or something that is refused when it is looked up.
    public var path: String
    /// The title that players show, mostly `Artist - Title`; nil if the file gives none.
    public var title: String?
    /// Length in whole seconds; nil if the file gives none.
    public var seconds: Int?

    public init(_ path: String, title: String? = nil, seconds: Int? = nil) {
      (self.path, self.title, self.seconds) = (path, title, seconds)
    }
  }

  /// The playlist's own title; nil if the file gives none.
  public var title: String?
  public var entries: [Entry]

  public init(title: String? = nil, _ entries: [Entry] = []) { (self.title, self.entries) = (title, entries) }

  /// Reads a playlist. Takes every line break and unknown directives, which it skips.
  public init(_ bytes: [UInt8]) {
    self.init()
    let text = Self.text(of: bytes)
    var next = Entry("")
    for line in text.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
      let line = Self.trimmed(Substring(line))
      if line.isEmpty { continue }
      if let value = Self.value(of: "#EXTINF:", line) {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        // Attributes may stand behind the seconds.
        let length = parts[0].split(whereSeparator: { $0 == " " || $0 == "." }).first ?? ""
        next.seconds = Int(length).flatMap { $0 >= 0 ? $0 : nil }
        let title = parts.count > 1 ? Self.trimmed(parts[1]) : ""
        next.title = title.isEmpty ? nil : String(title)
      } else if let value = Self.value(of: "#PLAYLIST:", line) {
        title = title ?? String(Self.trimmed(value))
      } else if !line.hasPrefix("#") {
        next.path = String(line)
        entries.append(next)
        next = Entry("")
      }
    }
  }

  /// The text that the bytes of a file mean: UTF-16, as programs of Windows write it, if they begin with its byte order mark, else UTF-8. What is
  /// not UTF-8 is Latin-1, which old `.m3u` files have.
  private static func text(of bytes: [UInt8]) -> String {
    let content = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    if isLittle || bytes.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
        UInt16(bytes[place]) << (isLittle ? 0 : 8) | UInt16(bytes[place + 1]) << (isLittle ? 8 : 0)
      }
      return String(decoding: units, as: UTF16.self)
    }
    return String(validating: content, as: UTF8.self)
      ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
  }

  /// The playlist as the text of a file, with LF line breaks and without a byte order mark.
  public var text: String {
    var text = "#EXTM3U\n"
    if let title { text += "#PLAYLIST:\(Self.line(title))\n" }
    for entry in entries {
      if entry.title != nil || entry.seconds != nil {
        text += "#EXTINF:\(entry.seconds ?? -1),\(Self.line(entry.title ?? ""))\n"
      }
      // What begins with # or a blank would not be read as a path.
      let isPlain = !entry.path.hasPrefix("#") && !entry.path.hasPrefix(" ")
      text += (isPlain ? "" : "./") + entry.path + "\n"
    }
    return text
  }

  /// Whether a path can stand in a playlist: in one line, and the same when it is read.
  public static func canHold(_ path: String) -> Bool {
    !path.isEmpty && !path.hasSuffix(" ") && !path.hasSuffix("\t")
      && !path.unicodeScalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\0" }
  }

  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : Character($0) })
  }

  private static func value(of directive: String, _ line: Substring) -> Substring? {
    line.uppercased().hasPrefix(directive) ? line.dropFirst(directive.count) : nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let last = text.unicodeScalars.last, last == " " || last == "\t" {
      text.unicodeScalars.removeLast()
    }
    return text.drop { $0 == " " || $0 == "\t" }
  }
}
