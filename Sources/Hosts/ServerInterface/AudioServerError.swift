/// Why an audio server did not carry out a request.
public enum AudioServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No server answers; the text names the wanted server.
  case noServer(String)
  /// The server answers but refuses; the text gives the reason.
  case refused(String)

  public var description: String {
    switch self {
    case .noServer(let text), .refused(let text): text
    }
  }
}
