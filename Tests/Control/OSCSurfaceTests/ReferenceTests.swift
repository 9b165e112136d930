import Checkout
import OSCSurface
import Parameters
import Testing

@Suite("The reference in docs")
struct ReferenceTests {
  @Test("docs/reference/osc.md is the page that the table gives; MULTIROUTE_REGENERATE=1 writes it anew")
  func isUpToDate() throws {
    if Checkout.regenerates { try Checkout.write(AddressReference.markdown(), to: ReferencePage.file) }
    let text = try Checkout.text(ReferencePage.file)
    #expect(
      text == AddressReference.markdown(),
      "run: MULTIROUTE_REGENERATE=1 swift test --filter ReferenceTests")
  }

  @Test("A table with one section less gives another page, so the check can fail")
  func positiveControl() {
    #expect(AddressReference.markdown(of: Table.sections.dropLast()) != AddressReference.markdown())
  }
}
