import Checkout
import Numbers
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Layouts

@Suite("The pictures of the page about layouts show the layouts of today")
struct PictureTests {
  private static let pictures = [
    (preset: "theatre", page: "Mixer", file: "layout-mixer"),
    (preset: "theatre", page: "Show", file: "layout-show"),
    (preset: "band-with-click", page: "Mix drummer", file: "layout-mix"),
  ]

  @Test("A picture is the one that the layout gives", arguments: [0, 1, 2])
  func picture(_ index: Int) throws {
    let (id, name, file) = Self.pictures[index]
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let preset: Preset = try #require(try library.read(id, with: reader).preset)
    let layout = Layout(of: preset, scenes: ["theatre", "theatre-act-two"], bank: 8, law: Policy.reduce)
    let page = try #require(layout.pages.first { $0.name == name })
    let drawn = layout.picture(of: page)
    let path = "docs/guide/pictures/\(file).svg"
    if Checkout.regenerates { return try Checkout.write(drawn, to: path) }
    #expect(try Checkout.text(path) == drawn, "run MULTIROUTE_REGENERATE=1 swift test --filter PictureTests")
    #expect(try Checkout.text("docs/guide/surfaces/README.md").contains("(../pictures/\(file).svg)"))
  }
}

extension Layout {
  /// A page with its tab and the bar as a picture in SVG. What the router tells stands in parentheses.
  fileprivate func picture(of page: Page) -> String {
    let (width, height) = (Self.size.width, Self.tabHeight + Self.size.height + Self.barHeight)
    let tab = pages.firstIndex(of: page) ?? 0
    let tabs = Layouts.Place(x: 0, y: 0, width: width, height: Self.tabHeight).columns(pages.count)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.shortText) \(height.shortText)">
      <rect width="100%" height="100%" fill="#11161c"/>
      <g font-family="sans-serif" font-size="15" fill="#e8edf2" text-anchor="middle">
      \(zip(tabs.indices, pages).map { tabs[$0].inset(by: 3).drawing($1.name, "#5f6f80", strength: $0 == tab ? 0.8 : 0.25) }.joined())\
      <g transform="translate(0 \(Self.tabHeight.shortText))">
      \(page.widgets.map(\.drawing).joined())</g>
      <g transform="translate(0 \((Self.tabHeight + Self.size.height).shortText))">
      \(bar.map(\.drawing).joined())</g>
      </g>
      </svg>

      """
  }
}

extension Layouts.Place {
  /// A box with a text in its middle.
  fileprivate func drawing(_ text: String, _ color: String, strength: Double) -> String {
    func round(_ number: Double) -> String { number.text(.upTo(1)) }
    let box =
      "<rect x=\"\(round(x))\" y=\"\(round(y))\" width=\"\(round(width))\" height=\"\(round(height))\" rx=\"4\" "
      + "fill=\"\(color)\" fill-opacity=\"\(strength.shortText)\"/>\n"
    guard !text.isEmpty else { return box }
    return box + "<text x=\"\(round(x + width / 2))\" y=\"\(round(y + height / 2 + 5))\">\(text)</text>\n"
  }
}

extension Widget {
  fileprivate var drawing: String {
    switch role {
    case .fader:
      // A groove, and the knob at 0 dB.
      let groove = Layouts.Place(
        x: place.x + place.width / 2 - 3, y: place.y + 6, width: 6, height: place.height - 12)
      let knob = Layouts.Place(
        x: place.x + place.width / 2 - 22, y: place.y + place.height / 4 - 12, width: 44, height: 24)
      return place.drawing("", color.hex, strength: 0.15) + groove.drawing("", "#000000", strength: 0.6)
        + knob.drawing("", color.hex, strength: 1)
    case .meter:
      var lit = place
      _ = lit.takeTop(place.width > place.height ? 0 : place.height * 0.4)
      return place.drawing("", color.hex, strength: 0.15) + lit.drawing("", color.hex, strength: 0.7)
    case .toggle(_, let label), .hold(_, let label), .trigger(_, let label), .lamp(_, let label):
      return place.drawing(label, color.hex, strength: 0.55)
    case .text(let address):
      let words = address.split(separator: "/")
      let name = words.last == "text" ? "0.0 dB" : "(\(words.last ?? ""))"
      return place.drawing(name, color.hex, strength: 0.15)
    case .caption(let text): return place.drawing(text, "#000000", strength: 0)
    }
  }
}
