import SessionModel
import SessionPolicy
import Testing

@testable import Layouts

@Suite("The layout of a preset has what an operator and a musician need, each at its place")
struct LayoutTests {
  @Test(
    "The first page has as many strips as asked for, with all that a strip has", arguments: [1, 4, 8, 24])
  func mixer(bank: Int) throws {
    let layout = Example.anyShow(bank: bank)
    let strip = ["name", "state", "mute", "gain/text", "meter/level", "fader"]
    #expect(layout.pages.map(\.name) == ["Mixer", "Show"])
    #expect(
      layout.pages[0].addresses == (1...bank).flatMap { number in strip.map { "/strip/\(number)/\($0)" } } + [
        "/bank/1/prev", "/bank/1/next",
      ])
    #expect(layout.greeting.first == .init("/bank/1/size", .integer(bank)))
  }

  @Test("A second tablet has a bank and strips of its own")
  func tablets() {
    let layout = Layout(of: nil, scenes: [], bank: 4, tablet: 3, law: Policy.reduce)
    let faders = layout.pages[0].addresses.filter { $0.hasSuffix("/fader") }
    #expect(faders == (17...20).map { "/strip/\($0)/fader" })
    #expect(layout.pages[0].addresses.suffix(2) == ["/bank/3/prev", "/bank/3/next"])
    #expect(
      layout.greeting[..<2] == [
        .init("/bank/3/size", .integer(4)),
        .subscription(to: "/strip/{17,18,19,20}/{name,state,color,mute,fader}", rate: 30),
      ])
    #expect([1, 6, 7, 8].map { Layout.mostFaders(of: $0) } == [24, 24, 16, 8])
  }

  @Test(
    "Scenes, sessions that duck others, players and recorders have buttons; panic, phone and GO are on every page"
  )
  func buttons() throws {
    let layout = try Example.layout()
    #expect(
      layout.pages[1].addresses == [
        "/preset/current", "/preset/progress", "/preset/prev", "/preset/next", "/preset/abort",
        "/preset/undo",
        "/preset/rooms/recall", "/preset/act-2/recall", "/session/announce/active", "/player/walkin/playing",
        "/recorder/tape/recording",
      ])
    #expect(
      layout.bar.compactMap(\.address) == [
        "/system/panic", "/interruption/phone/on", "/preset/go", "/session/announce/active",
        "/preset/standby",
      ])
    let labels = layout.bar.compactMap { if case .toggle(_, let label) = $0.role { label } else { nil } }
    #expect(labels == ["PANIC", "Phone", "Announcement"])
  }

  @Test("A talkback has a button that is held, with its lamp; no other preset has one")
  func talkback() throws {
    let talk = """
      , talk: { category: "multiRoute", streams: { main: { channels: 1, from: ["Talk:*"] } }, talkback: { to: ["pa"] } }
      """
    let layout = try Example.layout(Example.sessions + talk)
    let button = try #require(layout.pages[1].widgets.first { $0.address == "/talkback/talk/on" })
    #expect(button.role == .hold(Leaf("/talkback/<talk>/on", "talk"), label: "Talk talk"))
    #expect(layout.greeting.contains(.subscription(to: "/talkback/*/on", rate: 30)))
    #expect(try Example.layout().greeting.allSatisfy { !"\($0)".contains("talkback") })
  }

  @Test("A group has a button that mutes it; no other preset has one")
  func group() throws {
    let layout = try Example.layout(
      root:
        #"groups: { drums: { name: "Drums", members: ["stream:show.band"] }, all: { members: ["session:*"] } }"#
    )
    let buttons = layout.pages[1].widgets.filter { $0.address?.hasPrefix("/group/") == true }
    #expect(
      buttons.map(\.role) == [
        .toggle(Leaf("/group/<g>/mute", "drums"), label: "Mute Drums"),
        .toggle(Leaf("/group/<g>/mute", "all"), label: "Mute all"),
      ])
    #expect(layout.greeting.contains(.subscription(to: "/group/*/mute", rate: 30)))
    #expect(try Example.layout().greeting.allSatisfy { !"\($0)".contains("group") })
  }

  @Test("The page of an output has what goes there, also what is off, and nothing of another output")
  func mixes() throws {
    let layout = try Example.layout()
    // Nothing is sent to the spare output.
    #expect(layout.pages.map(\.name) == ["Mixer", "Show", "Mix pa", "Mix foyer"])
    let levels = layout.pages.map { page in page.addresses.filter { $0.hasSuffix("/fader") } }
    #expect(levels[2] == ["/session/show/stream/band/to/pa/fader", "/output/pa/fader"])
    #expect(
      levels[3] == [
        "/session/show/stream/band/to/foyer/fader", "/session/show/stream/click/to/foyer/fader",
        "/session/music/stream/main/fader", "/session/music/stream/fx/fader",
        "/session/announce/stream/voice/to/foyer/fader", "/output/foyer/fader",
      ])
    #expect(layout.pages[2].addresses.contains("/session/show/stream/band/to/pa/on"))
    #expect(layout.pages[3].addresses.contains("/session/music/stream/fx/mute"))
    // Two meters for two channels, one for one.
    #expect(
      layout.pages[2].addresses.filter { $0.hasPrefix("/meter/") } == [
        "/meter/output/pa/1", "/meter/output/pa/2",
      ])
    #expect(layout.pages[3].addresses.filter { $0.hasPrefix("/meter/") } == ["/meter/output/foyer/1"])
  }

  @Test("An output that asks for a PPM shows it in the place of its peak")
  func ppm() throws {
    let layout = try Example.layout(pa: #"meters: ["ppm"]"#)
    #expect(
      layout.pages[2].addresses.filter { $0.hasPrefix("/meter/") } == [
        "/meter/output/pa/ppm/1", "/meter/output/pa/ppm/2",
      ])
    #expect(layout.pages[3].addresses.filter { $0.hasPrefix("/meter/") } == ["/meter/output/foyer/1"])
    let meter = Layout.Message.subscription(to: "/meter/output/{pa,foyer}/ppm/[1-2]", rate: 15)
    #expect(layout.greeting.contains(meter))
    #expect(try !Example.layout().greeting.contains(meter))
  }

  @Test("Effects have a page: a fader for each control that the preset sets, and each effect's switch")
  func effects() throws {
    let layout = try Example.layout(
      #"""
      show: { category: "multiRoute", streams: { band: { effects: ["high-pass HPfreq=90", "gate"], to: { pa: 0 } } } },
      music: { category: "playback", output: "foyer", streams: { main: {} } }
      """#,
      pa: #"effects: ["limiter threshold=-3 release=0.1"]"#)
    let pages = layout.pages.filter { $0.name.hasPrefix("FX ") }
    #expect(pages.map(\.name) == ["FX band", "FX pa"])
    let band = "/session/show/stream/band/effect"
    #expect(
      pages[0].addresses == [
        "\(band)/1/on", "\(band)/1/control/HPfreq/text", "\(band)/1/control/HPfreq/fader", "\(band)/2/on",
      ])
    #expect(
      pages[1].addresses.filter { $0.hasSuffix("/fader") } == [
        "/output/pa/effect/1/control/release/fader", "/output/pa/effect/1/control/threshold/fader",
      ])
    for pattern in [
      "\(band)/1/on", "\(band)/1/control/{HPfreq}/{fader,text}", "\(band)/2/on",
      "/output/pa/effect/1/control/{release,threshold}/{fader,text}",
    ] {
      #expect(layout.greeting.contains(.subscription(to: pattern, rate: 30)), "\(pattern)")
    }
  }

  @Test("The page of a capture has a level for each part of it, its meter and its sentence")
  func captures() throws {
    let layout = try Example.layout(
      """
      host: { category: "multiRoute", color: "#12ab34", name: "Host", streams: { mic: { to: { pa: 0 } } } },
      music: { category: "playback", output: "pa", streams: { main: {} } },
      caller: { category: "playAndRecord", output: "pa", streams: { voice: {} },
        capture: { channels: 1, to: ["baresip:in"], mix: { host: 0, music: -6 } } }
      """)
    let page = try #require(layout.pages.last)
    #expect(page.name == "To caller")
    func part(_ id: String) -> [String] {
      ["on", "gain/text", "fader"].map { "/session/caller/capture/session/\(id)/\($0)" }
    }
    #expect(
      page.addresses == ["/session/caller/capture/why", "/meter/capture/caller/1"] + part("host")
        + part("music"))
    let captions = page.widgets.compactMap { if case .caption(let text) = $0.role { text } else { nil } }
    #expect(captions == ["Host", "session", "music", "session"])
    #expect(try Example.layout().pages.allSatisfy { !$0.name.hasPrefix("To ") })
  }

  @Test("A fader has the colour of its stream, else that of its session, and a strip that of its target")
  func colors() throws {
    let layout = try Example.layout()
    let tints = layout.pages[3].widgets.compactMap { widget -> Tint? in
      if case .fader = widget.role { widget.color } else { nil }
    }
    #expect(tints == [.own("#12ab34"), .own("#ff8800"), .level, .level, .level, .scene])
    #expect(layout.pages[0].widgets[0].color == .strip(1))
  }

  @Test("An output that thirty streams reach has two pages, each with the output itself")
  func manyStreams() throws {
    let sends = (1...30).map { "s\($0): { to: { pa: 0 } }" }.joined(separator: ", ")
    let layout = try Example.layout(
      "show: { category: \"multiRoute\", streams: { \(sends) } }, music: { category: \"playback\", streams: { main: {} } }"
    )
    let mixes = layout.pages.filter { $0.name.hasPrefix("Mix pa") }
    #expect(mixes.map(\.name) == ["Mix pa 1", "Mix pa 2"])
    let levels = mixes.map { $0.addresses.filter { $0.hasSuffix("/fader") } }
    let streams = (1...30).map { "/session/show/stream/s\($0)/to/pa/fader" }
    let music = layout.pages.flatMap(\.addresses).contains("/session/music/stream/main/fader")
    #expect(music)
    #expect(levels[0] == streams[..<27] + ["/output/pa/fader"])
    #expect(levels[1].filter { $0.contains("/show/") } == streams[27...] + [])
    #expect(levels[1].last == "/output/pa/fader")
  }

  @Test("A hundred scenes get pages of their own, and subscriptions that the router accepts")
  func manyScenes() throws {
    let scenes = (1...100).map { PresetID("a-scene-with-a-long-name-\($0)")! }
    let layout = try Example.layout(scenes: scenes)
    #expect(
      layout.pages.map(\.name) == ["Mixer", "Show 1", "Show 2", "Show 3", "Mix pa", "Mix foyer"])
    let shown = layout.pages[1...3].flatMap(\.addresses).filter { $0.hasSuffix("/recall") }
    #expect(shown == scenes.map { "/preset/\($0)/recall" })
    let patterns = layout.greeting.compactMap { message -> String? in
      if case .text(let pattern)? = message.arguments.first { pattern } else { nil }
    }
    #expect(patterns.contains("/preset/*/recall"))
    #expect(patterns.allSatisfy { $0.utf8.count <= 1_024 && $0.hasPrefix("/") })
  }

  @Test(
    "No widget lies over another one or past the edge, and none is too small for a finger",
    arguments: [(2, 8), (40, 1), (40, 24)])
  func places(streams: Int, bank: Int) throws {
    let sends = (1...streams).map { "s\($0): { to: { pa: 0, foyer: 0 } }" }.joined(separator: ", ")
    let scenes = (1...streams).map { PresetID("scene-\($0)")! }
    let layout = try Example.layout(
      "show: { category: \"multiRoute\", streams: { \(sends) } }, music: { category: \"playback\", streams: { main: {} } }",
      scenes: scenes, bank: bank)
    var shelves = layout.pages.map { ($0.name, $0.widgets, Layout.size.height) }
    shelves.append(("bar", layout.bar, Layout.barHeight))
    for (name, widgets, height) in shelves {
      for (index, widget) in widgets.enumerated() {
        let place = widget.place
        #expect(
          place.x >= 0 && place.y >= 0 && place.x + place.width <= Layout.size.width
            && place.y + place.height <= height, "\(name): \(widget)")
        #expect(!widgets[..<index].contains { $0.place.overlaps(place) }, "\(name): \(widget)")
        guard widget.isTouched else { continue }
        #expect(place.width >= 18 && place.height >= 40, "\(name): \(widget)")
      }
    }
  }
}

extension Place {
  fileprivate func overlaps(_ other: Place) -> Bool {
    x + 1e-6 < other.x + other.width && other.x + 1e-6 < x + width && y + 1e-6 < other.y + other.height
      && other.y + 1e-6 < y + height
  }
}

extension Widget {
  fileprivate var isTouched: Bool {
    switch role {
    case .fader, .toggle, .hold, .trigger, .lamp: true
    case .meter, .text, .caption: false
    }
  }
}
