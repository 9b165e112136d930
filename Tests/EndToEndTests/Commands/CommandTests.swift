import Foundation
import TestKit
import Testing

@Suite("The commands work on a router that runs", .serialized, .repeatedAfterStalls)
struct CommandTests {
  @Test(
    "run says when it is ready, and what it is asked to change is heard back by send, get, status and ports")
  func clients() async throws {
    let router = try RunningRouter(try await PrivateServer(), "usb-and-headphones")
    let sent = try router.client("send", "/output/usb/gain", "-6")
    #expect(sent.code == 0 && sent.output == "-6.0" && sent.error.isEmpty)
    #expect(try router.client("get", "/output/usb/gain").output == "-6.0")
    let pattern = try router.client("get", "/output/*/gain").output.split(separator: "\n")
    #expect(pattern == ["/output/usb/gain -6.0", "/output/headphones/gain 0.0", "/output/speaker/gain 0.0"])
    let refused = try router.client("send", "/output/headphones/gain", "6")
    #expect(refused.code == 1 && refused.output.isEmpty && refused.error.hasPrefix("outOfRange (4): "))
    let guarded = try router.client("send", "/session/show/stream/click/route", "usb:1")
    #expect(guarded.code == 1 && guarded.error.hasPrefix("denied (8): "))

    let status = try router.client("status")
    #expect(status.code == 0)
    #expect(
      status.output.contains("show") && status.output.contains("band") && status.output.contains("away"))
    #expect(!status.output.contains("\u{1B}"), "no colour where nobody sees it")
    let json = try JSONSerialization.jsonObject(with: Data(try router.client("status", "--json").output.utf8))
    #expect(((json as? [String: Any])?["sessions"] as? [[String: Any]])?.count == 3)
    let ports = try router.client("ports").output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(ports.contains { $0.starts(with: ["usb", "output", "usbAudio", "4", "away"]) })
    #expect(router.stop() == 0)
  }

  @Test("A device that is absent does not keep the router from running; when it comes it is there")
  func absentDevice() async throws {
    let server = try await PrivateServer()
    let router = try RunningRouter(server, "usb-and-headphones")
    #expect(try router.client("get", "/output/usb/available").output == "0")
    let watch = try router.program.start("watch", "/output/usb/available", "--to", router.endpoint)
    #expect(watch.output.line() == "/output/usb/available 0")
    let stage = try server.stage()
    try stage.do("device \"USB Interface\" 4 0")
    #expect(watch.output.line() == "/output/usb/available 1")
    watch.send(signal: SIGINT)
    #expect(watch.wait() == 0)
    #expect(watch.errors.text.isEmpty)
    #expect(router.stop() == 0)
  }

  @Test("watch ends with 69 when the router goes")
  func routerGoes() async throws {
    let router = try RunningRouter(try await PrivateServer())
    let watch = try router.program.start("watch", "/ramp", "--to", router.endpoint, "--timeout", "0.5")
    #expect(watch.output.line() == "/ramp 0.02")
    #expect(router.stop() == 0)
    #expect(watch.wait(seconds: 20) == 69)
  }

  @Test("SIGINT and SIGTERM end run with 0", arguments: [SIGINT, SIGTERM])
  func signals(_ signal: Int32) async throws {
    let router = try RunningRouter(try await PrivateServer(), "usb-and-headphones")
    #expect(router.stop(signal) == 0)
    #expect(router.child.output.text.isEmpty)
  }

  @Test("SIGHUP reads the preset again; one that is broken by then changes nothing")
  func hangUp() async throws {
    let folder = try TemporaryFolder()
    let preset = folder.file("show.json")
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: preset)) }
    func text(_ gain: Int) -> String {
      #"{ "multiroute": 1, "ports": { "pa": { "type": "usbAudio", "outputs": ["PA:*"], "channels": 2, "gain": \#(gain) } } }"#
    }
    try write(text(-3))
    let router = try RunningRouter(try await PrivateServer(), preset)
    #expect(try router.client("get", "/output/pa/gain").output == "-3.0")
    try write(text(-9))
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "read \(preset) again") != nil)
    #expect(try router.client("get", "/output/pa/gain").output == "-9.0")
    try write("{")
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "nothing was changed") != nil)
    #expect(try router.client("get", "/output/pa/gain").output == "-9.0")
    #expect(router.stop() == 0)
  }

  @Test("presets lists what ships, and check finds nothing wrong with it")
  func library() throws {
    let program = try ProgramHome()
    let presets = try program.run("presets")
    #expect(presets.code == 0 && presets.output.contains("usb-and-headphones"))
    let check = try program.run("check", "usb-and-headphones")
    #expect(check.code == 0 && check.output.isEmpty && check.error.isEmpty)
  }
}
