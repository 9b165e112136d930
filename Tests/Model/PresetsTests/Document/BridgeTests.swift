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

  @Test("A multicast address without interface is reported", arguments: ["zita-j2n", "zita-n2j"])
  func multicast(tool: String) {
    func problems(_ address: String, _ more: String = "") -> [String] {
      let bridge =
        "{ \"tool\": \"\(tool)\", \"address\": \"\(address)\", \"port\": 30042 \(more) }"
      let port = "\"hall\": { \"type\": \"avb\", \"bridge\": \(bridge) }"
      return Show.read("{ \"multiroute\": 1, \"ports\": { \(port) } }").problems.map(\.description)
    }
    for address in ["224.0.0.1", "239.1.1.1", "ff02::1", "FF15:0:0::8"] {
      let found = problems(address)
      #expect(found.count == 1 && found.allSatisfy { $0.contains("needs \"interface\"") }, "\(found)")
      #expect(problems(address, ", \"interface\": \"eth0\"").isEmpty)
    }
    for address in [
      "192.0.2.20", "223.1.1.1", "240.1.1.1", "239.example.org", "ff.local", "fe80::1", "ff::1",
    ] {
      #expect(problems(address).isEmpty)
    }
  }
}
