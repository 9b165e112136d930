import JSON5
import Processes
import SystemCalls

/// What `multiroute setup` has done, so that it can be undone; kept in the state folder.
struct SetupRecord {
  private let file: String
  /// The configuration that was written, and its text; nil if none was.
  private var configuration: (path: String, text: String)?
  /// Whether the unit was enabled.
  private(set) var hasUnit = false

  /// The user unit that starts the router.
  static let unit = "multiroute.service"
  private static let (sizeLimit, patience) = (1 << 20, 20.0)

  /// Reads the record of an earlier setup. A damaged record counts as none.
  init(_ context: Context) throws(CommandFailure) {
    file = "\(context.folders.state)/setup.json"
    guard Files.isFile(file),
      case .object(let members)? = JSON5Reader.read(
        try Files.read(file), file: file, sizeLimit: Self.sizeLimit
      )
      .value?.kind
    else { return }
    var texts: [String: String] = [:]
    for member in members {
      if case .string(let text) = member.value.kind { texts[member.key] = text }
    }
    if let path = texts["configuration"], let text = texts["text"] { configuration = (path, text) }
    hasUnit = texts["unit"] == Self.unit
  }

  var isEmpty: Bool { configuration == nil && !hasUnit }

  /// What would be undone.
  var summary: String {
    ((configuration.map { ["the file \($0.path)"] } ?? []) + (hasUnit ? ["the unit \(Self.unit)"] : []))
      .joined(separator: " and ")
  }

  /// Writes the configuration.
  /// - Throws: `CommandFailure` unreadableFile.
  mutating func write(_ text: String, to path: String) throws(CommandFailure) {
    // The record first: a configuration without a record could not be undone.
    configuration = (path, text)
    try save()
    try Self.replace(path, with: text)
  }

  /// Enables the unit.
  /// - Throws: `CommandFailure` failure with the words of systemctl.
  mutating func enable(_ console: Console) throws(CommandFailure) {
    try Self.systemctl("enable")
    hasUnit = true
    try save()
    console.tell(
      "multiroute: \(Self.unit) starts at each login; now: systemctl --user start \(Self.unit)")
  }

  /// Takes everything back.
  mutating func undo(_ console: Console) throws(CommandFailure) {
    if hasUnit {
      try Self.systemctl("disable")
      hasUnit = false
      try save()
      console.tell("multiroute: \(Self.unit) no longer starts at login")
    }
    if let (path, text) = configuration {
      let present = Files.isFile(path) ? try Files.read(path) : nil
      if present == Array(text.utf8) {
        do throws(SystemError) { try System.unlink(path) } catch {
          throw CommandFailure(.denied, "multiroute: \(path) cannot be removed: \(error.reason).")
        }
        console.tell("multiroute: removed \(path)")
      } else if present != nil {
        console.tell("multiroute: \(path) was edited since setup wrote it, and stays")
      }
      configuration = nil
    }
    try? System.unlink(file)
  }

  private func save() throws(CommandFailure) {
    var members: [JSONValue.Member] = []
    if let (path, text) = configuration {
      members += [.init("configuration", .string(path)), .init("text", .string(text))]
    }
    if hasUnit { members.append(.init("unit", .string(Self.unit))) }
    try Self.replace(file, with: JSONValue.object(members).text)
  }

  private static func replace(_ path: String, with text: String) throws(CommandFailure) {
    do throws(SystemError) {
      try System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
      try WholeFile.replace(path, with: Array(text.utf8), permissions: 0o600)
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(path) cannot be written: \(error.reason).")
    }
  }

  /// Has the user's systemd enable or disable the unit.
  private static func systemctl(_ verb: String) throws(CommandFailure) {
    let words = ["--user", verb, unit]
    let order = "systemctl \(words.joined(separator: " "))"
    guard let path = ChildProgram.find("systemctl", in: []) else {
      throw CommandFailure(
        .failure, "multiroute: there is no systemctl here, so nothing starts the router at login.")
    }
    var program = ChildProgram(path, words)
    (program.output, program.error) = (.us, .output)
    let child: Child
    do throws(SystemError) { child = try Child(program) } catch {
      throw CommandFailure(.failure, "multiroute: \(order) cannot be started: \(error.reason).")
    }
    let said = child.readOutput(limit: sizeLimit, seconds: patience)
    guard child.wait(milliseconds: 1_000) == .exited(0) else {
      let reason = String(decoding: said ?? [], as: UTF8.self).split(separator: "\n").joined(separator: " ")
      throw CommandFailure(.failure, "multiroute: \(order) failed: \(reason)")
    }
  }
}
