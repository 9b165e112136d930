import SystemCalls
import Testing

@testable import LineEditing

@Suite("Keys come from a terminal as UTF-8")
struct KeyReaderTests {
  @Test("Characters come whole, damaged ones as a replacement, and the end ends")
  func characters() throws {
    let (ours, theirs) = try System.socketpair()
    defer { System.close(theirs) }
    var keys = KeyReader(theirs)
    #expect(try keys.next(milliseconds: 0) == nil)
    try System.writeAll(ours, Array("aü".utf8) + [0xF0, 0x9F, 0x8E])
    #expect(try keys.next(milliseconds: 1_000) == "a")
    #expect(try keys.next(milliseconds: 1_000) == "ü")
    #expect(try keys.next(milliseconds: 0) == nil)
    try System.writeAll(ours, [0xBA, 0xFF, 0x41])
    #expect(try keys.next(milliseconds: 1_000) == "🎺")
    System.close(ours)
    #expect(throws: KeyReader.Ended.self) {
      while let key = try keys.next(milliseconds: 1_000) { #expect(["\u{FFFD}", "A"].contains(key)) }
    }
  }
}
