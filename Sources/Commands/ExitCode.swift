/// How the program ends, for scripts; the numbers are those of sysexits(3).
public enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 64
  case badPreset = 65
  case unreadableFile = 66
  case unavailable = 69
  case internalError = 70
  case portInUse = 73
  case denied = 77

  /// When the program ends with it, for the reference.
  public var meaning: String {
    switch self {
    case .success: "all went well"
    case .failure: "the router answered with an error, or a check failed"
    case .usage: "the command line is wrong"
    case .badPreset: "a preset, the configuration or a script is wrong; every problem is named"
    case .unreadableFile: "a file cannot be read, or does not exist"
    case .unavailable: "there is no JACK server, or no router answers"
    case .internalError: "something inside the program went wrong"
    case .portInUse: "a network port is in use; who holds it is named"
    case .denied: "the system does not permit it"
    }
  }
}
