/// Why a server of our own did not start, in plain words.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A server of this name answers already.
  case nameInUse(String)
  /// The program could not be started; the code is `errno`.
  case cannotStart(reason: String)
  /// The server ended before it answered; its last lines.
  case ended(output: String)
  /// The server did not answer in time; its last lines.
  case silent(output: String)

  public var description: String {
    switch self {
    case .nameInUse(let name): "a JACK server named \"\(name)\" is running already"
    case .cannotStart(let reason): "cannot start jackd: \(reason)"
    case .ended(let output): "jackd ended at once: \(output)"
    case .silent(let output): "jackd does not answer: \(output)"
    }
  }
}
