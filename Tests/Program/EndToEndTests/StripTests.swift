import OSC
import TestKit
import Testing

/// Surfaces with few faders at a running router, by programs of others.
@Suite("Strips at a running router") struct StripTests {
  private static let preset = """
    {
      multiroute: 1,
      ports: {
        pa: { type: 'usbAudio', channels: 2, outputs: ['PA:*'], color: '#ff8800' },
        ear: { type: 'headphones', channels: 2, outputs: ['Ear:*'], gain: -6, max: 0 },
      },
      sessions: {
        show: { category: 'multiRoute', streams: { band: {}, click: { channels: 1 } } },
        music: { category: 'playback', streams: { main: {} } },
        voice: { category: 'playback', streams: { main: {}, beep: {} } },
      },
      strips: ['64=/output/ear'],
    }
    """

  /// The ten targets of the preset, in the order of banks.
  private static let order = [
    "/session/show", "/session/show/stream/band", "/session/show/stream/click", "/session/music",
    "/session/music/stream/main", "/session/voice", "/session/voice/stream/main",
    "/session/voice/stream/beep", "/output/pa", "/output/ear",
  ]

  @Test("A surface of 4 or 8 faders reaches ten targets, also after one is removed", arguments: [4, 8])
  func reaches(_ size: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try RouterProcess(
      preset: try folder.write(Self.preset, to: "show.json"), server: server.name, in: folder, flags: [],
      owners: [server])
    let surface = try ControlSurface(port: router.port)
    func oscsend(_ arguments: String...) throws {
      let tool = try ChildProcess("oscsend", ["127.0.0.1", "\(router.port)"] + arguments)
      #expect(tool.wait() == 0)
      try surface.sync()
    }
    func targets() throws -> [String] { try (1...size).map { try surface.text("/strip/\($0)/assign") } }
    func page(_ order: [String], from place: Int) -> [String] {
      let shown = order[min(place, order.count)...].prefix(size)
      return shown + Array(repeating: "none", count: size - shown.count)
    }
    #expect(try surface.text("/strip/64/assign") == "/output/ear")
    try oscsend("/bank/1/size", "i", "\(size)")
    var order = Self.order
    var place = 0
    while place < order.count {
      #expect(try targets() == page(order, from: place))
      for strip in 1...min(size, order.count - place) {
        try oscsend("/strip/\(strip)/gain", "f", "-\(place + strip)")
        #expect(try surface.number("\(order[place + strip - 1])/gain") == -Double(place + strip))
      }
      try oscsend("/bank/1/next", "i", "1")
      place += size
    }
    try oscsend("/bank/1/at", "i", "0")
    try oscsend("/session/show/stream/remove", "s", "click")
    order.remove(at: 2)
    #expect(try targets() == page(order, from: 0))
    #expect(try surface.number("/strip/3/gain") == -4)
    // The last target stands in the last strip that is in use; behind it strips are empty.
    try oscsend("/bank/1/at", "i", "8")
    #expect(try surface.text("/strip/1/assign") == "/output/ear")
    #expect(try surface.text("/strip/2/name") == "" && surface.number("/strip/2/fader") == 0)
    #expect(try surface.text("/strip/1/state") == "unplugged")
  }
}
