import SessionModel
import Testing

@testable import Presets
@testable import Scenes

/// After a recall there is each object that the preset names.
@Suite("What a preset names is there")
struct CompletenessTests {
  /// Whether the devices are there when the preset is recalled, come after that, or have gone before.
  enum Devices: CaseIterable { case present, late, gone }

  @Test(
    "Each session, stream, player and recorder of a random scene exists after the start, wherever the devices are",
    arguments: Devices.allCases)
  func random(devices: Devices) throws {
    for seed in 0..<200 as Range<UInt64> {
      var scene = RandomScene(seed: seed)
      let text = scene.text()
      var evening = try devices == .present ? Evening() : Evening(devices: [])
      if devices == .gone {
        evening = try Evening()
        for id in ["usb", "phones"] as [PortID] {
          try evening.operate(.portsPresent([PortPresence(.output, id, members: [nil, nil])]))
        }
      }
      try evening.recall(text)
      let preset = try #require(Evening.preset(text))
      expect(preset, in: evening.state, "seed \(seed), \(devices): \(text)")
      guard devices == .late else { continue }
      try evening.plug()
      expect(preset, in: evening.state, "seed \(seed), then plugged: \(text)")
      #expect(evening.state.recorders.values.allSatisfy { $0.state != .waiting }, "seed \(seed): \(text)")
    }
  }

  @Test(
    "A recorder of an output whose channels only the server knows is made at the start, waits and then records"
  )
  func glob() throws {
    let text = """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["usb:out_*"] } }, sessions: {},
        recorders: { house: { source: "output:usb", recording: true } } }
      """
    var evening = try Evening(devices: [])
    try evening.recall(text)
    #expect(evening.state.recorders["house"]?.state == .waiting)
    try evening.plug()
    #expect(evening.state.recorders["house"]?.state == .recording)
    #expect(evening.state.channels(of: .output("usb")) == 2)
  }

  private func expect(_ preset: Preset, in state: RouterState, _ comment: Comment) {
    #expect(Set(state.sessions.keys) == Set(preset.document.sessions.keys), comment)
    for session in preset.document.sessions.keys {
      #expect(Set(state.sessions[session]?.streams.keys ?? []) == Set(preset.streams(of: session)), comment)
    }
    #expect(Set(state.players.keys) == Set(preset.document.players.keys), comment)
    #expect(Set(state.recorders.keys) == Set(preset.document.recorders.keys), comment)
  }
}
