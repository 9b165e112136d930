/// Why a server of our own did not start, in plain words.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A server of this name is already running.
  case nameInUse(String)
  /// The machine has no place for another server; the list has the servers that hold them.
  case noPlace(taken: [ServerPlaces.Place])
  /// The program could not be started; the reason is the system's.
  case cannotStart(reason: String)
  /// The server ended before it answered; the output is its last lines.
  case ended(output: String)
  /// The server did not answer in time; the output is its last lines. The folder, if there is one, holds JACK's metadata: a server that
  /// was killed while it made them leaves them damaged, and every later server waits two minutes for them.
  case silent(output: String, metadata: String?)

  public var description: String {
    switch self {
    case .nameInUse(let name): "a JACK server named \"\(name)\" is running already"
    case .noPlace(let taken):
      """
      a machine has room for \(taken.count) JACK servers, and all places are taken: \(taken.map(\.description).joined(separator: ", ")); \
      end one; where none of them is jackd any more, delete /dev/shm/jack-shm-registry
      """
    case .cannotStart(let reason): "cannot start jackd: \(reason)"
    case .ended(let output): "jackd ended at once: \(output)"
    case .silent(let output, nil): "jackd does not answer: \(output)"
    case .silent(let output, let metadata?):
      "jackd does not answer: \(output); perhaps a killed server damaged JACK's metadata: if no JACK program runs, delete \(metadata)"
    }
  }
}
