import SessionModel

/// A line of a playlist, or a playlist, that cannot be used; the description is a sentence for the operator.
public struct PlaylistProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the playlist.
  public var playlist: String
  /// The line as it is written; nil if the playlist itself cannot be used.
  public var line: String?
  public var reason: String

  public init(playlist: String, line: String? = nil, reason: String) {
    (self.playlist, self.line, self.reason) = (playlist, line, reason)
  }

  public var description: String {
    // What is no playlist has lines of any bytes.
    "\(line.map { "\($0) in " } ?? "")the playlist \(playlist): \(reason)".printable
  }
}
