import ControlInterface
import Foundation
import KeptState
import SessionModel
import SystemCalls
import TemporaryFolders
import Testing

@Suite struct TokenFileTests {
  private let tokens = [
    MixToken(id: 3, name: "Anna \"A\"", output: "headphones", end: 1_800_000_000.5, hash: "$5$x"),
    MixToken(id: 7, name: "Bert", output: "usb", end: 1_900_000_000, hash: "$5$y"),
  ]

  @Test("The file reads as it was written, for its user alone")
  func written() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(path: folder.file("state/router.tokens"))
    #expect(try file.read() == [])
    try file.write(tokens)
    #expect(try file.read() == tokens)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("A damaged file has no token, and says so", arguments: ["", "{}", "[{", "7"])
  func damaged(_ text: String) throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(path: try folder.write(text, to: "router.tokens"))
    #expect(throws: SystemError.self) { try file.read() }
  }
}
