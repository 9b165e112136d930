public import SessionModel

/// A sound file for a stream: `SESSION.STREAM=FILE`.
public struct StreamFile: Equatable, Sendable {
  public var session: SessionID
  public var stream: StreamID
  public var path: String

  /// Reads the assignment; nil if the text is not of this form.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, names.count == 2, !parts[1].isEmpty, let session = SessionID(names[0]),
      let stream = StreamID(names[1])
    else { return nil }
    (self.session, self.stream, path) = (session, stream, String(parts[1]))
  }
}

/// The file to which an output is written: `OUTPUT=FILE`.
public struct OutputFile: Equatable, Sendable {
  public var output: PortID
  public var path: String

  /// Reads the assignment; nil if the text is not of this form.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let output = PortID(parts[0]) else { return nil }
    (self.output, path) = (output, String(parts[1]))
  }
}
