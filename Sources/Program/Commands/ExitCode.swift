/// The exit codes of the program, for scripts. The numbers are those of sysexits(3).
public enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 64
  case badPreset = 65
  case unreadableFile = 66
  case unavailable = 69
  case internalError = 70
  case systemError = 71
  case portInUse = 73
  case denied = 77

  /// When the program ends with this code, for the reference.
  public var meaning: String {
    switch self {
    case .success: "success"
    case .failure: "the router answered with an error, or a check failed"
    case .usage: "the command line is wrong"
    case .badPreset: "a preset, the configuration or a script is wrong; the messages name every problem"
    case .unreadableFile: "a file cannot be read, or does not exist"
    case .unavailable: "there is no JACK server, no router answers, or a library is not installed"
    case .internalError: "the program failed because of an internal error"
    case .systemError: "the system gives the program too little, such as too few open files"
    case .portInUse: "a network port or a Unix socket is in use; the message names the program that uses it"
    case .denied: "the system does not permit the action"
    }
  }
}
