import LineEditing
import OSC
import SessionModel
import Testing

@testable import Commands

@Suite("The console completes from what the router has")
struct CompleterTests {
  private let router: LoopRouter
  private let completer: Completer

  init() throws {
    router = try LoopRouter()
    completer = Completer(options: try Self.options(router.endpoint))
  }

  private static func options(_ endpoint: String) throws -> ClientOptions {
    let arguments = try ArgumentReader.read(["--to", endpoint], of: CommandTable.description(of: .console))
    return try ClientOptions(arguments, Context(console: Terminal().console(), environment: Environment([:])))
  }

  @Test(
    "Words, parts of addresses and values are completed",
    arguments: [
      ("h", "elp "), ("se", "nd "), ("/out", "put/"), ("/output/u", "sb/"), ("/output/usb/ga", "in "),
      ("get /ram", "p "), ("send /session/show/stream/b", "and/"), ("help /output/headph", "ones/"),
      ("get ", "/"),
      ("/output/usb/mute of", "f "), ("/snapshot /output/u", "sb/"),
      ("/session/show/category multi", "Route "),
      ("/session/show/category p", "lay"),
      // Nothing is certain, or nothing follows.
      ("/nowhere/", ""), ("/output/*/ga", ""), ("/output/usb/gain -6 ", ""), ("quit ", ""),
      ("get /ramp ", ""),
      ("/session/show/name \"a", ""), ("x", ""),
    ])
  func insertion(before: String, insertion: String) {
    #expect(completer.completion(of: before).insertion == insertion)
  }

  @Test("Where several may follow they are offered, and where a value is typed the range is told")
  func choices() {
    #expect(completer.completion(of: "").choices == ["get", "send", "help", "quit", "/"])
    #expect(completer.completion(of: "/output/").choices.contains("headphones"))
    let mute = completer.completion(of: "/output/usb/mute ")
    #expect(mute.choices == ["on", "off"] && mute.insertion.isEmpty)
    let gain = completer.completion(of: "/output/usb/gain ")
    #expect(gain.note?.hasPrefix("/output/usb/gain: level, -90..10 dB. ") == true, "\(gain)")
    let command = completer.completion(of: "send /session/create x ")
    #expect(command.note?.hasPrefix("/session/create: command s id [s category") == true, "\(command)")
    #expect(completer.completion(of: "/output/usb/latency ").note?.contains("cannot be set") == true)
  }

  @Test("Of many names all are offered")
  func many() throws {
    let sessions = (0..<150).map { Event.createSession(SessionID("s\($0)")!, SessionConfiguration()) }
    let crowded = try LoopRouter(LoopRouter.stage + sessions)
    let completion = Completer(options: try Self.options(crowded.endpoint)).completion(of: "/session/s")
    #expect(completion.choices.count { $0.hasPrefix("s") } == 151)
  }

  @Test("Without a router nothing is completed")
  func alone() throws {
    // Nothing listens at the port of a socket that is closed.
    let port = try UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
    let completer = Completer(options: try Self.options("127.0.0.1:\(port)"))
    #expect(completer.completion(of: "/out") == Completion())
    #expect(completer.completion(of: "qu").insertion == "it ")
  }
}
