import Foundation

/// A folder for one test. The last reference removes it with all its files. Its path is short enough for Unix sockets in it.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// Makes a folder with a new name, in another folder than that of the system if need be.
  /// - Throws: `POSIXError` if the system cannot make it.
  public init(in parent: String? = nil) throws {
    var template = Array(((parent.map { $0 + "/" } ?? NSTemporaryDirectory()) + "mrtest-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder. The file need not exist.
  public func file(_ name: String) -> String { path + "/" + name }

  /// The text of a file in the folder.
  /// - Throws: Foundation's error if the file cannot be read.
  public func text(of name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  /// Writes a file in the folder, and makes the folders of its path. Returns the path.
  /// - Throws: Foundation's error if the file cannot be written.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
    return file(name)
  }

  /// Writes a script in the folder that can be run at once. Returns the path.
  ///
  /// Another process writes the script: a file that this process has open for writing may be inherited by a program that another test
  /// starts at that moment, and the system runs no file that is open for writing ("Text file busy").
  /// - Throws: Foundation's error if the script cannot be written.
  @discardableResult
  public func writeScript(_ text: String, to name: String) throws -> String {
    let source = try write(text, to: "\(name).text")
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    let steps = #"cat "$1" > "$2.new" && chmod 755 "$2.new" && mv "$2.new" "$2""#
    writer.arguments = ["-c", steps, "sh", source, file(name)]
    try writer.run()
    writer.waitUntilExit()
    guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file(name)
  }
}
