import Presets
import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite("The equipment at a server")
struct EquipmentTests {
  private static func source(_ name: String, _ more: [String]) -> [SystemPort] {
    [SystemPort(name: "\(name):out", isInput: false)]
      + more.map { SystemPort(name: "\(name):\($0)", isInput: true) }
  }

  @Test("has devices and programs, but neither the router nor monitors")
  func ports() {
    let ports =
      Show.device("USB Card", playback: 2, capture: 1) + Show.device("Mic", capture: 1)
      + Self.source("multiroute", ["in"]) + Self.source("mpv", [])
      + [
        SystemPort(name: "USB Card:monitor_1", isInput: false),
        SystemPort(name: "recorder:in", isInput: true),
      ]
    let equipment = Equipment(
      ports, connections: ["mpv:out": ["USB Card:playback_1", "recorder:in", "multiroute:in"]])
    #expect(equipment.outputs.map(\.name) == ["USB Card"] && equipment.outputs.map(\.type) == [.usbAudio])
    #expect(equipment.inputs.map(\.name) == ["USB Card", "Mic"])
    #expect(equipment.programs.map(\.client) == ["mpv"])
    #expect(equipment.programs[0].devices == ["USB Card:playback_1"])
    #expect(equipment.programs[0].programs == ["recorder:in"] && equipment.programs[0].microphones.isEmpty)
  }

  @Test(
    "has no ports of a router with another name, and no bridge of a router, but a bridge of the user's own")
  func otherRouter() {
    let ports =
      Show.device("USB Card", playback: 2) + Show.device("j2n-hall", playback: 1)
      + Show.device("n2j-foyer", capture: 1) + Show.device("j2n-mine", playback: 1)
      + Self.source("mpv", []) + [SystemPort(name: "front:to-hall_1", isInput: false)]
      + Self.source("front", ["show.band_1", "from-foyer_1"])
    let equipment = Equipment(
      ports,
      connections: [
        "front:to-hall_1": ["j2n-hall:playback_1"], "j2n-hall:playback_1": ["front:to-hall_1"],
        "n2j-foyer:capture_1": ["front:from-foyer_1"], "mpv:out": ["front:show.band_1"],
      ])
    #expect(equipment.outputs.map(\.name) == ["USB Card", "j2n-mine"] && equipment.inputs.isEmpty)
    #expect(equipment.programs.map(\.client) == ["mpv"] && equipment.programs[0].programs.isEmpty)
  }

  @Test("tells which programs a microphone reaches, also through others and in a circle")
  func microphones() {
    let ports =
      Show.device("Mic", capture: 1) + Self.source("amp", ["in"]) + Self.source("reverb", ["in"])
      + Self.source("mpv", [])
    let equipment = Equipment(
      ports,
      connections: [
        "Mic:capture_1": ["amp:in"], "amp:in": ["Mic:capture_1"], "amp:out": ["reverb:in"],
        "reverb:out": ["amp:in"],
      ])
    let reached = Dictionary(uniqueKeysWithValues: equipment.programs.map { ($0.client, $0.microphones) })
    #expect(reached == ["amp": ["Mic:capture_1"], "reverb": ["Mic:capture_1"], "mpv": []])
  }
}
