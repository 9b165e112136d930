import Checkout
import OSCSurface
import Parameters
import Testing

@Suite("The reference in docs")
struct ReferenceTests {
  private static let file = "docs/reference/osc.md"

  @Test("docs/reference/osc.md is the page that the table gives; MULTIROUTE_REGENERATE=1 writes it anew")
  func isUpToDate() throws {
    if Checkout.regenerates { try Checkout.write(AddressReference.markdown(), to: Self.file) }
    let text = try Checkout.text(Self.file)
    #expect(
      text == AddressReference.markdown(),
      "run: MULTIROUTE_REGENERATE=1 swift test --filter ReferenceTests")
  }

  @Test("A table with one section less gives another page, so the check can fail")
  func positiveControl() {
    #expect(AddressReference.markdown(of: Table.sections.dropLast()) != AddressReference.markdown())
    for parameter in Table.parameters {
      #expect(AddressReference.markdown().contains("`\(parameter.address)`"))
    }
  }
}
