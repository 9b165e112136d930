import CWebsockets
import SystemCalls
import Testing

@testable import WebServer

@Suite("The layouts of libwebsockets")
struct LayoutTests {
  @Test("The layout of this machine's header is that of its version in the table")
  func built() throws {
    let built = mr_websockets_built()
    let known = try #require(WebsocketsCalls.layout(of: String(cString: built.version))).pointee
    #expect(bytes(of: built) == bytes(of: known))
  }

  /// The offsets, without the version before them.
  private func bytes(of layout: mr_websockets_layout) -> [UInt8] {
    withUnsafeBytes(of: layout) { Array($0.dropFirst(MemoryLayout<UnsafePointer<CChar>>.size)) }
  }

  @Test(
    "An unknown version is refused by name", arguments: ["3.2.3", "4.2.2-unknown", "4.10.0", "5.0.0", ""])
  func unknown(version: String) {
    #expect(WebsocketsCalls.layout(of: version) == nil)
    let sentence = WebsocketsCalls.unknown(version).description
    #expect(
      sentence.hasPrefix(
        "libwebsockets \(version) is of a version that is not known here, which knows 4.0, 4.1,"))
    #expect(sentence.contains("; install the package libwebsockets"))
  }
}
