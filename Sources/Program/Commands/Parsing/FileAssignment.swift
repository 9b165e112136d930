public import SessionModel

/// A sound file for a stream, `SESSION.STREAM=FILE`, or for an input, `INPUT=FILE`.
public struct SourceFile: Equatable, Sendable {
  public var source: RenderSource
  public var path: String

  /// Reads the assignment; nil if the text is not of this form.
  public init?(_ text: String) {
    guard let (names, path) = parts(of: text) else { return nil }
    switch names.count {
    case 1:
      guard let input = PortID(names[0]) else { return nil }
      source = .input(input)
    case 2:
      guard let session = SessionID(names[0]), let stream = StreamID(names[1]) else { return nil }
      source = .stream(session, stream)
    default: return nil
    }
    self.path = path
  }
}

/// The file to which an output is written, `OUTPUT=FILE`, or what a session captures, `SESSION.capture=FILE`.
public struct SinkFile: Equatable, Sendable {
  public var sink: RenderSink
  public var path: String

  /// Reads the assignment; nil if the text is not of this form.
  public init?(_ text: String) {
    guard let (names, path) = parts(of: text) else { return nil }
    if names.count == 1, let output = PortID(names[0]) {
      sink = .output(output)
    } else if names.count == 2, names[1] == "capture", let session = SessionID(names[0]) {
      sink = .capture(session)
    } else {
      return nil
    }
    self.path = path
  }
}

/// The names before an equals sign, which points separate, and the path behind it.
private func parts(of text: String) -> (names: [Substring], path: String)? {
  let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[1].isEmpty else { return nil }
  return (parts[0].split(separator: ".", omittingEmptySubsequences: false), String(parts[1]))
}
