import SessionModel
import Testing

@testable import Presets

/// Ports of presets whose JACK ports a bridge program makes.
@Suite struct BridgeTests {
  private func ports(_ ports: String, on state: RouterState = RouterState()) -> [(Direction, Port)] {
    let text = "{ \"multiroute\": 1, \"ports\": { \(ports) } }"
    return Show.read(text).preset?.events(for: state).compactMap {
      if case .declarePort(let direction, let port) = $0 { (direction, port) } else { nil }
    } ?? []
  }

  @Test(
    "A bridge makes one direction of its port; the JACK ports are those of its client, 2 unless the preset sets their number"
  )
  func declared() throws {
    let found = ports(
      """
      "far": { "type": "avb", "bridge": { "tool": "zita-j2n", "address": "192.0.2.20", "port": 30042, "format": "float" } },
      "line": { "type": "lineIn", "channels": 8, "bridge": { "tool": "zita-a2j", "device": "hw:USB", "rate": 48000 } }
      """)
    #expect(found.map(\.0) == [.output, .input])
    let (far, line) = (try #require(found.first?.1), try #require(found.last?.1))
    #expect(far.globs.map(\.text) == ["j2n-far:*"] && far.channels == 2)
    #expect(
      far.bridge
        == Bridge(
          .output, channels: 2, to: .network(.init(address: "192.0.2.20", port: 30_042, format: .float))))
    #expect(line.globs.map(\.text) == ["a2j-line:*"] && line.channels == 8)
    #expect(line.bridge == Bridge(.input, channels: 8, to: .card(.init(device: "hw:USB", rate: 48_000))))
  }

  @Test("An equal bridge changes nothing; a different one, or none, does")
  func again() throws {
    func text(_ device: String) -> String {
      "\"second\": { \"type\": \"usbAudio\", \"bridge\": { \"tool\": \"zita-j2a\", \"device\": \"\(device)\" } }"
    }
    var state = RouterState()
    let second = try #require(ports(text("hw:1")).first?.1)
    state.outputs[second.id] = second
    #expect(ports(text("hw:1"), on: state).isEmpty)
    #expect(ports(text("hw:2"), on: state).count == 1)
    let own = "\"second\": { \"type\": \"usbAudio\", \"outputs\": [\"USB:*\"] }"
    #expect(ports(own, on: state).first?.1.bridge == nil)
    #expect(ports(own, on: state).count == 1)
  }
}
