import Parameters
import SessionModel
import Testing

@Suite("Names and orders that follow from the table")
struct DerivationTests {
  @Test("No id may be a word that an address has in the id's place")
  func reserved() {
    #expect(Table.reservedNames(below: "/session") == ["create", "remove", "list"])
    #expect(Table.reservedNames(below: "/session/<s>/stream") == ["create", "remove", "list"])
    #expect(Table.reservedNames(below: "/interruption") == ["begin", "end", "list", "scope", "clear"])
    #expect(Table.reservedNames(below: "/output") == ["list", "forget"])
    #expect(Table.reservedNames(below: "/input") == ["list", "forget"])
    #expect(Table.reservedNames(below: "/player") == ["create", "remove", "list"])
    #expect(Table.reservedNames(below: "/recorder") == ["create", "remove", "list"])
  }

  @Test(
    "An event that creates an object with a reserved id is refused",
    arguments: [
      Event.createSession("create", SessionConfiguration()),
      .createStream("show", "list", channels: 2, placed: true), .beginInterruption("clear"),
      .ring("scope", true),
      .declarePort(.output, Port(id: "list", name: "List", type: .usbAudio, globs: [], channels: 2)),
    ])
  func refusal(_ event: Event) {
    let error = #expect(throws: SessionError.self) { try Table.checkName(of: event) }
    #expect(error?.code == .badValue)
  }

  @Test("All other ids are allowed, also the name of a command at another place")
  func free() throws {
    try Table.checkName(of: .createSession("begin", SessionConfiguration()))
    try Table.checkName(of: .createStream("show", "scope", channels: 2, placed: true))
    try Table.checkName(of: .beginInterruption("create"))
  }

  @Test("Kept values are set again in an order that the law accepts, each address once")
  func restoring() throws {
    let order = Table.restoreOrder.map(\.address)
    #expect(Set(order).count == order.count)
    #expect(Set(order) == Set(Table.parameters.filter(\.isWritable).map(\.address)))
    func place(_ address: String) throws -> Int { try #require(order.firstIndex(of: address)) }
    let expected = try [
      "/session/<s>/category", "/session/<s>/policy", "/session/<s>/active", "/session/<s>/input/level",
      "/session/<s>/foreground",
    ].map(place)
    #expect(expected == expected.sorted())
    // The order of the table holds within a step.
    #expect(try place("/session/<s>/gain") < place("/output/<o>/gain"))
  }

  @Test("Every parameter is in one section of the reference, and every section has a title of its own")
  func sections() {
    #expect(Table.sections.flatMap(\.parameters).map(\.address) == Table.parameters.map(\.address))
    #expect(Set(Table.sections.map(\.title)).count == Table.sections.count)
    #expect(Table.sections.allSatisfy { !$0.title.isEmpty && !$0.parameters.isEmpty })
  }
}
