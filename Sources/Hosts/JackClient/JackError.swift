/// Why a JACK server did not carry out a request, in plain words.
public enum JackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No server of this name answers; nil is the default server.
  case noServer(String?)
  /// The client name is longer than the server allows; the limit is in bytes of UTF-8.
  case nameTooLong(String, limit: Int)
  /// Another client has the name, and only the exact name was wanted.
  case nameTaken(String)
  /// The server and libjack have different versions.
  case versionMismatch
  /// The server answered but refused the client. The bits are a `jack_status_t`; the reason is libjack's
  /// message.
  case openFailed(status: UInt32, reason: String)
  /// A call of libjack failed; the name is the call's.
  case callFailed(String, code: Int32)
  /// The server has no room for the port, or its name is taken or too long.
  case portRefused(String)
  /// No port has this full name.
  case noSuchPort(String)
  /// The server refused a connection.
  case connectionRefused(source: String, destination: String, code: Int32)

  public var description: String {
    switch self {
    case .noServer(let name):
      "no JACK server \(name.map { "named \"\($0)\" " } ?? "")is running"
    case .nameTooLong(let name, let limit):
      "the JACK client name \"\(name)\" is longer than \(limit) bytes"
    case .nameTaken(let name): "another JACK client is already named \"\(name)\""
    case .versionMismatch: "the JACK server and the JACK library are of different versions"
    case .openFailed(let status, let reason):
      "the JACK server refused the client (status \(status)\(reason.isEmpty ? "" : ", \(reason)"))"
    case .callFailed(let call, let code): "\(call) failed with \(code)"
    case .portRefused(let name):
      "the JACK server refused the port \"\(name)\": it has no room, or the name is taken or too long"
    case .noSuchPort(let name): "there is no JACK port \"\(name)\""
    case .connectionRefused(let source, let destination, let code):
      "the JACK server refused to connect \"\(source)\" to \"\(destination)\" (\(code))"
    }
  }
}
