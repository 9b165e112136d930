import JSON5
import Presets
import SessionModel
import Testing

@Suite("A preset's events put its settings into force")
struct PresetEventTests {
  private func preset(_ text: String) throws -> Preset {
    let (preset, problems) = Show.read(text)
    #expect(problems == [])
    return try #require(preset)
  }

  @Test("Ports come first, a guard before its stream's destinations, activation last")
  func order() throws {
    let events = try preset(Show.text(session: "gain: -3, active: true,", root: "ramp: 0.05,")).events(
      for: Show.emptyState)
    var usb = Port(
      id: "usb", name: "usb", type: .usbAudio,
      globs: [PortGlob("USB:playback_1")!, PortGlob("USB:playback_2")!], channels: 2)
    let usbOutput = usb
    (usb.globs, usb.declaredChannels) = ([PortGlob("USB:capture_1")!], 1)
    let headphones = Port(
      id: "headphones", name: "headphones", type: .headphones,
      globs: [PortGlob("Headphones:playback_*")!], channels: 2)
    #expect(
      events == [
        .declarePort(.output, usbOutput),
        .declarePort(.input, usb),
        .declarePort(.output, headphones),
        .router(.ramp(.store(0.05))),
        .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        .createStream("show", "band", channels: 2, placed: false),
        .createStream("show", "click", channels: 1, placed: false),
        .destination("show", "band", "usb", .channels(.default)),
        .destination("show", "band", "usb", .gain(.store(0))),
        .destination("show", "band", "usb", .on(true)),
        .stream("show", "click", .never(["usb"])),
        .destination("show", "click", "headphones", .channels(.default)),
        .destination("show", "click", "headphones", .gain(.store(-6))),
        .destination("show", "click", "headphones", .on(true)),
        .session("show", .gain(.store(-3))),
        .session("show", .resumption(.recommended)),
        .session("show", .unplug(.wait)),
        .session("show", .activation(.connected)),
        .activate("show"),
      ])
  }

  @Test("A setting that is in force already gives no event")
  func nothingTwice() throws {
    let preset = try preset(
      Show.text(
        band:
          #"from: ["Band:*", "input:usb"], pan: 0.2, to: { usb: { map: "1:2", tap: "pre", gain: "off" } }"#,
        session:
          #"options: ["mixWithOthers"], activate: "start", capture: { to: ["Phone*"], mix: { usb: -3 } },"#))
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    #expect(preset.events(for: state) == [])
    #expect(!preset.events(for: Show.emptyState).isEmpty)
  }

  @Test("A recall changes only settings that differ from the preset and that the preset names")
  func recall() throws {
    let preset = try preset(Show.text())
    var state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    state = try Show.state(
      state,
      after: [
        .session("show", .gain(.set(-20))), .session("show", .activation(.manual)), .activate("show"),
        .destination("show", "click", "headphones", .gain(.set(-30))),
        .destination("show", "band", "usb", .on(false)),
        .createSession("talk", SessionConfiguration(category: .playback)),
      ])
    #expect(
      preset.events(for: state) == [
        .destination("show", "band", "usb", .on(true)),
        .destination("show", "click", "headphones", .gain(.store(-6))),
      ])
  }

  @Test("A stream of another width is made anew under its guard, and keeps its sources and level")
  func width() throws {
    let narrow = try preset(
      Show.text(band: #"channels: 1, from: ["Band:*"], never: ["headphones"], to: { usb: 0 }"#))
    var state = try Show.state(Show.emptyState, after: narrow.events(for: Show.emptyState))
    state = try Show.state(state, after: [.stream("show", "band", .gain(.set(-9)))])
    let wide = try preset(Show.text(band: "channels: 2, to: { usb: -3 }"))
    state = try Show.state(state, after: wide.events(for: state))
    let band = try #require(state.sessions["show"]?.streams["band"])
    #expect(band.channels == 2)
    #expect(band.gain.target == -9)
    #expect(band.sources == [.ports(ProgramPorts("Band:*")!)])
    #expect(band.never == ["headphones"])
    #expect(band.destinations["usb"]?.gain.target == -3)
    #expect(band.destinations["usb"]?.isOn == true)
  }

  @Test("Options and mode stay with a category that stays")
  func configuration() throws {
    let loose = try preset(Show.text(session: #"options: ["mixWithOthers"],"#))
    let silent = try preset(Show.text())
    let state = try Show.state(Show.emptyState, after: loose.events(for: Show.emptyState))
    #expect(silent.events(for: state) == [])
    let strict = try preset(Show.text(session: "options: [],"))
    #expect(
      strict.events(for: state) == [
        .configure("show", SessionConfiguration(category: .multiRoute, options: []))
      ])
  }

  @Test(
    "The key active activates or deactivates a session, and gives no event for a session that is active already"
  )
  func active() throws {
    let (on, off) = (
      try preset(Show.text(session: "active: true,")), try preset(Show.text(session: "active: false,"))
    )
    #expect(!off.events(for: Show.emptyState).contains(.deactivate("show", notifyingOthers: true)))
    let state = try Show.state(Show.emptyState, after: on.events(for: Show.emptyState))
    #expect(state.sessions["show"]?.isActive == true)
    #expect(on.events(for: state) == [])
    #expect(off.events(for: state) == [.deactivate("show", notifyingOthers: true)])
  }

  @Test("A destination is checked with the channels of the preset, never with the default ones")
  func channels() throws {
    let preset = try preset(
      Show.text(band: #"channels: 3, to: { usb: { map: "1:1,2:2,3:1", gain: -3 } }"#))
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    let destination = try #require(state.sessions["show"]?.streams["band"]?.destinations["usb"])
    #expect(
      destination.channels
        == .map([.init(stream: 1, port: 1), .init(stream: 2, port: 2), .init(stream: 3, port: 1)]))
  }

  @Test("A capture has one channel unless the preset sets the number, and its mix names sessions and inputs")
  func capture() throws {
    let preset = try preset(
      Show.text(
        session: #"capture: { to: ["Phone:*"], mix: { talk: -6, usb: 0, "input:usb": -1 } },"#
      ).replacing(
        "sessions: {", with: #"sessions: { talk: { category: "ambient", output: "headphones" },"#))
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    let capture = try #require(state.sessions["show"]?.capture)
    #expect(capture.channels == 1)
    #expect(capture.destinations.map(\.text) == ["Phone:*"])
    #expect(capture.sessions["talk"]?.isOn == true)
    #expect(capture.sessions["talk"]?.gain.stored == -6)
    #expect(capture.inputs["usb"]?.gain.target == -1)
    #expect(!capture.containsRoute, "the mix names all that the capture contains")
    #expect(preset.sessions == ["talk", "show"], "not in the order of the file")
    #expect(preset.ports == ["usb", "headphones"])
  }

  @Test(
    "A capture contains the input of its route if it has no mix, or if the preset says so",
    arguments: [
      (#"{ to: ["Phone:*"] }"#, true), (#"{ to: ["Phone:*"], mix: {} }"#, false),
      (#"{ mix: { usb: 0 }, route: true }"#, true), (#"{ mix: { usb: 0 } }"#, false),
      (#"{ route: false }"#, false),
    ])
  func captureRoute(_ capture: String, _ isContained: Bool) throws {
    let preset = try preset(Show.text(session: "capture: \(capture),"))
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    #expect(state.sessions["show"]?.capture.containsRoute == isContained)
  }

  @Test("A preset without a title has its id as its title")
  func title() throws {
    let named = try preset(Show.text(root: #"title: "The show","#))
    #expect((named.id, named.title) == ("show", "The show"))
    let plain = try preset(Show.text())
    #expect(plain.title == "show")
  }

  @Test(
    "A node belongs to both directions of a port; the data sources and the choice of one belong to the input")
  func nodesAndSources() throws {
    let preset = try preset(
      #"""
      { multiroute: 1, ports: { array: { type: "usbAudio", node: "*usb-Array*", outputs: ["Array:playback_1"],
          sources: { front: ["Array:capture_1", "Array:capture_2"], back: ["Array:capture_3"] }, source: "back" } } }
      """#)
    var state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    #expect(state.outputs["array"]?.node == PortGlob("*usb-Array*"))
    let input = try #require(state.inputs["array"])
    #expect(input.node == PortGlob("*usb-Array*"))
    #expect(input.sources.map(\.id) == ["front", "back"])
    #expect(input.memberGlobs == [PortGlob("Array:capture_3")!])
    #expect(input.channels == 2)
    #expect(preset.events(for: state) == [])
    // A recall replaces the operator's choice by that of the preset.
    state = try Show.state(state, after: [.port(.input, "array", .source("front"))])
    #expect(preset.events(for: state) == [.port(.input, "array", .source("back"))])
  }

  @Test("Two entries may name the same JACK ports only if their nodes differ")
  func sameNamesOfTwoNodes() {
    func problems(_ first: String, _ second: String) -> [String] {
      Show.read(
        """
        { multiroute: 1, ports: {
          a: { type: "usbAudio", outputs: ["Twin:*"], channels: 2 \(first) },
          b: { type: "usbAudio", outputs: ["Twin:*"], channels: 2 \(second) } } }
        """
      ).problems
    }
    #expect(problems(#", node: "x""#, #", node: "y""#) == [])
    #expect(problems(#", node: "x""#, #", node: "x""#).count == 1)
    #expect(problems("", "").count == 1)
  }
}
