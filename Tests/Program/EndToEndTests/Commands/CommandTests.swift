import Foundation
import TestKit
import Testing

@Suite("The commands work with a running router", .serialized)
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
    #expect(!status.output.contains("\u{1B}"), "no colour without a terminal")
    let json = try JSONSerialization.jsonObject(with: Data(try router.client("status", "--json").output.utf8))
    #expect(((json as? [String: Any])?["sessions"] as? [[String: Any]])?.count == 3)
    let ports = try router.client("ports").output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(ports.contains { $0.starts(with: ["usb", "output", "usbAudio", "4", "away"]) })
    #expect(router.stop() == 0)
  }

  @Test("run, status and ports show JACK's names, and the nearest port of a glob that matches none")
  func names() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    try stage.do("device \"USB Interface\" 2 0")
    try stage.do("source Band 1 silence")
    let folder = try TemporaryFolder()
    let preset = try folder.write(
      """
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"] },
        "far": { "type": "lineOut", "outputs": ["USB Interfaze:playback_*"] } },
        "sessions": { "show": { "category": "multiRoute", "streams": {
          "band": { "from": ["Bund:*"], "to": { "usb": 0 } } } } } }
      """, to: "show.json")
    let router = try RunningRouter(server, preset)
    let stream = "show.band: nothing matches Bund:*; the nearest port is Band:out_1"
    let port =
      "output far: nothing matches USB Interfaze:playback_*; the nearest port is USB Interface:playback_1"
    #expect(router.child.errors.text.contains("multiroute: \(stream)\n"))
    #expect(router.child.errors.text.contains("multiroute: \(port)\n"))
    let status = try router.client("status").output
    #expect(status.contains(stream) && status.contains(port))
    let ports = try router.client("ports").output
    #expect(ports.contains("USB Interface:playback_1, USB Interface:playback_2"))
    #expect(ports.contains("Band") && ports.contains("Band:out_1"))
    let json = try JSONSerialization.jsonObject(with: Data(try router.client("ports", "--json").output.utf8))
    let outputs = (json as? [String: Any])?["outputs"] as? [[String: Any]]
    let usb = outputs?.first { $0["id"] as? String == "usb" }
    #expect(usb?["ports"] as? [String] == ["USB Interface:playback_1", "USB Interface:playback_2"])
    let programs = (json as? [String: Any])?["programs"] as? [[String: Any]]
    let band = programs?.first { $0["name"] as? String == "Band" }
    #expect(band?["outputs"] as? [String] == ["Band:out_1"])
    let checked = try router.program.run("check", "--live", "--server", server.name, preset)
    #expect(checked.code == 0 && checked.error.contains("nothing matches Bund:*"))
    #expect(router.stop() == 0)
  }

  @Test("The router starts without an absent device, and uses the device when it appears")
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

  @Test("SIGHUP and multiroute reload read the preset again, and a broken preset changes nothing")
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
    #expect(try router.client("send", "/preset/fade", "0").code == 0)
    try write(text(-9))
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "reloaded \(preset)") != nil)
    #expect(try router.client("get", "/output/pa/gain").output == "-9.0")
    try write("{")
    router.child.send(signal: SIGHUP)
    #expect(router.child.errors.line(containing: "nothing was changed") != nil)
    #expect(try router.client("get", "/output/pa/gain").output == "-9.0")

    let refused = try router.client("reload")
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.error.contains("nothing was changed: \(preset):1:"))
    try write(text(-6))
    let reloaded = try router.client("reload")
    #expect(reloaded.code == 0 && reloaded.output.isEmpty && reloaded.error.isEmpty)
    #expect(try router.client("get", "/output/pa/gain").output == "-6.0")
    #expect(router.stop() == 0)
  }

  @Test("A reload reads the hosts of the configuration again, and a mistake in it changes nothing")
  func hosts() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("config.json")
    func write(_ hosts: String) throws {
      try Data("{ \"multiroute\": 1, \"hosts\": \(hosts) }".utf8).write(to: URL(fileURLWithPath: file))
    }
    try write("{}")
    let router = try RunningRouter(try await PrivateServer(), "--config", file)
    try write(#"{ "192.168.1.20": "control" }"#)
    #expect(try router.client("reload").code == 0)
    #expect(router.child.errors.line(containing: "hosts of the configuration: 192.168.1.20 control") != nil)
    try write(#"{ "192.168.1.20": "all" }"#)
    let refused = try router.client("reload")
    #expect(refused.code == 1 && refused.error.contains("nothing was changed: \(file):1:"))
    try write("{}")
    #expect(try router.client("reload").code == 0)
    #expect(router.child.errors.line(containing: "none but this machine is allowed") != nil)
    #expect(router.stop() == 0)
  }

  @Test("A mistake in the preset or in the configuration keeps a reload from changing the other one, too")
  func bothFiles() async throws {
    let folder = try TemporaryFolder()
    let (preset, file) = (folder.file("show.json"), folder.file("config.json"))
    func write(_ gain: Int?, _ host: String) throws {
      let text = gain.map {
        #"{ "multiroute": 1, "ports": { "pa": { "type": "usbAudio", "outputs": ["PA:*"], "channels": 2, "gain": \#($0) } } }"#
      }
      try Data((text ?? "{").utf8).write(to: URL(fileURLWithPath: preset))
      try Data(#"{ "multiroute": 1, "hosts": { "192.168.1.20": "\#(host)" } }"#.utf8).write(
        to: URL(fileURLWithPath: file))
    }
    try write(-3, "view")
    let router = try RunningRouter(try await PrivateServer(), preset, "--config", file)
    #expect(try router.client("send", "/preset/fade", "0").code == 0)
    try write(nil, "admin")
    let refused = try router.client("reload")
    #expect(refused.code == 1 && refused.error.contains("nothing was changed: \(preset):1:"))
    #expect(!router.child.errors.text.contains("reloaded the hosts"))
    try write(-9, "all")
    let wrong = try router.client("reload")
    #expect(wrong.code == 1 && wrong.error.contains("nothing was changed: \(file):1:"))
    #expect(try router.client("get", "/output/pa/gain").output == "-3.0")
    try write(-9, "admin")
    #expect(try router.client("reload").code == 0)
    #expect(router.child.errors.line(containing: "hosts of the configuration: 192.168.1.20 admin") != nil)
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
