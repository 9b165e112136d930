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
    #expect(lines.first == "not at usb: show is muted")
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
    #expect(lines.first == "not at headphones: headphones is away")
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

  @Test("names whatever silences a stream: groups, and the solos of others")
  func groupsAndSolos() throws {
    try router.happen(.destination("show", "click", "usb", .on(true)))
    func first() -> String? {
      let shell = Shell()
      #expect(shell.run("why", "show.click", "usb", "--to", router.endpoint) == .success)
      return shell.terminal.lines.first
    }
    #expect(first() == "click is heard at usb")
    for member in ["stream:show.click", "output:usb"] {
      try router.happen(.group("gc", .create))
      try router.happen(.group("gc", .set(.members([try #require(GroupPattern(member))]))))
      try router.happen(.group("gc", .set(.muted(true))))
      #expect(first()?.hasSuffix("muted by group gc") == true)
      try router.happen(.group("gc", .remove))
    }
    let band = SoloedSend("show", "band", to: "usb")
    try router.happen(.soloSend(band, true))
    #expect(first() == "not at usb: no other send is heard while show.band is soloed there")
    try router.happen(.soloSend(band, false))
    try router.happen(.port(.output, "usb", .monitor(.on(true))))
    try router.happen(.port(.output, "usb", .monitor(.dim(-.infinity))))
    try router.happen(.solo(.session("show"), true))
    #expect(first() == "not at usb: replaced while session show is soloed")
  }

  @Test("with the level of a group as a stop of its own, and an output's dim at that output")
  func groupLevel() throws {
    try router.happen(.group("all", .create))
    try router.happen(.group("all", .set(.members([try #require(GroupPattern("stream:show.*"))]))))
    try router.happen(.group("all", .set(.gain(.set(-20)))))
    try router.happen(.port(.output, "usb", .section(.dim(true))))
    #expect(shell.run("why", "show.band", "usb", "--to", router.endpoint) == .success)
    let lines = shell.terminal.lines
    let (group, output) = (
      try #require(lines.firstIndex { $0.hasPrefix("group all") }),
      try #require(lines.firstIndex { $0.hasPrefix("output usb") })
    )
    #expect(lines[group].contains("-20.0"))
    #expect(lines[group + 1].hasSuffix("-20.0 dB on stream band, stream click"))
    #expect(lines[output + 1].hasSuffix("its dim is on, -20.0 dB"))
  }

  @Test("without a question that the router would log as an error", arguments: ["show", "show.band", "idle"])
  func questions(_ sound: String) throws {
    #expect(shell.run("why", sound, "--to", router.endpoint) == .success)
    #expect(router.errors.isEmpty)
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
