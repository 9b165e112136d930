import Presets
import SessionModel
import Testing

@Suite("A preset's events bring a router to what it names")
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
    (usb.globs, usb.channels) = ([PortGlob("USB:capture_1")!], 1)
    let headphones = Port(
      id: "headphones", name: "headphones", type: .headphones,
      globs: [PortGlob("Headphones:playback_*")!], channels: 2)
    #expect(
      events == [
        .declarePort(.output, usbOutput),
        .declarePort(.input, usb),
        .declarePort(.output, headphones),
        .router(.ramp(.store(0.05))),
        .createSession("show", SessionConfiguration(category: .multiRoute)),
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

  @Test("What is in force already gives no event")
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

  @Test("A recall touches only what the operator changed, and leaves alone what it does not name")
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
    #expect(band.sources == [.ports(PortGlob("Band:*")!)])
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

  @Test("active says whether a session runs, and nothing is said to one that does already")
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

  @Test("A destination is judged by the channels that are meant, never by the default ones")
  func channels() throws {
    let preset = try preset(
      Show.text(band: #"channels: 3, to: { usb: { map: "1:1,2:2,3:1", gain: -3 } }"#))
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    let destination = try #require(state.sessions["show"]?.streams["band"]?.destinations["usb"])
    #expect(
      destination.channels
        == .map([.init(stream: 1, port: 1), .init(stream: 2, port: 2), .init(stream: 3, port: 1)]))
  }

  @Test("A capture has one channel unless it says, and its mix names sessions and inputs")
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
    #expect(preset.sessions == ["talk", "show"], "in the order of the file")
    #expect(preset.ports == ["usb", "headphones"])
  }

  @Test("Title and fade are kept; a preset without a title is called by its id")
  func title() throws {
    let named = try preset(Show.text(root: #"title: "The show", fade: 2.5,"#))
    #expect((named.id, named.title, named.fade) == ("show", "The show", 2.5))
    let plain = try preset(Show.text())
    #expect((plain.title, plain.fade) == ("show", nil))
  }

  @Test("A node goes with both directions of a port, data sources and the choice among them with its input")
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
    // The operator's choice is the preset's again after a recall.
    state = try Show.state(state, after: [.port(.input, "array", .source("front"))])
    #expect(preset.events(for: state) == [.port(.input, "array", .source("back"))])
  }

  @Test("Two entries may name the same JACK ports where their nodes differ, and only then")
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
