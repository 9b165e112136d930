import Checkout
import Effects
import Foundation
import SystemCalls
import TemporaryFolders
import Testing
import WildPlugins

@testable import Commands

@Suite("check and presets work on the library")
struct PresetCommandTests {
  private let source = Checkout.root.path()
  private let folder: TemporaryFolder
  private var shell: Shell

  init() throws {
    folder = try TemporaryFolder()
    shell = .atHome(in: folder)
  }

  @Test("A shipped preset is found by its id, and is correct")
  func shipped() {
    #expect(shell.run("check", "usb-and-headphones") == .success)
    #expect(shell.terminal.output.isEmpty && shell.terminal.error.isEmpty)
  }

  @Test("Every problem of every preset is named, with file and line, and the code is 65")
  func problems() throws {
    let first = try folder.file("first.json", #"{ "multiroute": 1, "sesions": {} }"#)
    let second = try folder.file(
      "second.json", "{\n  \"multiroute\": 1,\n  \"sessions\": { \"a\": {} },\n  \"fade\": -1,\n}")
    #expect(shell.run("check", first, second, "usb-and-headphones") == .badPreset)
    let lines = shell.terminal.error.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.contains { $0.hasPrefix("\(first):1:") && $0.contains("did you mean \"sessions\"?") })
    #expect(lines.contains { $0.hasPrefix("\(second):3:") && $0.contains("category") })
    #expect(lines.contains { $0.hasPrefix("\(second):4:") && $0.contains("fade") })
    #expect(shell.terminal.output.isEmpty)
  }

  @Test("check tells which outputs cannot be rendered, because their number of channels is unknown")
  func widths() throws {
    let show = try folder.file(
      "show.json",
      """
      { "multiroute": 1, "ports": {
        "usb": { "type": "usbAudio", "outputs": ["USB:*"] },
        "hall": { "type": "lineOut", "outputs": ["Hall:*"], "channels": 2 } } }
      """)
    #expect(shell.run("check", show) == .success)
    #expect(shell.terminal.error.contains("\(show):2:"))
    #expect(
      shell.terminal.error.contains("warning: ports.usb: the number of channels of \"usb\" is known only"))
    #expect(!shell.terminal.error.contains("hall"))
  }

  @Test(
    "check --live names each glob that matches no port, with the nearest port, and the preset stays correct")
  func live() throws {
    let show = try folder.file(
      "show.json",
      """
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["UBS:playback_*"], "channels": 2 } },
        "sessions": { "show": { "category": "multiRoute", "streams": {
          "band": { "from": ["Bund:out_1"], "to": { "usb": 0 } }, "click": { "from": ["Band:*"], "to": { "usb": 0 } } } } } }
      """)
    #expect(shell.run("check", show) == .success)
    #expect(shell.terminal.error.isEmpty)
    #expect(shell.run("check", "--live", show) == .success)
    let lines = shell.terminal.error.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first.map {
        $0.hasPrefix("\(show):1:") && $0.contains("UBS:playback_*; the nearest port is USB:playback_1")
      } == true)
    #expect(lines.last?.contains("nothing matches Bund:out_1; the nearest port is Band:out_1") == true)
  }

  @Test("check --live names channels and ports without a counterpart, and cables that lead past the router")
  func livePast() throws {
    func preset(_ extra: String, sole: Bool) throws -> String {
      try folder.file(
        "past.json",
        """
        { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2 } }, "sessions": {
          "show": { "category": "multiRoute", "streams": { "decks": { "from": ["Deck:*"]\(extra), "to": { "usb": 0 } } },
            "capture": { "to": ["Phone:*"], "sole": \(sole) } } } }
        """)
    }
    #expect(shell.run("check", "--live", try preset("", sole: false)) == .success)
    let lines = shell.terminal.error.split(separator: "\n")
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.contains { $0.contains("no channel of decks takes Deck:out_3") })
    #expect(lines.contains { $0.contains("Deck:out_3 is also connected to USB:playback_2, past the router") })
    #expect(lines.contains { $0.contains("USB:capture_1 is connected to Phone:in_1, past the router") })
    // The router frees these ports itself.
    let freed = Shell()
    #expect(freed.run("check", "--live", try preset(", \"exclusive\": true", sole: true)) == .success)
    #expect(!freed.terminal.error.contains("past the router"))
  }

  @Test("check --live names a monitor that would come back to its own device")
  func liveLoop() throws {
    func said(_ extra: String) throws -> String {
      let path = try folder.file(
        "loop.json",
        """
        { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:playback_*"], "channels": 2 } }, "sessions": {
          "show": { "category": "multiRoute", "streams": { "tape": { "from": ["USB:monitor_*"]\(extra), "to": { "usb": 0 } } } } } }
        """)
      let shell = Shell()
      #expect(shell.run("check", "--live", path) == .success)
      return shell.terminal.error
    }
    #expect(try said("").contains("the stream takes the monitor of usb and goes to usb"))
    #expect(try !said(", \"loop\": true").contains("monitor of usb"))
  }

  @Test("presets show prints a preset, and --wireplumber a script for its programs")
  func show() throws {
    let text = """
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2 } }, "sessions": {
        "show": { "category": "multiRoute", "streams": {
          "band": { "from": ["mpv-x:out_*", { "application": "Fire*", "media": "a.b?" }], "to": { "usb": 0 } } } } } }
      """
    let show = try folder.file("tour.json", text)
    #expect(shell.run("presets", "show", show) == .success)
    #expect(shell.terminal.output == text)
    let rule = Shell()
    #expect(rule.run("presets", "show", show, "--wireplumber") == .success)
    let script = rule.terminal.output
    #expect(script.contains("{ [\"client\"] = \"^mpv%-x$\" },"))
    #expect(script.contains("{ [\"application.name\"] = \"^Fire.*$\", [\"media.name\"] = \"^a%.b.$\" },"))
    #expect(script.contains("multiroute-tour.lua"))
    #expect(
      Shell().run("presets", "--wireplumber") == .usage && Shell().run("presets", "hide", show) == .usage)
    #expect(Shell().run("presets", "show", folder.path("nothing.json")) == .unreadableFile)
  }

  @Test("presets show --plan and --svg draw the routing of a preset, one of the two at a time")
  func drawings() {
    #expect(shell.run("presets", "show", "theatre", "--plan") == .success)
    #expect(shell.terminal.output.contains("──▶ music ┬───▶ house -12 dB"))
    var picture = Shell()
    picture.environment = shell.environment
    #expect(picture.run("presets", "show", "theatre", "--svg") == .success)
    #expect(picture.terminal.output.hasPrefix("<svg ") && picture.terminal.output.contains(">house -12 dB<"))
    #expect(picture.run("presets", "show", "theatre", "--plan", "--svg") == .usage)
    #expect(picture.run("presets", "--svg") == .usage)
    #expect(picture.run("presets", "show", "theater", "--svg") == .unreadableFile)
  }

  @Test("check warns of plugins that are not installed or cannot be used, and of bundles that are broken")
  func effects() throws {
    let plugins = try WildPlugins()
    try plugins.folder.write("<urn:broken> a ; nothing", to: "broken.lv2/manifest.ttl")
    var shell = shell
    shell.environment = Environment([
      "HOME": folder.path("home"), "LV2_PATH": plugins.folder.path,
    ])
    let show = try folder.file(
      "effects.json",
      """
      { "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2 } }, "sessions": {
        "show": { "category": "multiRoute", "streams": { "band": { "channels": 2, "from": ["Band:*"], "to": { "usb": 0 },
        "effects": [{ "plugin": "urn:multiroute:wild", "preset": "Lout", "set": { "gian": 3, "delay": 99999, "step": 1 } },
          "compressor", "urn:multiroute:worke",
          "urn:multiroute:voltage", "http://absent.example/plugin",
          "urn:zamaudio:ZamComp", "urn:multiroute:file"] } } } } }
      """)
    #expect(shell.run("check", show) == .success)
    let lines = shell.terminal.error.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("multiroute: ") && $0.contains("broken.lv2/manifest.ttl") }, "\(lines)")
    let warnings = lines.filter { $0.hasPrefix(show) }
    #expect(warnings.count == 9, "\(lines)")
    for (line, words) in [
      (3, "Wild of the tests has no preset Lout; did you mean 'Loud'?"),
      (3, "Wild of the tests has no control gian; did you mean 'gain'?"),
      (3, "delay of Wild of the tests will be 10000; write a value of 0..10000"),
      (
        4,
        "show.band: the plugin http://lsp-plug.in/plugins/lv2/compressor_stereo is not installed; \(EffectName.named("compressor")?.package.advice() ?? "")"
      ),
      (4, "the plugin urn:multiroute:worke is not installed; did you mean urn:multiroute:worker?"),
      (5, "Voltage of the tests cannot be used: it must get or give control voltages (volts)"),
      (5, "http://absent.example/plugin is not installed; install the package that has it"),
      (6, "the plugin urn:zamaudio:ZamComp is not installed; install the package zam-plugins"),
      (
        6, "File of the tests cannot be used: it needs a file (Impulse response), such as an impulse response"
      ),
    ] {
      #expect(
        warnings.contains { $0.hasPrefix("\(show):\(line):") && $0.contains(words) }, "\(words): \(warnings)")
    }
  }

  @Test("check names the nearest short name of an effect")
  func misspelt() throws {
    let show = try folder.file(
      "misspelt.json",
      #"{ "multiroute": 1, "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2, "effects": ["eqq"] } } }"#
    )
    #expect(shell.run("check", show) == .badPreset)
    #expect(
      shell.terminal.error.contains("'eqq' is no plugin; did you mean 'eq'?"), "\(shell.terminal.error)")
  }

  @Test("presets new says which effects are not installed, and which packages have them")
  func newWithoutPlugins() throws {
    let plugins = try WildPlugins()
    var shell = shell
    shell.environment = Environment([
      "HOME": folder.path("home"), "LV2_PATH": plugins.folder.path,
    ])
    #expect(shell.run("presets", "new", "mine") == .success)
    let lines = shell.terminal.error.split(separator: "\n")
    for (name, package) in [("eq", "limiter"), ("compressor", "gate"), ("de-esser", "reverb")] {
      let advice = EffectName.named(name)?.package.advice() ?? "none"
      #expect(
        lines.contains {
          $0.contains("not installed: effects ") && $0.contains(name) && $0.contains(package)
            && $0.hasSuffix(advice)
        },
        "\(lines)")
    }
  }

  @Test("A missing preset ends with 66, and the other presets are still checked")
  func absent() throws {
    #expect(shell.run("check", "usb-and-headphone") == .unreadableFile)
    #expect(shell.terminal.error.contains("did you mean \"usb-and-headphones\"?"))
    #expect(shell.run("check", folder.path("nothing.json")) == .unreadableFile)
    let broken = try folder.file("broken.json", "{}")
    #expect(shell.run("check", "absent", broken) == .badPreset)
    #expect(shell.terminal.error.contains("\(broken):1:1: multiroute"))
  }

  @Test("presets lists ids and titles; one's own comes before what ships")
  func list() throws {
    #expect(shell.run("presets") == .success)
    #expect(shell.terminal.lines[0].hasPrefix("PRESET"))
    #expect(shell.terminal.lines.contains { $0.hasPrefix("usb-and-headphones  ") && $0.contains(source) })
    let own = try folder.file(
      "home/.config/multiroute/presets/usb-and-headphones.json", #"{ "multiroute": 1, "title": "My own" }"#)
    #expect(shell.run("presets") == .success)
    let line = shell.terminal.lines.last { $0.hasPrefix("usb") } ?? ""
    #expect(line.hasPrefix("usb-and-headphones  My own  ") && line.hasSuffix("  \(own)"))
  }

  @Test("presets marks those that check refuses, and those that cannot be read")
  func refused() throws {
    for (name, text) in [("bad", #"{ "multiroute": 1, "title": "Bad", "sesions": {} }"#), ("half", "{")] {
      _ = try folder.file("home/.config/multiroute/presets/\(name).json", text)
    }
    #expect(shell.run("presets") == .success)
    for name in ["bad", "half"] {
      let line = shell.terminal.lines.first { $0.hasPrefix("\(name) ") }
      #expect(line?.contains("refused; see: multiroute check \(name)") == true, "\(shell.terminal.lines)")
    }
    #expect(!shell.terminal.lines.contains { $0.hasPrefix("usb-and-headphones ") && $0.contains("refused") })
  }

  @Test("--presets puts a folder in the place of one's own, as the configuration does")
  func folders() throws {
    _ = try folder.file("shows/one.json", #"{ "multiroute": 1, "title": "First" }"#)
    let configuration = try folder.file("config.json", #"{ "multiroute": 1, "presets": "shows" }"#)
    var shell = Shell()
    shell.environment = Environment(["HOME": folder.path("home")])
    #expect(shell.run("presets") == .success)
    #expect(shell.terminal.output.isEmpty && shell.terminal.error.hasPrefix("There is no preset in "))
    #expect(shell.run("presets", "--presets", folder.path("shows")) == .success)
    #expect(shell.run("presets", "--config", configuration) == .success)
    #expect(shell.terminal.lines.filter { $0.hasPrefix("one     First  ") }.count == 2)
    #expect(shell.run("check", "one", "--config", configuration) == .success)
  }
}
