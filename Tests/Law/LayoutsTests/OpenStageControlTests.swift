import Foundation
import Interpreters
import JSON5
import Testing

@testable import Layouts

@Suite("A session of Open Stage Control has only what the program knows")
struct OpenStageControlTests {
  /// The properties of the program's version 1.29.2, by type of widget.
  private static let common: Set = [
    "type", "id", "lock", "visible", "interaction", "comments", "left", "top", "width", "height", "expand",
    "colorText",
    "colorWidget", "colorStroke", "colorFill", "lineWidth", "borderRadius", "padding", "html", "css", "value",
    "default",
    "linkId", "address", "preArgs", "typeTags", "decimals", "target", "ignoreDefaults", "bypass", "onCreate",
    "onValue",
  ]
  private static let panel: Set = [
    "layout", "justify", "gridTemplate", "contain", "scroll", "innerPadding", "tabsPosition", "variables",
    "traversing",
    "widgets", "tabs",
  ]
  private static let own: [String: Set<String>] = [
    "fader": [
      "design", "horizontal", "pips", "snap", "touchZone", "spring", "doubleTap", "range", "logScale",
      "sensitivity",
      "steps", "origin", "onTouch",
    ],
    "button": ["label", "colorTextOn", "on", "off", "mode", "doubleTap", "decoupled", "wrap"],
    "text": ["wrap", "align", "vertical"],
    "panel": panel, "tab": panel.union(["label"]), "root": panel,
  ]

  /// All widgets of a file, as another reader of JSON sees them.
  private func widgets(_ layout: Layout) throws -> [[String: Any]] {
    let data = Data(layout.openStageControl.text.utf8)
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(root["createdWith"] as? String == "Open Stage Control" && root["version"] as? String == "1.29.2")
    #expect(root["type"] as? String == "session")
    return Self.all(try #require(root["content"] as? [String: Any]))
  }

  private static func all(_ widget: [String: Any]) -> [[String: Any]] {
    let children = ["widgets", "tabs"].flatMap { widget[$0] as? [[String: Any]] ?? [] }
    return [widget] + children.flatMap(all)
  }

  private static let layouts = [("a preset", try? Example.layout()), ("any show", Example.anyShow(bank: 24))]

  @Test("Every property is one of its type of widget, and every id is its own", arguments: [0, 1])
  func properties(_ index: Int) throws {
    let widgets = try widgets(try #require(Self.layouts[index].1))
    for widget in widgets {
      let type = try #require(widget["type"] as? String)
      let known = Self.common.union(try #require(Self.own[type], "\(type)"))
      #expect(Set(widget.keys).subtracting(known).isEmpty, "\(widget)")
      // A panel has widgets or tabs, not both.
      #expect(widget["widgets"] == nil || widget["tabs"] == nil)
    }
    let ids = widgets.compactMap { $0["id"] as? String }
    #expect(ids.count == widgets.count && Set(ids).count == ids.count)
    #expect(widgets[0]["id"] as? String == "root")
  }

  @Test(
    "A fader sends five decimals as a float and tells touches; a meter sends nothing; buttons send integers")
  func values() throws {
    let widgets = try widgets(try Example.layout())
    let faders = widgets.filter { $0["type"] as? String == "fader" }
    let (meters, levels) = (faders.filter { $0["bypass"] != nil }, faders.filter { $0["bypass"] == nil })
    #expect(meters.count == 12 && levels.count == 16)
    for level in levels {
      let address = try #require(level["address"] as? String)
      #expect(level["typeTags"] as? String == "f" && level["decimals"] as? Int == 5)
      #expect((level["onTouch"] as? String)?.hasPrefix("send('\(address)/touch', ") == true)
    }
    for meter in meters {
      #expect(meter["interaction"] as? Bool == false && meter["bypass"] as? Bool == true)
    }
    for button in widgets.filter({ $0["type"] as? String == "button" }) {
      #expect(button["typeTags"] as? String == "i" && button["on"] as? Int == 1 && button["off"] as? Int == 0)
      let mode = try #require(button["mode"] as? String)
      let address = try #require(button["address"] as? String)
      #expect(
        mode
          == (["go", "prev", "next", "abort", "undo"].contains { address.hasSuffix("/\($0)") }
            ? "tap"
            : address.hasSuffix("/recall") ? "push" : "toggle"))
    }
  }

  /// JavaScript with the program's functions as far as scripts use them. Prints what is sent.
  private static let program = """
    var locals = {}, tick
    function send(address) {
      var parts = [address]
      for (var i = 1; i < arguments.length; i++) parts.push(arguments[i].type, arguments[i].value)
      print(parts.join(' '))
    }
    function setInterval(id, action, time) { if (id == 'lease' && time == 3000) tick = action }
    """

  /// What the program sends while the hidden widget's scripts run and something happens to it.
  private func run(_ layout: Layout, _ happenings: String) throws -> [String] {
    let link = try #require(try widgets(layout).first { $0["id"] as? String == "link" })
    #expect(link["address"] as? String == "/alive" && link["visible"] as? Bool == false)
    let create = try #require(link["onCreate"] as? String)
    let receive = try #require(link["onValue"] as? String)
    return try Interpreter.lines(
      "duk",
      """
      \(Self.program)
      function alive() { \(receive) }
      (function () {
      \(create)
      })();
      \(happenings)
      """)
  }

  @Test("The layout subscribes when it begins, again when the router is silent, and in between in turn")
  func greeting() throws {
    let greeting = [
      "/bank/1/size i 2", "/subscribe s /strip/{1,2}/{name,state,color,mute,fader} f 30",
      "/subscribe s /strip/{1,2}/gain/text f 30", "/subscribe s /preset/{current,standby,progress} f 30",
      "/subscribe s /system/panic f 30", "/subscribe s /interruption/phone/on f 30",
      "/subscribe s /strip/{1,2}/meter/level f 15", "/get s /interruption/phone/on",
    ]
    let layout = Example.anyShow(bank: 2)
    #expect(try run(layout, "") == greeting)
    let alive = String(repeating: "alive(); tick(); ", count: 9)
    #expect(try run(layout, alive) == greeting + greeting + [greeting[0]])
    // The sign of life comes once a second, so none comes in the second tick only if the router is silent.
    #expect(try run(layout, "alive(); tick(); tick()") == greeting + [greeting[0]] + greeting)
  }

  @Test("A strip has the colour that the router tells, and its own while there is none")
  func colors() throws {
    let widgets = try widgets(Example.anyShow(bank: 2))
    let fader = try #require(widgets.first { $0["address"] as? String == "/strip/2/fader" })
    let text = try #require(fader["colorWidget"] as? String)
    let block = try #require(text.wholeMatch(of: #/JS\{ (.*)OSC\{/strip/2/color, none\}(.*) \}/#))
    let script = "function color(told) { \(block.output.1)told\(block.output.2) }"
    let lines = try Interpreter.lines("duk", script + " print(color('none')); print(color('#ff8800'))")
    #expect(lines == ["#4a90d9", "#ff8800"])
  }

  @Test("A title of any characters gives a file that other readers accept")
  func title() throws {
    let layout = try Example.layout(title: "Act \"2\" \\ ]]> <b> & 'übel'")
    #expect(try widgets(layout).count > 50)
  }
}
