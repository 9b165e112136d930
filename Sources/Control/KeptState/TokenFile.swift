public import ControlInterface
import JSON5
import SessionModel
public import SystemCalls

/// The file of the tokens for mixes, which stays when the state is forgotten after a clean stop. Its mode is 0600. Calls may wait for the disk.
public struct TokenFile: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  private static let sizeLimit = 1 << 20

  /// Reads the file.
  /// - Returns: no token for a file that is missing.
  /// - Throws: `SystemError` for one that cannot be read, or is damaged: then no token has a right.
  public func read() throws(SystemError) -> [MixToken] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try WholeFile.bytes(path, limit: Self.sizeLimit) } catch {
      if error.number == .noSuchFile { return [] }
      throw error
    }
    guard
      case .array(let rows)? = JSON5Reader.read(bytes, file: path, sizeLimit: Self.sizeLimit).value?.kind
    else { throw SystemError("read", .invalidArgument, path, reason: "it is damaged") }
    return rows.compactMap(Self.token)
  }

  private static func token(_ row: PositionedValue) -> MixToken? {
    guard case .object(let members) = row.kind else { return nil }
    let values = Dictionary(members.map { ($0.key, $0.value.kind) }) { first, _ in first }
    guard case .number(let id, _)? = values["id"], case .string(let name)? = values["name"],
      case .string(let text)? = values["output"], let output = PortID(text),
      case .number(let end, _)? = values["end"], case .string(let hash)? = values["hash"],
      let number = Int(exactly: id)
    else { return nil }
    return MixToken(id: number, name: name, output: output, end: end, hash: hash)
  }

  /// Replaces the file in one step.
  /// - Throws: `SystemError`; the old file then stays.
  public func write(_ tokens: [MixToken]) throws(SystemError) {
    let rows = tokens.map { token in
      JSONValue.object([
        .init("id", .number(Double(token.id))), .init("name", .string(token.name)),
        .init("output", .string(token.output.name)), .init("end", .number(token.end)),
        .init("hash", .string(token.hash)),
      ])
    }
    try System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
    try WholeFile.replace(path, with: Array(JSONValue.array(rows).text.utf8), permissions: 0o600)
  }
}
