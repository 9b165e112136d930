import NSM
public import OSC
import Testing

/// The protocol with a session manager as messages, without a socket.
@Suite struct ConversationTests {
  private static let project = NSMProject(path: "/s/gig/one/Name.nBFSA", name: "one", client: "Name.nBFSA")
  private static let open = OSCMessage(
    "/nsm/client/open", .string(project.path), .string(project.name), .string(project.client))
  private static let save = OSCMessage("/nsm/client/save")
  private static let welcome = OSCMessage(
    "/reply", "/nsm/server/announce", "Welcome.", "New Session Manager", ":server-control:broadcast:")

  private var conversation = NSMConversation(application: "Name", executable: "name", process: 42)

  private static func error(_ order: String, _ code: Int32, _ reason: String) -> NSMConversation.Step {
    .send(OSCMessage("/error", .string(order), .int32(code), .string(reason)))
  }

  private static func progress(_ fraction: Float) -> NSMConversation.Step {
    .send(OSCMessage("/nsm/client/progress", .float(fraction)))
  }

  /// A conversation with an open project.
  private func opened() -> NSMConversation {
    var conversation = conversation
    _ = conversation.receive(Self.welcome)
    _ = conversation.receive(Self.open)
    _ = conversation.finish(.success("Loaded."))
    return conversation
  }

  @Test("The announcement has these bytes")
  func announcement() throws {
    guard case .send(let message)? = conversation.begin().first else {
      Issue.record("no announcement")
      return
    }
    func padded(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
    }
    let bytes =
      padded("/nsm/server/announce") + padded(",sssiii") + padded("Name")
      + padded(":dirty:switch:progress:message:") + padded("name") + [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 42]
    #expect(PacketEncoder.encode(.message(message)) == bytes)
  }

  @Test("After the welcome come orders, and each gets its answer")
  mutating func order() {
    #expect(conversation.receive(Self.welcome) == [.accepted(by: "New Session Manager")])
    #expect(conversation.receive(Self.open) == [Self.progress(0), .order(.open(Self.project))])
    #expect(conversation.progress(0.5) == [Self.progress(0.5)])
    #expect(
      conversation.finish(.success("Loaded."))
        == [Self.progress(1), .send(OSCMessage("/reply", "/nsm/client/open", "Loaded."))])
    #expect(conversation.progress(0.5) == [])
    #expect(conversation.receive(Self.save) == [.order(.save)])
    #expect(
      conversation.finish(.success("Saved.")) == [.send(OSCMessage("/reply", "/nsm/client/save", "Saved."))])
    #expect(conversation.finish(.success("Saved.")) == [])
  }

  @Test("A refusal ends the conversation")
  mutating func refusal() {
    let refusal = OSCMessage("/error", "/nsm/server/announce", -6, "No session is open.")
    #expect(conversation.receive(refusal) == [.refused(code: -6, reason: "No session is open.")])
    #expect(conversation.receive(Self.open) == [])
    #expect(conversation.tell("hello", priority: 1) == [])
  }

  @Test("An order to open counts as the welcome that was lost")
  mutating func lostWelcome() {
    #expect(
      conversation.receive(Self.open)
        == [.accepted(by: ""), Self.progress(0), .order(.open(Self.project))])
    #expect(conversation.receive(Self.welcome) == [])
  }

  @Test("Orders that come while one is carried out wait for it")
  mutating func saveDuringLoad() {
    _ = conversation.receive(Self.welcome)
    _ = conversation.receive(Self.open)
    #expect(conversation.receive(Self.save) == [])
    #expect(conversation.receive(Self.open) == [])
    #expect(conversation.finish(.success("Loaded.")).last == .order(.save))
    #expect(
      conversation.finish(.success("Saved.")).suffix(2) == [
        Self.progress(0), .order(.open(Self.project)),
      ])
  }

  @Test("A project that could not be opened is not saved")
  mutating func saveAfterFailure() {
    _ = conversation.receive(Self.welcome)
    _ = conversation.receive(Self.open)
    _ = conversation.receive(Self.save)
    #expect(
      conversation.finish(.failure(NSMFailure(.createFailed, "it is a file"))) == [
        Self.error("/nsm/client/open", -10, "it is a file"),
        Self.error("/nsm/client/save", -6, "no session is open, so nothing can be saved"),
      ])
    // The next order is carried out.
    #expect(conversation.receive(Self.open).last == .order(.open(Self.project)))
  }

  @Test(
    "A project that cannot be opened is refused at once",
    arguments: [
      (path: "relative/path", client: "Name", code: Int32(-10)), ("/s/one", "Na:me", -1), ("/s/one", "", -1),
    ])
  func badProject(path: String, client: String, code: Int32) throws {
    var conversation = conversation
    _ = conversation.receive(Self.welcome)
    let steps = conversation.receive(
      OSCMessage("/nsm/client/open", .string(path), .string("one"), .string(client)))
    guard case .send(let answer)? = steps.first, steps.count == 1 else {
      Issue.record("\(steps)")
      return
    }
    #expect(answer.address == "/error" && answer.typeTags == "sis")
    #expect(answer.arguments.prefix(2) == ["/nsm/client/open", .int32(code)])
  }

  @Test("Orders with other type tags get an error, and other messages nothing")
  mutating func typeTags() {
    _ = conversation.receive(Self.welcome)
    #expect(
      conversation.receive(OSCMessage("/nsm/client/open", "/s/one", "one"))
        == [Self.error("/nsm/client/open", -1, "the arguments are ,ss, and must be ,sss")])
    #expect(
      conversation.receive(OSCMessage("/nsm/client/save", 1))
        == [Self.error("/nsm/client/save", -1, "the arguments are ,i, and must be ,")])
    for address in ["/nsm/client/session_is_loaded", "/nsm/client/show_optional_gui", "/other/program"] {
      #expect(conversation.receive(OSCMessage(address)) == [])
    }
  }

  @Test("Dirty and clean are told once each, and not before a project is open")
  func dirty() {
    var early = conversation
    #expect(early.tell(isDirty: true) == [])
    var conversation = opened()
    #expect(conversation.tell(isDirty: false) == [])
    #expect(conversation.tell(isDirty: true) == [.send(OSCMessage("/nsm/client/is_dirty"))])
    #expect(conversation.tell(isDirty: true) == [])
    #expect(conversation.tell(isDirty: false) == [.send(OSCMessage("/nsm/client/is_clean"))])
    #expect(
      conversation.tell("a device is gone", priority: 2)
        == [.send(OSCMessage("/nsm/client/message", 2, "a device is gone"))])
  }

  @Test("More orders than sixteen do not wait")
  func manyOrders() {
    var conversation = opened()
    #expect(conversation.receive(Self.save) == [.order(.save)])
    for _ in 1...16 { #expect(conversation.receive(Self.save) == []) }
    #expect(
      conversation.receive(Self.save)
        == [Self.error("/nsm/client/save", -12, "too many orders wait for the one in hand")])
  }

  @Test(
    "The address of a session manager",
    arguments: [
      ("osc.udp://host.example:7000/", "host.example", UInt16(7_000)),
      ("osc.udp://127.0.1.1:1", "127.0.1.1", 1), ("osc.udp://[::1]:7000/", "::1", 7_000),
    ])
  func address(url: String, host: String, port: UInt16) throws {
    let address = try #require(NSMAddress(url))
    #expect(address.host == host && address.port == port)
  }

  @Test(
    "What is no address of a session manager",
    arguments: [
      "", "osc.udp://", "osc.udp://:7000/", "osc.udp://host/", "osc.udp://host:0/", "osc.udp://host:70000/",
      "osc.tcp://host:7000/", "osc.udp://::1:7000/", "osc.udp://tcp:host:7000/", "osc.udp://host:7000/path/",
      "osc.udp://a/b:7000/",
    ])
  func badAddress(url: String) { #expect(NSMAddress(url) == nil) }
}

extension OSCArgument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral number: Int32) { self = .int32(number) }
}
