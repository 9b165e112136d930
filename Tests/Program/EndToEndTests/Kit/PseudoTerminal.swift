import Foundation
import TestKit

/// The program at a terminal of its own: what a user types and sees.
final class PseudoTerminal {
  let child: ChildProcess
  private let descriptor: Int32
  /// The program's side of the terminal. The test keeps it open until the program has opened it, because a terminal with no open side ends.
  private var program: Int32
  /// What the terminal has shown and no call has returned.
  private var shown = ""
  private var hasEnded = false

  /// A terminal that the system does not give.
  struct Failure: Error {}

  /// Starts the program as the leader of the terminal, so that Ctrl-C is a signal.
  ///
  /// - Parameter launcher: a program that gets the program and its arguments as words, such as a shell.
  init(
    _ arguments: [String], in folder: TemporaryFolder, columns: Int = 100, rows: Int = 40,
    environment: [String: String] = [:], launcher: [String] = []
  ) throws {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    var size = Self.size(columns, rows)
    guard openpty(&ours, &theirs, nil, nil, &size) == 0,
      let path = ttyname(theirs).map({ String(cString: $0) })
    else { throw Failure() }
    descriptor = ours
    program = theirs
    child = try Program.start(
      arguments, in: folder, environment: ["TERM": "xterm", "HOME": folder.path].merging(environment) { $1 },
      launcher: ["setsid", "sh", "-c", "exec \"$0\" \"$@\" <> \(path) >&0 2>&1"] + launcher)
  }

  deinit {
    child.finish()
    leaveToProgram()
    close(descriptor)
  }

  /// Changes the size, which the program is told.
  func resize(columns: Int, rows: Int) {
    var size = Self.size(columns, rows)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  private static func size(_ columns: Int, _ rows: Int) -> winsize {
    winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
  }

  /// Presses keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Waits until the terminal shows a text. Returns what it has shown up to the end of the text since the last call; nil if the text does not come.
  func show(_ text: String, seconds: Double = 10) -> String? {
    let limit = Date(timeIntervalSinceNow: seconds)
    while true {
      if let range = shown.range(of: text) {
        defer { shown.removeSubrange(..<range.upperBound) }
        return String(shown[..<range.upperBound])
      }
      guard !hasEnded, limit.timeIntervalSinceNow > 0 else { return nil }
      read()
    }
  }

  /// Waits for the end of the program. Returns its exit code, and what the terminal has shown since the last call.
  func end(seconds: Double = 10) -> (code: Int32?, shown: String) {
    let limit = Date(timeIntervalSinceNow: seconds)
    while !hasEnded, limit.timeIntervalSinceNow > 0 { read() }
    defer { shown = "" }
    return (child.wait(seconds: seconds), shown)
  }

  /// All that the terminal has shown and no call has returned.
  var rest: String { shown }

  /// The settings of the terminal, such as whether it repeats keys.
  var settings: [UInt32] {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  private func read() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 100) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    // The system reports an error when the last program has left the terminal.
    guard count > 0 else {
      hasEnded = true
      return
    }
    leaveToProgram()
    shown += String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func leaveToProgram() {
    if program >= 0 { close(program) }
    program = -1
  }
}
