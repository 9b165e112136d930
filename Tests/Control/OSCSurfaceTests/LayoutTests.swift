import Checkout
import ControlInterface
import Effects
import Foundation
import OSC
import Parameters
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Layouts
@testable import OSCSurface

@Suite("Every control of a shipped layout is answered by a router that runs its preset")
struct LayoutTests {
  static let shipped = Checkout.names(in: "presets", ending: ".json").map { String($0.dropLast(5)) }

  /// The tablet.
  private static let tablet = Desk.remote(HostAddress(0xC0A8_0114), 9_000)

  /// A control as the file of Open Stage Control has it.
  private struct TabletControl: CustomStringConvertible {
    let address: String
    /// What it sends, in this order; nothing if it only shows.
    let sent: [OSCMessage]
    /// Whether it shows a value that the router tells.
    let isShown: Bool
    let isMeter: Bool
    var description: String { address }
  }

  /// The controls of the file in `docs/guide/layouts`.
  private static func controls(_ id: String) throws -> [TabletControl] {
    let data = Data(try Checkout.bytes("docs/guide/layouts/\(id).json"))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return controls(in: try #require(root["content"] as? [String: Any]))
  }

  private static func controls(in widget: [String: Any]) -> [TabletControl] {
    let children = ["widgets", "tabs"].flatMap { widget[$0] as? [[String: Any]] ?? [] }
    return children.flatMap(controls) + (control(widget).map { [$0] } ?? [])
  }

  private static func control(_ widget: [String: Any]) -> TabletControl? {
    // The hidden widget hears the router's sign of life.
    guard let address = widget["address"] as? String, widget["visible"] == nil else { return nil }
    let isMeter = widget["bypass"] as? Bool == true
    func shown(_ sent: [OSCMessage]) -> TabletControl {
      TabletControl(address: address, sent: sent, isShown: true, isMeter: isMeter)
    }
    switch (widget["type"] as? String, widget["mode"] as? String) {
    case ("fader", _):
      let touch = address + "/touch"
      return isMeter
        ? shown([])
        : shown([
          OSCMessage(touch, .int32(1)), OSCMessage(address, .float(0.5)), OSCMessage(touch, .int32(0)),
        ])
    case ("button", "tap"):
      return TabletControl(
        address: address, sent: [OSCMessage(address, .int32(1))], isShown: false, isMeter: false)
    case ("button", _): return shown([OSCMessage(address, .int32(1)), OSCMessage(address, .int32(0))])
    default: return shown([])
    }
  }

  private static func preset(_ id: String) throws -> Preset {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    return try #require(try library.read(id, with: reader).preset)
  }

  /// A router that runs a preset with all its devices, and a library with the shipped presets.
  private static func desk(_ preset: Preset) throws -> Desk {
    var desk = Desk(admission: Admission(hosts: [try #require(HostRule("192.168.1.20", right: .control))]))
    desk.state = RouterState(rehearsing: preset, law: Policy.reduce)
    // Its plugins are loaded.
    for place in desk.state.inserts() {
      var report = EffectsReport()
      report.effects = (desk.state.insert(at: place)?.effects ?? []).map { effect in
        var facts = EffectFacts()
        facts.state = .working
        facts.controls = effect.values.keys.sorted().map {
          EffectControl(port: 1, symbol: $0, name: $0, range: 0...1_000, standard: 1)
        }
        return facts
      }
      try desk.happen(.effectsReported(place, report))
    }
    var library = Registry<PresetID, PresetEntry>()
    let ids = shipped.compactMap { PresetID($0) }
    for id in ids { library[id] = PresetEntry(title: id.name) }
    let others = ids.filter { $0 != preset.id }
    let order = [others[0], preset.id, others[1]]
    try desk.happen(.preset(.library(library, order: order)))
    try desk.happen(.preset(.began(preset.id, fade: 0)))
    #expect(desk.send("/preset/standby", "theatre").errors.isEmpty)
    return desk
  }

  @Test(
    "The tablet hears the value of all that it shows, and a message of each of its controls is accepted",
    arguments: shipped)
  func answered(_ id: String) throws {
    let preset = try Self.preset(id)
    var desk = try Self.desk(preset)
    let controls = try Self.controls(id)
    #expect(controls.count > 60)
    let layout = Layout(
      of: preset, scenes: try Self.scenes(in: controls), bank: 8, law: Policy.reduce)
    var heard: Set<String> = []
    for message in layout.greeting {
      let answers = desk.send(OSCMessage(message), from: Self.tablet)
      #expect(answers.errors.isEmpty)
      heard.formUnion(answers.map(\.address))
    }
    desk.surface.measure(Self.levels(desk.state))
    heard.formUnion(desk.wait(3, as: Self.tablet).map(\.address))
    // The subscriptions are narrow: nothing comes that no control shows.
    let shown = Set(controls.map(\.address)).union(["/alive", "/snapshot/end"])
    #expect(heard.subtracting(shown).filter { !$0.hasSuffix("/color") } == [])
    for control in controls where control.isShown {
      if control.isMeter, control.address.hasPrefix("/strip/"), Self.isFree(control, &desk) { continue }
      let isHeard = heard.contains(control.address)
      #expect(isHeard, "\(control) is never told")
      if !control.isMeter { #expect(desk.get(control.address) != nil, "\(control) is not answered") }
    }
    for control in controls {
      var desk = desk
      for message in control.sent {
        let answers = desk.send(message, from: Self.tablet)
        if Self.isFree(control, &desk) {
          #expect(answers.errorCode == .notFound, "\(message)")
        } else {
          #expect(answers.errors.isEmpty, "\(message) is answered by \(answers.errors)")
        }
      }
    }
  }

  /// The presets that have a button.
  private static func scenes(in controls: [TabletControl]) throws -> [PresetID] {
    try controls.filter { $0.address.hasSuffix("/recall") }.map { control in
      try #require(PresetID(control.address.split(separator: "/")[1]))
    }
  }

  /// Whether a control belongs to a strip to which the show has nothing to give.
  private static func isFree(_ control: TabletControl, _ desk: inout Desk) -> Bool {
    let parts = control.address.split(separator: "/")
    return parts[0] == "strip" && desk.get("/strip/\(parts[1])/assign") == ["none"]
  }

  /// Sound at all outputs and in all streams.
  private static func levels(_ state: RouterState) -> MeterLevels {
    var levels = MeterLevels()
    for output in state.outputs.keys { levels.outputs[output] = [0.5, 0.25] }
    for (id, session) in state.sessions {
      if session.capture.channels > 0 { levels.captures[id] = [0.5, 0.25] }
      for stream in session.streams.keys { levels.streams[id, default: [:]][stream] = [0.5, 0.25] }
    }
    return levels
  }
}

extension OSCMessage {
  /// A message that a layout sends by itself.
  fileprivate init(_ message: Layout.Message) {
    let arguments = message.arguments.map { argument -> OSCArgument in
      switch argument {
      case .text(let text): .string(text)
      case .number(let number): .float(Float(number))
      case .integer(let number): .int32(Int32(number))
      }
    }
    self.init(message.address, arguments)
  }
}
