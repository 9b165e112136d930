import Checkout
import Parameters
import SessionModel
import Testing
import Version

@Suite("The version")
struct VersionTests {
  @Test("The program and /system/version have the line of packaging/VERSION")
  func oneFile() throws {
    let line = try Checkout.text("packaging/VERSION")
    #expect(line == "\(Version.current)\n" && !Version.current.isEmpty)
    let parameter = try #require(Table.parameters.first { $0.address == "/system/version" })
    #expect(parameter.read(Moment(RouterState(), at: 0), Target()) == .text(Version.current))
  }
}
