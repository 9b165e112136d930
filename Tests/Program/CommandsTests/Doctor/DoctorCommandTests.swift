import Foundation
import SessionModel
import TemporaryFolders
import Testing
import WildPlugins

@testable import Commands

@Suite("multiroute doctor")
struct DoctorCommandTests {
  private struct Report: Decodable {
    struct Fact: Decodable {
      var check: String
      var fact: String
    }
    struct Finding: Decodable {
      var check, what, why, cure: String
      var audible: Bool
    }
    var audible: Int
    var facts: [Fact]
    var findings: [Finding]
  }

  /// Runs the doctor and returns its report and its exit code.
  private func examine(_ shell: Shell, _ words: String...) throws -> (report: Report, code: ExitCode) {
    let code = shell.run(["doctor", "--json"] + words)
    return (try JSONDecoder().decode(Report.self, from: Data(shell.terminal.bytes)), code)
  }

  @Test("It asks a running router what is heard past it, and which programs connect themselves")
  func router() throws {
    let router = try LoopRouter(
      LoopRouter.stage + [
        .jackPorts([JackPort("mpv-01:out_0", isInput: false, program: ProgramNames(client: "mpv-01"))]),
        .directPrograms([DirectProgram(client: "Game", sinks: ["usb:1"])]),
        .heardDirectly("show", "band", ["usb:2"]),
      ])
    let (report, code) = try examine(
      Shell.atHome(in: TemporaryFolder()), "--config", "none", "--to", router.endpoint)
    let findings = report.findings.filter { $0.check == "router" }
    #expect(
      findings.map(\.what) == [
        "Game plays at usb:1 now and belongs to no session", "show: also heard directly at usb:2",
        "mpv-01 connects itself when it starts",
      ])
    #expect(findings.map(\.audible) == [true, true, false])
    #expect(code == .failure)
  }

  @Test("It ends with 1 exactly if a finding would be heard, and needs no router")
  func alone() throws {
    let folder = try TemporaryFolder()
    var shell = Shell.atHome(in: folder)
    shell.environment = Environment([
      "HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("config"),
      "XDG_RUNTIME_DIR": folder.path("none"),
    ])
    let (report, code) = try examine(shell)
    #expect(report.audible == report.findings.count(where: \.audible))
    #expect(code == (report.audible > 0 ? .failure : .success))
    #expect(
      report.facts.contains { $0.check == "server" && $0.fact.contains("48000 Hz with 256 frames, 5.3 ms") })
  }

  @Test("Chains of effects are run: their time and latency are facts, and plugins that fail are faults")
  func effects() throws {
    let (folder, plugins) = (try TemporaryFolder(), try WildPlugins())
    var shell = Shell.atHome(in: folder)
    shell.environment = Environment([
      "HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("config"),
      "XDG_RUNTIME_DIR": folder.path("none"), "LV2_PATH": plugins.folder.path,
    ])
    _ = try folder.file(
      "config/multiroute/presets/show.json",
      #"""
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2 } }, "sessions": {
        "show": { "category": "multiRoute", "streams": { "band": { "channels": 2, "from": ["Band:*"], "to": { "usb": 0 },
          "effects": ["urn:multiroute:wild delay=480", "urn:multiroute:crashes", "compressor"] } } } } }
      """#)
    let (report, code) = try examine(shell)
    let fact = try #require(report.facts.first { $0.check == "effects" }?.fact)
    #expect(
      fact.hasPrefix("show.band of show takes ")
        && fact.hasSuffix(" us of 5333 us, latency 480 frames, 10.0 ms"),
      "\(fact)")
    let findings = report.findings.filter { $0.check == "effects" }
    #expect(code == .failure && findings.count == 2, "\(findings)")
    for words in [
      "effect 2 of show.band of the preset show: urn:multiroute:crashes has crashed (signal 11)",
      "effect 3 of show.band of the preset show: the plugin http://lsp-plug.in/plugins/lv2/compressor_stereo is not installed; install",
    ] {
      #expect(findings.contains { $0.what.hasPrefix(words) && $0.audible }, "\(findings)")
    }
  }

  @Test("A router that is named and does not answer is an error")
  func named() {
    let shell = Shell()
    #expect(
      shell.run("doctor", "--config", "none", "--to", "127.0.0.1:9", "--timeout", "0.05") == .unavailable)
  }

  @Test(
    "Presets that would not load, presets of the show that do not exist, and ports that no preset matches")
  func presets() throws {
    let folder = try TemporaryFolder()
    var shell = Shell.atHome(in: folder)
    shell.environment = Environment([
      "HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("config"),
      "XDG_RUNTIME_DIR": folder.path("none"),
    ])
    _ = try folder.file(
      "config/multiroute/config.json", #"{ "multiroute": 1, "scenes": ["show", "broken", "gone"] }"#)
    _ = try folder.file(
      "config/multiroute/presets/show.json",
      #"""
      { "multiroute": 1,
        "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:playback_*"], "channels": 2 } },
        "sessions": { "show": { "category": "multiRoute", "streams": {
          "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb": 0 } } },
          "capture": { "channels": 1, "to": ["Phone:in_*"] } } } }
      """#)
    _ = try folder.file("config/multiroute/presets/broken.json", #"{ "multiroute": 1, "sesions": {} }"#)
    _ = try folder.file("config/multiroute/presets/other.json", "{")
    let (report, code) = try examine(shell)
    let presets = report.findings.filter { $0.check == "presets" }
    #expect(presets.map(\.audible) == [true, false, true], "\(presets)")
    #expect(
      presets[0].what.contains("sesions") && presets[1].what.contains("the preset other would not load"))
    #expect(presets[2].what.contains("names the preset gone"))
    #expect(code == .failure)
    let ports = report.findings.filter { $0.check == "ports" }
    #expect(
      ports.map(\.what) == ["no preset of yours matches Deck:out_1, Deck:out_2, Deck:out_3"], "\(ports)")
  }

  @Test("For people it prints what was looked at, then the faults, then the hints, and how many there are")
  func text() {
    var machine = DoctorCheckTests.healthy
    let terminal = Terminal()
    DoctorReport(machine).print(on: terminal.console())
    #expect(terminal.lines.first == "CHECK      THIS MACHINE")
    #expect(terminal.lines.last == "Nothing was found that would be heard, and nothing to improve.")
    machine.clock.current = "hpet"
    machine.limits.priority = 0
    machine.limitLines = []
    let second = Terminal()
    DoctorReport(machine).print(on: second.console())
    let lines = second.lines
    let fault = lines.firstIndex { $0.hasPrefix("FAULT  alice may not have real-time priority.") }
    let hint = lines.firstIndex { $0.hasPrefix("HINT   the kernel reads the time from hpet.") }
    #expect(fault != nil && hint != nil && fault! < hint!)
    // A command is copied as a whole.
    #expect(lines.contains { $0.contains("printf '@audio") && $0.hasSuffix("# then log in again") })
    #expect(lines.last == "1 fault would be heard; 1 hint.")
  }
}
