import Commands
import Glibc
import OSC
import Presets

/// Appends every event to a file, a line of JSON each, for `--events`.
final class EventFile: Sendable {
  private let descriptor: Int32

  /// - Throws: `CommandFailure` unreadableFile when the file cannot be written.
  init(_ path: String) throws(CommandFailure) {
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .unreadableFile, "multiroute: \(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Writes `{"event": "/event/active", "arguments": [1, "show", 1, "app"]}`; one write to the system, so lines stay whole.
  func append(_ event: OSCMessage) {
    let arguments = event.arguments.map { argument -> JSONValue in
      switch argument {
      case .int32(let value): .number(Double(value))
      case .float(let value): .number(Double(value))
      case .string(let text): .string(text)
      default: .string("\(argument)")
      }
    }
    let (name, list) = (Self.oneLine(.string(event.address)), Self.oneLine(.array(arguments)))
    let bytes = Array("{\"event\": \(name), \"arguments\": \(list)}\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Lists of simple values are written in one line; only the end of the document is too much.
  private static func oneLine(_ value: JSONValue) -> String { String(value.text.filter { $0 != "\n" }) }
}
