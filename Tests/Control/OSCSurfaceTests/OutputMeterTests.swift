import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Meters that outputs ask for")
struct OutputMeterTests {
  /// Readings of the headphones.
  private static func levels(_ readings: [MeterValue: [Float]]) -> MeterLevels {
    var levels = MeterLevels()
    levels.outputs["headphones"] = [0.1, 0.1]
    levels.readings["headphones"] = readings
    return levels
  }

  @Test("An output without the meter has no value, and says how to get one")
  func missing() throws {
    var desk = try Desk.stage()
    for message in [
      OSCMessage("/meter/output/headphones/ppm"), OSCMessage("/get", "/meter/output/headphones/ppm"),
      OSCMessage("/get", "/meter/output/headphones/ppm/1"),
    ] {
      let answer = desk.send(message)
      #expect(answer.errorCode == .notFound, "\(answer)")
      #expect("\(answer)".contains("headphones does not ask for ppm; add it to /output/headphones/meters"))
    }
    desk.send("/output/headphones/meters", "PPM", "loudness", "ppm")
    #expect(desk.get("/output/headphones/meters") == ["ppm", "loudness"])
    #expect(desk.get("/meter/output/headphones/ppm") == [-160.0, -160.0])
    #expect(desk.get("/meter/output/headphones/ppm/1") == [0.0])
    #expect(desk.get("/meter/output/headphones/loudness/short") == [-160.0])
    #expect(desk.send("/meter/output/headphones/rms").errorCode == .notFound)
    #expect(desk.send("/meter/output/headphones/ppm", 1.0).errorCode == .readOnly)
    desk.send("/output/headphones/meters", "none")
    #expect(desk.send("/meter/output/headphones/ppm").errorCode == .notFound)
    // A pattern is answered by those that have a value.
    desk.send("/output/usb/meters", "ppm")
    #expect(desk.send("/meter/output/*/ppm").map(\.address) == ["/meter/output/usb/ppm"])
  }

  @Test("An unknown meter, and one that the channels do not suit, are refused with what would be right")
  func refused() throws {
    var desk = try Desk.stage()
    let near = desk.send("/output/headphones/meters", "ppn")
    #expect(near.errorCode == .badValue && "\(near)".contains("there is no meter 'ppn'; did you mean 'ppm'?"))
    let far = desk.send("/output/headphones/meters", "ppm", "volume")
    #expect("\(far)".contains("there are ppm, rms, loudness, truePeak, correlation"))
    let mono = desk.send("/output/mono/meters", "correlation")
    #expect(
      mono.errorCode == .badParam && "\(mono)".contains("mono has 1 channel; correlation is for 2 channels"))
    #expect(desk.get("/output/headphones/meters") == ["none"] && desk.get("/output/mono/meters") == ["none"])
  }

  @Test("A meter that stays is told again once a second, and any change at its pace")
  func steadyMeter() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/meter/output/headphones", 50.0, from: Desk.other)
    func heard(_ seconds: Double, _ peak: (Int) -> Float) -> [[OSCArgument]] {
      var all: [OSCMessage] = []
      for step in 0..<Int(seconds * 50) {
        var levels = MeterLevels()
        levels.outputs["headphones"] = [peak(step), 0]
        desk.surface.measure(levels)
        all += desk.wait(0.02, as: Desk.other)
      }
      return all.filter { $0.address == "/meter/output/headphones" }.map(\.arguments)
    }
    let silent = heard(3) { _ in 0 }
    #expect((3...4).contains(silent.count) && Set(silent) == [[-160.0, -160.0]])
    #expect((18...23).contains(heard(1) { 0.01 + 0.001 * Float($0) }.count))
    // The first message after a change says how it stays.
    #expect((1...3).contains(heard(1) { _ in 0.1 }.count))
    #expect(heard(1) { _ in 0.1 }.allSatisfy { $0 == [-20.0, -160.0] })
  }

  @Test("When the audio server goes, all meters fall to silence, and who follows them is told")
  func silence() throws {
    var desk = try Desk.stage()
    desk.send("/output/headphones/meters", "ppm", "correlation")
    desk.send("/subscribe", "/meter/output/headphones", from: Desk.other)
    desk.surface.measure(Self.levels([.ppm: [-6, -6], .correlation: [1]]))
    #expect(desk.wait(0.2, as: Desk.other)["/meter/output/headphones"] == [-20.0, -20.0])
    // Peaks that were not sent yet do not hide the silence.
    desk.surface.measure(Self.levels([.ppm: [-3, -3], .correlation: [1]]))
    try desk.happen(.server(ServerState()))
    let heard = desk.wait(1, as: Desk.other)
    for (meter, silence) in [("", [-160.0, -160.0]), ("/ppm", [-160.0, -160.0]), ("/correlation", [0.0])] {
      let address = "/meter/output/headphones\(meter)"
      #expect(heard[address]?.map(\.number) == silence, "\(address)")
      #expect(desk.get(address)?.map(\.number) == silence, "\(address)")
    }
    #expect(desk.get("/meter/output/headphones/1") == [0.0])
  }

  @Test("A subscription brings the highest peaks, and the newest loudness and correlation")
  func subscription() throws {
    var desk = try Desk.stage()
    desk.send("/output/headphones/meters", "ppm", "truePeak", "loudness", "correlation")
    desk.send("/subscribe", "/meter/output/headphones", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    for step in [Float(-30), -10, -20] {
      desk.surface.measure(
        Self.levels([
          .ppm: [step, -40], .truePeak: [step, step], .momentary: [step], .correlation: [step / 100],
        ]))
    }
    let heard = desk.wait(0.1, as: Desk.other)
    #expect(heard["/meter/output/headphones"] == [-20.0, -20.0])
    #expect(heard["/meter/output/headphones/ppm"] == [-10.0, -40.0])
    #expect(heard["/meter/output/headphones/truePeak"] == [-10.0, -10.0])
    #expect(heard["/meter/output/headphones/loudness/momentary"] == [-20.0])
    #expect(heard["/meter/output/headphones/correlation"] == [-0.2])
    #expect(desk.get("/meter/output/headphones/loudness/momentary") == [-20.0])
    // Nothing of them is in a snapshot or in a subscription of everything.
    #expect(desk.snapshot().messages.allSatisfy { !$0.address.hasPrefix("/meter/output") })
    desk.send("/subscribe", from: Desk.me)
    desk.surface.measure(Self.levels([.ppm: [-6, -6]]))
    #expect(desk.wait(0.1, as: Desk.me).allSatisfy { !$0.address.hasPrefix("/meter/") })
  }

  @Test("One channel of a PPM is a position")
  func position() throws {
    var desk = try Desk.stage()
    desk.send("/output/headphones/meters", "ppm")
    desk.send("/subscribe", "/meter/output/*/ppm/[1-2]", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    desk.surface.measure(Self.levels([.ppm: [-30, -15]]))
    let heard = desk.wait(0.1, as: Desk.other)
    #expect(
      Set(heard.map(\.address)) == ["/meter/output/headphones/ppm/1", "/meter/output/headphones/ppm/2"])
    #expect(heard["/meter/output/headphones/ppm/1"] == [0.5])
    #expect(heard["/meter/output/headphones/ppm/2"] == [0.75])
  }

  @Test("A client of OSCQuery hears a correlation that falls")
  func listens() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.receive("/output/headphones/meters", "correlation", "ppm")
    rig.listen("/meter/output/headphones/correlation", "/meter/output/headphones/ppm/1")
    rig.wait(0.1)
    _ = rig.take(Desk.web())
    for value in [Float(1), -1] {
      rig.service.measure(Self.levels([.correlation: [value], .ppm: [-30 * value, 0]]))
    }
    rig.wait(0.2)
    #expect(
      rig.take(Desk.web()) == [
        "/meter/output/headphones/correlation -1.0", "/meter/output/headphones/ppm/1 1.0",
      ])
  }

  @Test("A reset begins a programme anew")
  func reset() throws {
    var desk = try Desk.stage()
    desk.send("/output/headphones/meters", "loudness")
    #expect(desk.send("/meter/output/headphones/reset").isEmpty)
    #expect(desk.state.outputs["headphones"]?.meterResets == 1)
    #expect(desk.send("/meter/output/*/reset").errorCode == .noWildcard)
  }
}
