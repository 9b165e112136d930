/// A result of the search for an audio server.
public enum Finding: Equatable, Sendable {
  /// A server was found; the rate is in Hz. The next call is `open`.
  case found(sampleRate: Int)
  /// The last attempt failed; the search continues.
  case missing(AudioServerError)
}
