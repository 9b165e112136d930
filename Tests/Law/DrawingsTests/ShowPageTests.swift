import Checkout
import Drawings
import Testing

@Suite("Every shipped preset has a page with a picture that the program draws")
struct ShowPageTests {
  @Test("The picture is the one that the program draws", arguments: Shipped.ids)
  func picture(_ id: String) throws {
    let (file, drawn) = ("docs/guide/pictures/\(id).svg", try Shipped.plan(of: id).svg)
    if Checkout.regenerates { return try Checkout.write(drawn, to: file) }
    #expect(
      try Checkout.text(file) == drawn, "run MULTIROUTE_REGENERATE=1 swift test --filter ShowPageTests")
  }

  @Test("A page shows the picture and names the preset, and the list of shows has it", arguments: Shipped.ids)
  func page(_ id: String) throws {
    let list = try Checkout.text("docs/guide/shows/README.md")
    let pages = Checkout.names(in: "docs/guide/shows", ending: ".md").filter { $0 != "README.md" }
    let page = try #require(
      try pages.first { try Checkout.text("docs/guide/shows/\($0)").contains("../pictures/\(id).svg") },
      "no page shows \(id)")
    #expect(try Checkout.text("docs/guide/shows/\(page)").contains("](../../../presets/\(id).json)"))
    #expect(list.contains("](\(page))"))
  }
}
