import Foundation
import Parameters
import Surface
import Testing

@Suite("The reference in docs")
struct ReferenceTests {
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/osc.md")

  @Test("docs/osc.md is what the table says; MULTIROUTE_REGENERATE=1 writes it anew")
  func isUpToDate() throws {
    if ProcessInfo.processInfo.environment["MULTIROUTE_REGENERATE"] != nil {
      try Reference.markdown().write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(
      text == Reference.markdown(),
      "run: MULTIROUTE_REGENERATE=1 swift test --filter ReferenceTests")
  }

  @Test("A table with one entry less gives another page, so the check can fail")
  func positiveControl() {
    #expect(Reference.markdown(of: Table.parameters.dropLast()) != Reference.markdown())
    for parameter in Table.parameters { #expect(Reference.markdown().contains("`\(parameter.address)`")) }
  }
}
