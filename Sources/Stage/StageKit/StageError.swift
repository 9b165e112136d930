public import JackClient
public import SoundFiles

/// Why the stage could not carry out a request; the description is a sentence for a person.
public enum StageError: Error, Hashable, Sendable, CustomStringConvertible {
  case jack(JackError)
  case media(MediaError)
  /// There is no device or source of this name, or it is unplugged.
  case notPlugged(String)
  /// A device, source or recording of this name exists already.
  case alreadyThere(String)
  /// A channel, counted from 1, that the device does not have.
  case noChannel(Int, device: String)
  /// The device has as many readers as it can have.
  case tooManyReaders(device: String)
  /// The sound has another rate than the server, both in Hz.
  case wrongRate(sound: Int, server: Int)
  /// The server has ended.
  case serverGone
  /// The awaited event did not come in time.
  case timeout(String)

  public var description: String {
    switch self {
    case .jack(let error): error.description
    case .media(let error): error.description
    case .notPlugged(let name): "nothing named \"\(name)\" is plugged in"
    case .alreadyThere(let name): "\"\(name)\" exists already"
    case .noChannel(let channel, let device): "\"\(device)\" has no channel \(channel)"
    case .tooManyReaders(let device): "\"\(device)\" is already recorded as often as it can be"
    case .wrongRate(let sound, let server): "the sound has \(sound) Hz and the server \(server) Hz"
    case .serverGone: "the server has ended"
    case .timeout(let what): "waited in vain for \(what)"
    }
  }
}
