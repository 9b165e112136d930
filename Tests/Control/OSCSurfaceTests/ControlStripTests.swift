import Effects
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// Strips and banks over the controls of plugins.
@Suite("Strips at controls of plugins")
struct ControlStripTests {
  private static let stream = "/session/show/stream/main"
  private static let (effect, frequency, mode) = (
    EffectControlTests.effect, EffectControlTests.frequency, EffectControlTests.mode
  )

  /// A desk whose strip 3 has a frequency, and strip 4 a choice.
  private static func desk() throws -> Desk {
    var desk = try EffectControlTests.desk()
    #expect(desk.send("\(stream)/color", "#ff8800").isEmpty)
    #expect(desk.send("/strip/assign", .string("3=\(frequency)"), .string(mode)).isEmpty)
    return desk
  }

  /// What the second effect tells when it is loaded.
  private static var gate: EffectFacts {
    var facts = EffectFacts()
    facts.state = .working
    facts.controls = [
      EffectControl(port: 1, symbol: "gt", name: "Threshold", range: -90...0, standard: -90, unit: "dB")
    ]
    facts.base = ["gt": -90]
    return facts
  }

  private static func targets(_ desk: inout Desk, _ numbers: ClosedRange<Int>) -> [String?] {
    numbers.map { desk.get("/strip/\($0)/assign")?.first?.text }
  }

  @Test("have its name, value, fader, text, switch, colour and lamp")
  func reads() throws {
    var desk = try Self.desk()
    for (leaf, value) in [
      ("assign", .string(Self.frequency)), ("name", "Frequency"), ("gain", 200.0), ("gain/text", "200 Hz"),
      ("on", 1), ("color", "#ff8800"), ("state", "heard"), ("mute", 0), ("solo", 0), ("meter", -160.0),
      ("meter/level", 0.0),
    ] as [(String, OSCArgument)] {
      #expect(desk.get("/strip/3/\(leaf)") == [value], "\(leaf)")
    }
    #expect(desk.get("/strip/3/fader") == desk.get("\(Self.frequency)/fader"))
    #expect(desk.get("/strip/4/gain/text") == ["Off"])
  }

  @Test("are one value with the control, in both directions")
  func alias() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", from: Desk.other)
    desk.wait(1, as: Desk.other)
    func heard(after address: String, _ value: OSCArgument) -> [OSCMessage] {
      #expect(desk.send(OSCMessage(address, [value])).isEmpty, "\(address)")
      let heard = desk.wait(0.2, as: Desk.other)
      for (leaf, own) in [("gain", ""), ("fader", "/fader"), ("gain/text", "/text")] {
        let there = heard["\(Self.frequency)\(own)"]
        #expect(there != nil && heard["/strip/3/\(leaf)"] == there, "\(leaf) after \(address)")
      }
      return heard
    }
    #expect(heard(after: "/strip/3/fader", 1)["/strip/3/gain/text"] == ["20000 Hz"])
    #expect(heard(after: "/strip/3/gain", 400)[Self.frequency] == [400.0])
    #expect(heard(after: Self.frequency, 80)["/strip/3/gain/text"] == ["80 Hz"])
    #expect(heard(after: "/strip/3/gain/inc", 20)[Self.frequency] == [100.0])
    #expect(heard(after: "/strip/3/fader", 0)[Self.frequency] == [20.0])
    #expect(heard(after: "/strip/3/fader/reset", 1)[Self.frequency] == [200.0])
    // Beyond the range the sender is told the end of it, and a choice takes the nearest of its values.
    #expect(desk.send("/strip/3/gain", 90_000)["/strip/3/gain"] == [20_000.0])
    #expect(desk.send("/strip/4/fader", 0.8)["/strip/4/fader"] == [1.0])
    #expect(desk.get("/strip/4/gain/text") == ["Hard"])
  }

  @Test("switch the effect, and their lamp tells its switch and the bypass")
  func lamp() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", "/strip", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.send("/strip/3/on", 0).isEmpty)
    #expect(desk.get("\(Self.effect)/on") == [0])
    var heard = desk.wait(0.2, as: Desk.other)
    for strip in [3, 4] {
      #expect(heard["/strip/\(strip)/on"] == [0] && heard["/strip/\(strip)/state"] == ["muted"])
    }
    desk.send("/strip/4/on/toggle")
    #expect(desk.wait(0.2, as: Desk.other)["/strip/3/state"] == ["heard"])
    desk.send("/effects/bypass", 1)
    heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/3/state"] == ["muted"] && heard["/strip/3/on"] == nil)
    desk.send("\(Self.stream)/color", "#0000ff")
    #expect(desk.wait(0.2, as: Desk.other)["/strip/3/color"] == ["#0000ff"])
  }

  @Test("have its fades, which go by ratios, and its fingers")
  func moves() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", "/*", 1_000, from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/strip/3/gain/fade", 2_000, 2)
    var heard = desk.wait(1, as: Desk.other).filter { $0.address == "/strip/3/gain/text" }
    #expect(heard.count > 5)
    let middle = desk.get(Self.frequency)?.first?.number ?? 0
    #expect(abs(middle - 632.5) < 1, "\(middle)")
    desk.send("/strip/3/fader/touch", 1, from: Desk.other)
    let held = desk.get(Self.frequency)
    desk.send("/strip/3/gain/fade", 20, 0.1)
    heard = desk.wait(0.3, as: Desk.other)
    #expect(desk.get(Self.frequency) == held)
    desk.send(Self.frequency, 300)
    heard = desk.wait(0.2, as: Desk.other)
    for leaf in ["gain", "fader", "gain/text"] { #expect(heard["/strip/3/\(leaf)"] == nil, "\(leaf)") }
    #expect(heard[Self.frequency] == nil)
    _ = desk.send("/strip/3/fader/touch", 0, from: Desk.other)
    heard = desk.wait(0.2, as: Desk.other)
    for address in ["/strip/3/gain", Self.frequency] { #expect(heard[address] == [300.0], "\(address)") }
    #expect(heard["/strip/3/gain/text"] == ["300 Hz"])
    // One value that a pattern reaches by two addresses is moved once.
    #expect(desk.send("/strip/assign", .string(Self.frequency), .string("2=\(Self.frequency)")).isEmpty)
    #expect(desk.send("/strip/*/gain/inc", 50).isEmpty)
    #expect(desk.get(Self.frequency) == [350.0])
  }

  @Test("have its rights and its lock")
  func rights() throws {
    var desk = try Self.desk()
    for message in [
      OSCMessage("/strip/3/gain", 400), OSCMessage("/strip/3/fader", 0.5), OSCMessage("/strip/3/on", 0),
      OSCMessage("/strip/3/gain/reset"), OSCMessage("/bank/1/over", .string(Self.stream)),
    ] {
      let before = desk.state
      #expect(desk.send(message, from: RightsTests.viewer).errorCode == .denied, "\(message)")
      #expect(desk.state == before)
      #expect(desk.send(message, from: RightsTests.mixer).errorCode == nil, "\(message)")
    }
    desk.send("/system/lock", 1)
    #expect(desk.send("/strip/3/gain", 400, from: RightsTests.mixer).errorCode == .locked)
  }

  @Test("have no level, mute or name to set, and say so")
  func errors() throws {
    var desk = try Self.desk()
    for leaf in ["mute", "solo", "name", "color"] {
      let error = desk.send("/strip/3/\(leaf)", leaf.count < 5 && leaf != "name" ? 1 : "x").errors.first
      #expect(error?.arguments.last?.text?.contains("has no \(leaf) to set") == true, "\(leaf)")
    }
    #expect(desk.send("/strip/3/gain/text", "x").errorCode == .readOnly)
    for (address, code, words) in [
      ("\(Self.effect)/control/frq", ErrorCode.notFound, "did you mean 'freq'?"),
      ("\(Self.stream)/effect/3/control/freq", .notFound, "\(Self.stream) has 2 effects"),
      ("/session/show/stream/man/effect/1/control/freq", .notFound, "did you mean '\(Self.stream)'?"),
      ("/output/usb/effect/1/control/freq", .notFound, "/output/usb has 0 effects"),
      ("\(Self.effect)/freq", .badValue, "/group/drums or /session/show/stream/click/effect/1/control/freq"),
    ] {
      let error = desk.send("/strip/3/assign", .string(address))
      let text = error.errors.first?.arguments.last?.text
      #expect(error.errorCode == code && text?.contains(words) == true, "\(String(describing: text))")
    }
    #expect(desk.get("/strip/3/assign") == [.string(Self.frequency)])
  }

  @Test("are off while the plugin is loaded, follow it then, and are empty if it has no such control")
  func loading() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", "/strip", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let second = "\(Self.stream)/effect/2/control"
    #expect(desk.send("/strip/5/assign", .string("\(second)/gt")).isEmpty)
    #expect(desk.send("/strip/6/assign", .string("\(second)/nothing")).isEmpty)
    var heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/5/name"] == ["gt"] && heard["/strip/5/state"] == ["inactive"])
    #expect(desk.get("/strip/5/gain/text") == ["off"] && desk.get("/strip/5/fader") == [0.0])
    let error = desk.send("/strip/5/fader", 0.5).errors.first?.arguments.last?.text
    #expect(error?.hasSuffix("has no gain to set until its plugin is loaded") == true, "\(error ?? "")")
    try EffectControlTests.load([Self.gate], in: &desk)
    heard = desk.wait(0.2, as: Desk.other)
    // The value is that of a strip that is off, but not its text.
    #expect(heard["/strip/5/name"] == ["Threshold"] && heard["/strip/5/state"] == ["heard"])
    #expect(heard["/strip/5/gain/text"] == ["-90 dB"] && desk.get("/strip/5/gain") == [-90.0])
    #expect(desk.get("/strip/6/name") == [""] && desk.get("/strip/6/state") == [""])
    #expect(desk.send("/strip/5/fader", 0.5).isEmpty)
    #expect(desk.wait(0.2, as: Desk.other)["/strip/5/gain/text"] == ["-45 dB"])
    #expect(desk.send("/strip/6/fader", 0.5).errorCode == .notFound)
  }

  @Test("OSCQuery tells the range and unit of the control")
  func query() throws {
    let desk = try Self.desk()
    let node = try #require(try QueryNodes(desk.view, at: "/strip/3/gain")["/strip/3/gain"])
    #expect(node["RANGE"]?.items?.first?.members?["MIN"]?.number == 20)
    #expect(node["UNIT"]?.items?.first?.text == "time.hz")
    #expect(node["CLIPMODE"]?.items?.first?.text == "both")
  }

  @Test("A bank moves over the controls of a chain or of an effect, and feeds back the new values")
  func bank() throws {
    var desk = try EffectControlTests.desk()
    desk.send("/bank/2/size", 2)
    desk.send("/subscribe", "/{strip,bank}", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.get("/bank/2/over") == ["show"])
    desk.send("/bank/2/at", 1)
    #expect(desk.wait(0.2, as: Desk.other)["/bank/2/at"] == [1])
    #expect(desk.send("/bank/2/over", .string(Self.stream)).isEmpty)
    #expect(desk.get("/bank/2/at") == [0])
    var heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/bank/2/over"] == [.string(Self.stream)] && heard["/bank/2/at"] == [0])
    #expect(heard["/strip/9/name"] == ["Frequency"] && heard["/strip/9/gain"] == [200.0])
    #expect(heard["/strip/10/name"] == ["Mode"] && heard["/strip/10/gain/text"] == ["Off"])
    // Behind the last control there is none, until the next plugin is loaded.
    desk.send("/bank/2/next")
    #expect(Self.targets(&desk, 9...10) == [Self.frequency, Self.mode])
    try EffectControlTests.load([Self.gate], in: &desk)
    desk.send("/bank/2/next")
    let threshold = "\(Self.stream)/effect/2/control/gt"
    #expect(Self.targets(&desk, 9...10) == [threshold, "none"])
    heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/9/gain/text"] == ["-90 dB"] && heard["/strip/10/name"] == [""])
    desk.send("/strip/9/fader", 1)
    #expect(desk.get(threshold) == [0.0])
    desk.send("/bank/2/over", .string("\(Self.stream)/effect/1"))
    #expect(Self.targets(&desk, 9...10) == [Self.frequency, Self.mode])
    #expect(desk.send("/strip/9/assign", "/output/usb").isEmpty)
    #expect(Self.targets(&desk, 9...10) == ["/output/usb", Self.frequency])
    #expect(desk.send("/bank/1/size", 9).errorCode == .isBusy)
    desk.send("/bank/2/over", "show")
    #expect(Self.targets(&desk, 10...10) == ["/session/show"])
  }

  @Test(
    "A bank over what does not exist, or is nothing of the kind, is an error that says what would be right")
  func wrongBank() throws {
    var desk = try EffectControlTests.desk()
    desk.send("/bank/1/over", .string(Self.stream))
    for (text, code, words) in [
      ("everything", ErrorCode.badValue, "write show, the address of what has effects"),
      (Self.frequency, .badValue, "or that of an effect, such as /output/usb/effect/2"),
      ("/session/show", .badValue, "is nothing that a bank moves over"),
      ("\(Self.stream)/effect/3", .notFound, "\(Self.stream) has 2 effects"),
      ("/output/usv", .notFound, "did you mean '/output/usb'?"),
      ("/session/shaw/capture", .notFound, "did you mean '/session/show/capture'?"),
    ] {
      let error = desk.send("/bank/1/over", .string(text))
      let told = error.errors.first?.arguments.last?.text
      #expect(error.errorCode == code && told?.contains(words) == true, "\(String(describing: told))")
    }
    #expect(desk.get("/bank/1/over") == [.string(Self.stream)])
  }
}
