import Foundation
import SessionModel
import Testing

@testable import Commands

@Suite("why shows the way of a sound")
struct WhyTests {
  let router: LoopRouter
  let shell = Shell()

  init() throws { router = try LoopRouter() }

  @Test("with the level at each stop, and each cause at the stop where it acts")
  func way() throws {
    try router.happen(.session("show", .muted(true)))
    try router.happen(.stream("show", "band", .muted(true)))
    #expect(shell.run("why", "show.band", "usb", "--to", router.endpoint) == .success)
    let lines = shell.terminal.lines
    #expect(lines.first?.hasPrefix("silent: muted by the operator") == true)
    func line(_ beginning: String) -> Int? { lines.firstIndex { $0.hasPrefix(beginning) } }
    let stream = try #require(line("stream band"))
    let session = try #require(line("session"))
    let (send, output) = (try #require(line("send band to usb")), try #require(line("output usb")))
    #expect(stream < session && session < send && send < output)
    #expect(lines[stream].contains("-6.0 -12.0"))
    #expect(lines[stream + 1].hasSuffix("muted"))
    #expect(lines[session + 1].hasSuffix("muted by the operator"))
    #expect(lines[output].contains("-6.0 - - 0.0"))
    #expect(line("stream click") == nil && line("output headphones") == nil)
  }

  @Test("names the absent output of a stream")
  func absent() throws {
    #expect(shell.run("why", "show.click", "headphones", "--to", router.endpoint) == .success)
    let lines = shell.terminal.lines
    let output = try #require(lines.firstIndex { $0.hasPrefix("output headphones") })
    #expect(lines[output + 1].hasSuffix("absent"))
    #expect(lines.first == "not at headphones: absent")
  }

  @Test("begins with where one stream is heard, though the session is heard by another stream")
  func oneStream() throws {
    #expect(shell.run("why", "show.band", "--to", router.endpoint) == .success)
    #expect(shell.terminal.lines.first == "band is heard at usb")
    try router.happen(.streamSilence("show", "band", .quiet))
    let other = Shell()
    #expect(other.run("why", "show.band", "usb", "--to", router.endpoint) == .success)
    #expect(other.terminal.lines.first == "not at usb: connected, and silent")
  }

  @Test("as JSON")
  func json() throws {
    #expect(shell.run("why", "show", "--json", "--to", router.endpoint) == .success)
    let text = Data(shell.terminal.output.utf8)
    let document = try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
    let way = try #require(document["way"] as? [[String: Any]])
    let stops = way.compactMap { $0["stop"] as? String }
    #expect(
      stops == [
        "stream band", "stream click", "session", "send band to usb", "send click to headphones",
        "output usb",
        "output headphones",
      ])
    #expect(way.last?["causes"] as? [String] == ["absent"])
    #expect(document["why"] as? String == "heard at usb; waits for headphones")
  }

  @Test("of what does not exist ends with 1, and of what is no id with a usage error")
  func unknown() {
    let to = router.endpoint
    #expect(shell.run("why", "shaw", "--to", to) == .failure)
    #expect(shell.run("why", "show.clack", "--to", to) == .failure)
    #expect(shell.run("why", "show", "usbx", "--to", to) == .failure)
    #expect(shell.run("why", "show.", "--to", to) == .usage)
    #expect(shell.run("why", "*", "--to", to) == .usage)
  }
}
