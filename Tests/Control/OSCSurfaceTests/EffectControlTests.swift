import Effects
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// The controls of plugins as clients move them.
@Suite("Controls of plugins")
struct EffectControlTests {
  static let effect = "/session/show/stream/main/effect/1"
  static let (frequency, mode) = ("\(effect)/control/freq", "\(effect)/control/mode")

  /// A desk whose stream `main` has an effect with a frequency and a choice, and one that is being loaded.
  static func desk() throws -> Desk {
    var desk = try RightsTests.desk()
    #expect(desk.send("/session/show/stream/main/effects", "eq", "gate").isEmpty)
    try load([EffectFacts()], in: &desk)
    return desk
  }

  /// Tells that the first effect is loaded.
  /// - Parameter others: what is told of those behind it.
  static func load(_ others: [EffectFacts], in desk: inout Desk) throws {
    var facts = EffectFacts()
    facts.state = .working
    facts.controls = [
      EffectControl(
        port: 1, symbol: "freq", name: "Frequency", range: 20...20_000, standard: 200, unit: "Hz",
        isLogarithmic: true),
      EffectControl(
        port: 2, symbol: "mode", name: "Mode", range: 0...2, standard: 0, kind: .choice,
        points: [.init(0, "Off"), .init(1, "Soft"), .init(2, "Hard")]),
    ]
    facts.base = ["freq": 200, "mode": 0]
    var report = EffectsReport()
    report.effects = [facts] + others
    try desk.happen(.effectsReported(.stream("show", "main"), report))
  }

  @Test("have a fader, which goes by ratios where the control does")
  func fader() throws {
    var desk = try Self.desk()
    func isNear(_ address: String, _ value: Double) -> Bool {
      abs((desk.get(address)?.first?.number ?? .nan) - value) < value * 1e-4
    }
    #expect(isNear("\(Self.frequency)/fader", 1.0 / 3))
    #expect(desk.send("\(Self.frequency)/fader", .float(2.0 / 3)).isEmpty)
    #expect(isNear(Self.frequency, 2_000))
    #expect(desk.send("\(Self.frequency)/fader/inc", .float(1.0 / 6)).isEmpty)
    #expect(isNear(Self.frequency, 6_324.6))
    #expect(desk.send("\(Self.frequency)/fader/inc", -2)["\(Self.frequency)/fader"] == [0.0])
    #expect(isNear(Self.frequency, 20))
    #expect(desk.send("\(Self.frequency)/fader", 1.5)["\(Self.frequency)/fader"] == [1.0])
    desk.send("\(Self.frequency)/fader/fade", .float(1.0 / 3), 2)
    desk.wait(1)
    #expect(isNear("\(Self.frequency)/fader", 2.0 / 3) && isNear(Self.frequency, 2_000))
    desk.wait(1.1)
    #expect(isNear(Self.frequency, 200))
    desk.send(Self.frequency, 1_000)
    #expect(desk.send("\(Self.frequency)/fader/reset").isEmpty)
    #expect(isNear(Self.frequency, 200))
    // A choice takes the nearest of its values, and says so.
    #expect(desk.send("\(Self.mode)/fader", 0.8)["\(Self.mode)/fader"] == [1.0])
    #expect(desk.get("\(Self.mode)/text") == ["Hard"])
    // The range of a plugin is not known before the plugin is loaded.
    for (unknown, why) in [
      ("effect/1/control/nothing", "there is no control nothing; there are freq, mode"),
      ("effect/2/control/gt", "there is no control gt; the plugin is being loaded"),
    ] {
      let answers = desk.send("/session/show/stream/main/\(unknown)/fader", 0.5)
      #expect(answers.errorCode == .unknownAddress, "\(unknown)")
      #expect(answers.errors.first?.arguments.last?.text == why, "\(answers)")
    }
  }

  @Test("tell value, fader and text together, and to whom their fingers belong")
  func feedback() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", "/session/show/stream/main/effect", from: Desk.other)
    desk.send("/subscribe", "/system/touched", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    for address in ["", "/fader"] {
      desk.send("\(Self.frequency)\(address)", address.isEmpty ? 2_000.0 : 1.0)
      let heard = desk.wait(0.2, as: Desk.other)
      for leaf in ["", "/fader", "/text"] {
        #expect(heard["\(Self.frequency)\(leaf)"] != nil, "\(leaf) after \(address)")
      }
    }
    desk.send("\(Self.frequency)/fader/touch", 1)
    let touched = desk.wait(0.2, as: Desk.other)["/system/touched"]?.first?.text
    #expect(touched?.hasPrefix("\(Self.frequency) ") == true, "\(String(describing: touched))")
    // The finger's own client hears nothing of the control until it lets go.
    desk.send("/subscribe", "/session/show/stream/main/effect")
    desk.wait(0.2)
    desk.send(Self.frequency, 400, from: Desk.other)
    #expect(desk.wait(0.2)["\(Self.frequency)/fader"] == nil)
    desk.send("\(Self.frequency)/fader/touch", 0)
    #expect(desk.wait(0.2)["\(Self.frequency)/fader"] != nil)
  }

  @Test("have the plugin's value where a text of effects asks for more than the plugin takes")
  func clamped() throws {
    var desk = try Self.desk()
    desk.send("/session/show/stream/main/effects", "eq freq=1e9 mode=1.2", "gate")
    try Self.load([EffectFacts()], in: &desk)
    #expect(desk.get(Self.frequency) == [20_000.0])
    #expect(desk.get("\(Self.frequency)/text") == ["20000 Hz"])
    #expect(desk.get("\(Self.mode)/text") == ["Soft"])
  }

  @Test("are asked about before they move")
  func whatIf() throws {
    var desk = try Self.desk()
    let before = desk.state
    for (message, then) in [
      (OSCMessage(Self.frequency, 400), "eq freq=400, gate"),
      (OSCMessage("\(Self.mode)/fader", 1), "eq mode=2, gate"),
      (OSCMessage("\(Self.effect)/on", 0), "eq off, gate"),
    ] {
      let rows = desk.send(OSCMessage("/what/if", [.string(message.address)] + message.arguments))
      #expect(desk.state == before)
      let row = rows.first?.arguments.compactMap(\.text)
      #expect(row?.prefix(3) == ["/session/show/stream/main/effects", "eq, gate", then], "\(rows)")
    }
    let bypass = desk.send("/what/if", "/effects/bypass", 1).first?.arguments.compactMap(\.text)
    #expect(bypass?.prefix(3) == ["/effects/bypass", "0", "1"])
    #expect(desk.send("/what/if", .string("\(Self.effect)/control/frq"), 1).errorCode == .unknownAddress)
    #expect(desk.state == before)
  }

  @Test("A misspelt short name names the nearest one")
  func misspelt() throws {
    var desk = try Self.desk()
    for (text, near) in [("eqq", "eq"), ("compresor off", "compressor"), ("highpass", "high-pass")] {
      let error = desk.send("/session/show/stream/main/effects", .string(text)).errors.first
      #expect(
        error?.arguments.last?.text?.hasSuffix("; did you mean '\(near)'?") == true,
        "\(String(describing: error))")
    }
    let far = desk.send("\(Self.effect)/plugin", "trumpet").errors.first?.arguments.last?.text
    #expect(far?.contains("or one of high-pass, low-pass, eq") == true, "\(String(describing: far))")
  }

  @Test("are read with the right to view, and moved with the right to control")
  func rights() throws {
    var desk = try Self.desk()
    for message in [
      OSCMessage(Self.frequency, 400), OSCMessage("\(Self.frequency)/fader", 0.5),
      OSCMessage("\(Self.frequency)/reset"),
      OSCMessage("\(Self.effect)/on", 0), OSCMessage("\(Self.effect)/plugin", "gate"),
      OSCMessage("\(Self.effect)/preset", "Warm"), OSCMessage("/session/show/stream/main/effects", "none"),
      OSCMessage("/output/usb/effects/fallback", "mute"), OSCMessage("/effects/bypass", 1),
      OSCMessage("/effects/retry"),
    ] {
      let before = desk.state
      #expect(desk.send(message, from: RightsTests.viewer).errorCode == .denied, "\(message)")
      #expect(desk.state == before)
      #expect(desk.send(message, from: RightsTests.mixer).errorCode == nil, "\(message)")
    }
    desk = try Self.desk()
    #expect(desk.send(Self.frequency, from: RightsTests.viewer) == [OSCMessage(Self.frequency, 200.0)])
  }
}
