import ControlInterface
import Effects
import JSON5
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

/// Tests the tree that OSCQuery's clients read, for every address of the table. A new row needs no new test.
@Suite("The tree of OSCQuery")
struct QueryTreeTests {
  /// Addresses below a value, which the tree leaves out, because clients lose a value with contents. They are asked for by themselves.
  private static let hidden: Set<String> = Set([
    "/session/<s>/activate/hold", "/session/<s>/activate/threshold", "/session/<s>/options/mask",
    "/session/<s>/rate/preferred", "/session/<s>/period/preferred", "/session/<s>/process/cancel",
    "/output/<o>/align/delay", "/recorder/<r>/file/now", "/recorder/<r>/file/open",
    "/meter/input/<i>/clip/reset",
    "/meter/output/<o>/clip/reset", "/meter/session/<s>/clip/reset", "/meter/stream/<s>/<t>/clip/reset",
    "/meter/capture/<c>/clip/reset", "/player/<p>/buffer/least", "/recorder/<r>/buffer/least",
    "/player/<p>/buffer/pulls", "/recorder/<r>/buffer/pulls", "/token/make", "/token/code", "/token/list",
    "/token/withdraw", "/output/<o>/dim/level", "/output/<o>/effects/fallback", "/meter/group/<g>/clip/reset",
  ]).union(ofControls)
  /// The same of each control of a plugin, wherever its chain is.
  private static let ofControls = [
    "/session/<s>/stream/<t>", "/session/<s>/capture", "/output/<o>", "/input/<i>",
  ].flatMap { place in
    ["range", "unit", "default", "text"].map { "\(place)/effect/<e>/control/<control>/\($0)" }
  }
  /// Values that give way to what is below them.
  private static let groups: Set = [
    "/meter/input/<i>", "/meter/output/<o>", "/meter/session/<s>", "/meter/stream/<s>/<t>",
    "/meter/capture/<c>", "/meter/group/<g>", "/meter/output/<o>/ppm", "/strip/<strip>/meter",
    "/health/xruns", "/health/drift",
  ]

  @Test("has every address of the reference once, but for those that stand below a value")
  func complete() throws {
    let desk = try Example.desk()
    let tree = try QueryNodes(desk.view)
    var expected: [String] = []
    for match in desk.surface.tree.find(prefix: nil, in: desk.state) {
      let template = match.parameter.address
      let isBelowValue = match.aspect == .position && match.parameter.isPluginControl
      guard [.value, .position].contains(match.aspect), !isBelowValue, !Self.hidden.contains(template),
        !Self.groups.contains(template)
      else { continue }
      expected.append(match.address)
    }
    #expect(Set(tree.values.map(\.address)).symmetricDifference(expected) == [])
    #expect(Set(tree.addresses).count == tree.addresses.count)
    for address in ["inc", "reset", "fade", "touch", "toggle", "text", "index", "next", "speaker"] {
      #expect(
        !tree.addresses.contains { $0.hasPrefix("/session/") && $0.hasSuffix("/\(address)") }, "\(address)")
    }
  }

  @Test(
    "tells the type, access and value that a get shows", arguments: Example.ofWritable + Example.ofReadOnly)
  func matches(_ example: Example) throws {
    var desk = try Example.desk()
    guard !Self.groups.contains(example.parameter.address) else { return }
    let node = try #require(try QueryNodes(desk.view, at: example.address)[example.address])
    let answer = desk.get(example.address)
    let value = try #require(answer)
    #expect(node["ACCESS"]?.number == (example.parameter.isWritable ? 3 : 1))
    // Brothers that differ by their ids alone have none.
    if example.parameter.parts.last.flatMap({ Placeholder(rawValue: String($0)) }) == nil {
      #expect(node["DESCRIPTION"]?.text == example.parameter.summary)
    }
    #expect(node["CONTENTS"] == nil)
    let items = try #require(node["VALUE"]?.items)
    #expect(items.count == value.count)
    #expect(node["TYPE"]?.text?.unicodeScalars.count == value.count)
    for (index, (item, argument)) in zip(items, value).enumerated() {
      let tag = try #require(node["TYPE"]?.text?.unicodeScalars.dropFirst(index).first)
      switch (item, argument) {
      case (.number(let number, isInteger: false), .float(let float)):
        #expect(Float(number) == float && tag == "f")
      case (.number(let number, isInteger: true), .int32(let integer)):
        #expect(Int32(number) == integer && tag == "i")
      case (.bool(let isOn), .int32(let integer)):
        #expect(integer == (isOn ? 1 : 0) && tag == (isOn ? "T" : "F"))
      case (.string(let text), .string(let string)): #expect(text == string && tag == "s")
      default: Issue.record("\(item) is not \(argument)")
      }
    }
  }

  @Test("tells the range that a refused or clamped set shows", arguments: Example.ofWritable)
  func ranges(_ example: Example) throws {
    var desk = try Example.desk()
    let node = try #require(try QueryNodes(desk.view, at: example.address)[example.address])
    let range = node["RANGE"]?.items?.first?.members
    guard let highest = range?["MAX"]?.number, let lowest = range?["MIN"]?.number else {
      guard case .choice(let names) = example.parameter.kind else {
        #expect(range == nil || range?["VALS"] != nil)
        if case .text = example.parameter.kind { #expect(range == nil) }
        return
      }
      #expect(range?["VALS"]?.items?.compactMap(\.text) == names)
      return
    }
    let isInteger = node["TYPE"]?.text == "i"
    let beyond: OSCArgument = isInteger ? .int32(Int32(highest) + 1) : .float(Float(highest) + 1)
    let answers = desk.send(OSCMessage(example.address, beyond))
    switch node["CLIPMODE"]?.items?.first?.text {
    case "both":
      #expect(answers[example.address] == [.float(Float(highest))])
      let below = desk.send(example.address, .float(Float(lowest) - 1))
      #expect(below[example.address] == [.float(Float(lowest))])
    case "none": #expect(answers.errorCode == .outOfRange)
    case let other: Issue.record("\(String(describing: other))")
    }
  }

  @Test("tells range, unit and meaning of a plugin's control and meter as the plugin does")
  func plugins() throws {
    var desk = try Example.desk()
    var facts = EffectFacts()
    facts.controls = [
      EffectControl(
        port: 1, symbol: "HPfreq", name: "Cut", range: 5...1_250, standard: 20, unit: "Hz",
        isLogarithmic: true),
      EffectControl(
        port: 2, symbol: "mode", name: "Mode", range: 0...2, standard: 0, kind: .choice,
        points: [.init(0, "Off"), .init(2, "Hard")]),
    ]
    facts.meters = [
      EffectControl(port: 3, symbol: "gr", name: "Reduction", range: -60...0, standard: 0, unit: "dB")
    ]
    facts.base = ["HPfreq": 20, "mode": 0]
    var report = EffectsReport()
    report.effects = [EffectFacts(), facts]
    try desk.happen(.effectsReported(.stream("show", "main"), report))
    let effect = "/session/show/stream/main/effect/2"
    func node(_ leaf: String) throws -> (
      unit: String?, range: [String: Double], description: String?, clip: String?
    ) {
      let node = try #require(try QueryNodes(desk.view, at: "\(effect)/\(leaf)")["\(effect)/\(leaf)"])
      let range = node["RANGE"]?.items?.first?.members ?? [:]
      return (
        node["UNIT"]?.items?.first?.text, range.compactMapValues(\.number), node["DESCRIPTION"]?.text,
        node["CLIPMODE"]?.items?.first?.text
      )
    }
    let cut = try node("control/HPfreq")
    #expect(cut.unit == "time.hz" && cut.range == ["MIN": 5, "MAX": 1_250] && cut.description == "Cut")
    #expect(cut.clip == "both")
    let meter = try node("meter/gr")
    #expect(
      meter.unit == "gain.db" && meter.range == ["MIN": -60, "MAX": 0] && meter.description == "Reduction")
    #expect(meter.clip == nil)
    // Words tell how to show them.
    func words(_ leaf: String) throws -> [String] {
      let node = try #require(try QueryNodes(desk.view, at: "\(effect)/\(leaf)")["\(effect)/\(leaf)"])
      return (node["TAGS"]?.items ?? []).compactMap(\.text)
    }
    #expect(try words("control/HPfreq") == ["number", "process", "continuous", "logarithmic"])
    #expect(try words("control/mode") == ["number", "process", "choice"])
    // A choice takes one of its values, and says so.
    #expect(desk.send("\(effect)/control/mode", 1.6)["\(effect)/control/mode"] == [2.0])
    #expect(desk.get("\(effect)/control/mode/text") == ["Hard"])
    #expect(desk.get("\(effect)/control/mode/range") == ["0=Off 2=Hard"])
    #expect(desk.get("\(effect)/control/HPfreq/text") == ["20 Hz"])
  }

  @Test("tells what a command needs: its arguments, no value, and that it is critical")
  func commands() throws {
    let tree = try QueryNodes(Example.desk().view)
    let expected = [
      "/session/create": "s", "/session/list": "I", "/session/show/set": "sss",
      "/player/walkin/queue/insert": "is",
      "/remote/seek/forward": "T", "/player/walkin/play": "I", "/client/boolean": "s", "/client/rate": "f",
      "/client/keep": "T", "/client/port": "i", "/subscribe": "I", "/request": "is", "/ping": "I",
      "/player/create": "ss", "/recorder/create": "ss", "/interruption/begin": "s",
    ]
    for (address, type) in expected {
      let node = try #require(tree[address], "\(address)")
      #expect(node["TYPE"]?.text == type, "\(address)")
      #expect(node["ACCESS"]?.number == 2 && node["VALUE"] == nil, "\(address)")
      #expect(node["CRITICAL"] == .bool(true), "\(address)")
    }
    #expect(
      tree["/client/boolean"]?["RANGE"]?.items?.first?.members?["VALS"]?.items?.compactMap(\.text) == [
        "i", "f", "tf",
      ])
    #expect(tree["/session/show/gain"]?["CRITICAL"] == nil)
    #expect(tree["/session/show/mute"]?["CRITICAL"] == .bool(true))
  }

  @Test("has nodes that are containers or values, never both, and brothers with different descriptions")
  func kinds() throws {
    let tree = try QueryNodes(Example.desk().view)
    for address in tree.addresses {
      let node = try #require(tree[address])
      guard let contents = node["CONTENTS"]?.members else {
        #expect(node["TYPE"] != nil, "\(address)")
        continue
      }
      #expect(node["ACCESS"]?.number == 0 && node.count == 3, "\(address)")
      let texts = contents.values.compactMap { $0.members?["DESCRIPTION"]?.text }
      #expect(Set(texts).count == texts.count, "\(address): \(texts.sorted())")
    }
    #expect(tree["/session/show/fader"]?["RANGE"]?.items?.first?.members?["MAX"]?.number == 1)
    #expect(tree["/session/show/gain"]?["UNIT"]?.items?.first?.text == "gain.db")
  }

  @Test("follows the value with its type, and writes whole numbers with a point only if they are no integers")
  func types() throws {
    var desk = try Example.desk()
    #expect(desk.ask("/session/show/mute", "TYPE").text == #"{"TYPE":"F"}"#)
    desk.send("/session/show/mute", 1)
    #expect(desk.ask("/session/show/mute", "TYPE").text == #"{"TYPE":"T"}"#)
    #expect(desk.ask("/session/show/mute", "VALUE").text == #"{"VALUE":[true]}"#)
    desk.send("/session/show/gain", -6.0)
    #expect(desk.ask("/session/show/gain", "VALUE").text == #"{"VALUE":[-6.0]}"#)
    #expect(desk.ask("/session/show/gain", "RANGE").text == #"{"RANGE":[{"MIN":-90.0,"MAX":10.0}]}"#)
    #expect(desk.ask("/player/walkin/loops", "VALUE").text == #"{"VALUE":[0]}"#)
    desk.send("/session/show/gain", "off")
    #expect(desk.ask("/session/show/gain", "VALUE").text == #"{"VALUE":[-90.0]}"#)
    // An inherited value is a word, which has no range.
    #expect(desk.ask("/session/show/duck/level", "TYPE").text == #"{"TYPE":"s"}"#)
    #expect(desk.ask("/session/show/duck/level", "RANGE").text == "{}")
    desk.send("/session/show/duck/level", -20.0)
    #expect(desk.ask("/session/show/duck/level", "TYPE").text == #"{"TYPE":"f"}"#)
    #expect(desk.ask("/session/show/duck/level", "RANGE").text == #"{"RANGE":[{"MIN":-60.0,"MAX":0.0}]}"#)
  }

  @Test("writes every float so that a client sees that it is one")
  func floats() {
    let expected: [(Float, String)] = [
      (0, "0.0"), (-12.5, "-12.5"), (1e-5, "1.0e-05"), (1e20, "1.0e+20"), (.nan, "null"),
      (-.infinity, "null"),
    ]
    for (float, text) in expected { #expect(float.queryText == text) }
  }
}
