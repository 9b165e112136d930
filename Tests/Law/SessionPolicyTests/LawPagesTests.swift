import Checkout
import SessionModel
import Testing

@Suite("The pages of the law say what the code does")
struct LawPagesTests {
  private func page(_ name: String) throws -> String { try Checkout.text("docs/develop/law/\(name).md") }

  @Test("The table of categories")
  func categories() throws {
    let page = try page("categories")
    #expect(LawPages.categories(page) == [])
    let wrong = page.replacing(
      "| `soloAmbient` | - | yes | never | yes |", with: "| `soloAmbient` | - | yes | never | no |")
    #expect(LawPages.categories(wrong).count == 1)
  }

  @Test("The table of modes")
  func modes() throws {
    let page = try page("modes")
    #expect(try LawPages.modes(page) == [])
    let wrong = page.replacing("| `voiceChat` | - | - |", with: "| `voiceChat` | yes | - |")
    #expect(try LawPages.modes(wrong) == ["ambient, voiceChat: yes"])
  }

  @Test("The table of options")
  func options() throws {
    let page = try page("options")
    #expect(try LawPages.options(page) == [])
    let wrong = page.replacing("| `duckOthers` | 0x2 | yes |", with: "| `duckOthers` | 0x4 | - |")
    #expect(try LawPages.options(wrong).count == 2)
  }

  @Test("Reasons and errors have the numbers and names of their tables")
  func numbers() throws {
    let (routes, interruptions, osc) = (try page("routes"), try page("interruptions"), try page("osc"))
    #expect(LawPages.numbers(routes: routes, interruptions: interruptions, osc: osc) == [])
    let found = LawPages.numbers(
      routes: routes.replacing("| 4 | `override`", with: "| 5 | `override`"),
      interruptions: interruptions.replacing("| 4 |", with: "| 3 |"),
      osc: osc.replacing("| 561017449 |", with: "| 561017450 |").replacing(
        "5 `notFound`", with: "6 `notFound`"))
    #expect(found.count == 4)
  }

  @Test("The port types, and those that a session with several outputs uses")
  func ports() throws {
    let (multiRoute, ports) = (try page("multi-route"), try page("ports"))
    #expect(LawPages.ports(multiRoute: multiRoute, ports: ports) == [])
    let wrong = multiRoute.replacing("`lineOut`, `headphones`, `hdmi`", with: "`lineOut`, `headphones`")
    #expect(LawPages.ports(multiRoute: wrong, ports: ports) == ["hdmi is eligible otherwise"])
  }
}
