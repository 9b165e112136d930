import OSC
import TestKit
import Testing

/// Malformed packets (the M rows of the OSC vectors), to a router that plays.
@Suite struct GarbageTests {
  /// A packet that must be dropped without an answer. If a part of it took effect, the band would become softer.
  private struct Row {
    var name: String
    var bytes: [UInt8]
    /// Whether it is malformed only as a datagram: in a connection, packets may be larger, and empty frames mean nothing.
    var isOfDatagrams = false
    /// Whether it is valid but larger than a packet may be.
    var isOverLimit: Bool { ["M13", "M20", "257"].contains { name.hasPrefix($0) } }
  }

  /// A way by which packets reach the router.
  enum Way: String, CaseIterable {
    case udp, unix, slip, length

    /// A surface that reaches a router this way.
    func surface(of router: RouterProcess) throws -> ControlSurface {
      let tcp = Endpoint.tcp(host: "127.0.0.1", port: router.tcpPort)
      return switch self {
      case .udp: try ControlSurface(port: router.port)
      case .unix: try ControlSurface(at: .unix(path: router.socket))
      case .slip: try ControlSurface(at: tcp, framing: .slip)
      case .length: try ControlSurface(at: tcp, framing: .length)
      }
    }
  }

  /// Flags of a router that clients reach in each way.
  private static let everyWay = ["--osc", "127.0.0.1:0", "--osc", "tcp:127.0.0.1:0"]

  private static let gain = Wire.text("/output/usb/gain....,f..") + Wire.words(0xc0c0_0000)

  private static let rows: [Row] = [
    Row(name: "M1 empty datagram", bytes: [], isOfDatagrams: true),
    Row(name: "M2 one byte", bytes: [0x2f]),
    Row(name: "M3 length not a multiple of 4", bytes: gain + [0, 0, 1]),
    Row(
      name: "M5 padding of the address",
      bytes: Wire.text("/output/usb/gain..x.,f..") + Wire.words(0xc0c0_0000)),
    Row(name: "M6 string without end", bytes: Wire.text("/session/remove.,s..show")),
    Row(name: "M7 blob of length -1", bytes: Wire.text("/ping...,b..") + Wire.words(0xffff_ffff)),
    Row(name: "M8 blob without data", bytes: Wire.text("/ping...,b..")),
    Row(name: "M9 blob of length 0x7ffffff0", bytes: Wire.text("/ping...,b..") + Wire.words(0x7fff_fff0)),
    Row(name: "M10 unknown tag", bytes: Wire.text("/output/usb/gain....,x..") + Wire.words(0xc0c0_0000)),
    Row(
      name: "M13 60,000 bytes",
      bytes: PacketEncoder.encode(OSCMessage("/ping", .blob([UInt8](repeating: 1, count: 60_000)))),
      isOfDatagrams: true),
    Row(
      name: "M13 8 KiB and 4 bytes",
      bytes: PacketEncoder.encode(OSCMessage("/ping", .blob([UInt8](repeating: 1, count: 8_180)))),
      isOfDatagrams: true),
    Row(
      name: "M14 address without slash", bytes: Wire.text("output/usb/gain.,f..") + Wire.words(0xc0c0_0000)),
    Row(name: "M14 pattern without slash", bytes: Wire.text("*...,f..") + Wire.words(0xc0c0_0000)),
    Row(name: "M15 element of size zero", bytes: Wire.bundle(gain) + Wire.words(0)),
    Row(name: "M16 element of size 0xfffffffc", bytes: Wire.bundle() + Wire.words(0xffff_fffc)),
    Row(name: "M18 good, bad, good", bytes: Wire.bundle(gain, Wire.text("/a..,x.."), gain)),
    Row(name: "M19 name of a bundle alone", bytes: Wire.text("#bundle.")),
    Row(name: "M20 nine nested bundles", bytes: (0..<9).reduce(gain) { bytes, _ in Wire.bundle(bytes) }),
    Row(name: "M20 400 nested bundles", bytes: (0..<400).reduce(gain) { bytes, _ in Wire.bundle(bytes) }),
    Row(
      name: "257 messages",
      bytes: PacketEncoder.encode(
        OSCBundle(Array(repeating: .message(OSCMessage("/output/usb/gain", -6.0)), count: 257)))),
  ]

  /// A counter of `/system/stats`.
  private func count(_ name: String, _ surface: ControlSurface) throws -> Int {
    let words = try surface.send("/system/stats")
    let place = try #require(words.firstIndex(of: .string(name)))
    guard case .int32(let value) = words[place + 1] else { return -1 }
    return Int(value)
  }

  @Test(
    "Malformed packets are counted, change nothing, cost no sample, and get no answer but the limit that they exceed",
    arguments: Way.allCases)
  func dropped(_ way: Way) async throws {
    let house = try await House(flags: Self.everyWay)
    try house.connect()
    let surface = try way.surface(of: house.router)
    let isStream = way == .slip || way == .length
    let rows = Self.rows.filter { row in
      // A length that is not a multiple of 4 ends a connection with lengths.
      !(isStream && row.isOfDatagrams || way == .length && !row.bytes.count.isMultiple(of: 4))
    }
    #expect(rows.count >= 15)
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    let usb = try house.hear {
      for row in rows {
        let before = try count("dropped", surface)
        try surface.client.send(bytes: row.bytes)
        let after = try count("dropped", surface)
        #expect(after == before + 1, "\(row.name)")
        let answers = try surface.takeAll()
        #expect(
          answers.allSatisfy { $0.address == "/error" && $0.arguments[2] == "full" },
          "\(row.name): \(answers)")
        #expect(answers.count <= (row.isOverLimit ? 1 : 0), "\(row.name): \(answers)")
        #expect(try surface.number("/output/usb/gain") == 0, "\(row.name)")
      }
    }
    usb.expectSame(0, as: 3)
    // The positive control: the same packet without mistake takes effect.
    try surface.client.send(bytes: Self.gain)
    #expect(try surface.number("/output/usb/gain") == -6)
  }

  @Test("Thousands of damaged packets stop neither the router nor the sound")
  func damaged() async throws {
    let house = try await House()
    try house.connect()
    let surface = house.surface
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    var generator = SystemRandomNumberGenerator()
    // No address of a real parameter, so that the sound must not change.
    let seeds = [
      Wire.text("/nowhere/at/all.,ifsb...") + Wire.words(1, 2) + Wire.text("text....") + Wire.words(4, 5),
      Wire.bundle(
        Wire.text("/no/one.,[ii]...") + Wire.words(1, 2), Wire.bundle(Wire.text("/nil....,TFNI...")),
        seconds: 5),
      Wire.text("/{a,b}*/[!c-d]?.,hd.") + Wire.words(1, 2, 3, 4),
    ]
    let usb = try house.hear {
      let before = try count("received", surface)
      for round in 0..<3_000 {
        var bytes = seeds.randomElement(using: &generator)!
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        if Bool.random(using: &generator) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
        }
        try surface.client.send(bytes: bytes)
        // Waits for the router, because the system's buffers are not under test.
        if round % 50 == 0 { _ = try surface.takeAll() }
      }
      _ = try surface.takeAll()
      #expect(try count("received", surface) - before >= 3_000)
    }
    usb.expectSame(0, as: 3)
    #expect(try surface.text("/session/show/stream/band/route") == "usb:1-2")
  }

  @Test(
    "M21: an argument that is not a number is refused, a number is clamped, a level above its maximum is refused"
  )
  func numbers() async throws {
    let house = try await House()
    let surface = house.surface
    func refusal(_ address: String, _ argument: OSCArgument) -> String? {
      do { try surface.send(address, argument) } catch let refusal as ControlSurface.Refusal {
        return refusal.symbol
      } catch {}
      return nil
    }
    for argument: OSCArgument in [.float(.nan), .float(.infinity), .double(-.infinity), "nan", "loud"] {
      #expect(refusal("/output/usb/gain", argument) == "badValue", "\(argument)")
      #expect(refusal("/output/usb/delay", argument) == "badValue", "\(argument)")
    }
    #expect(refusal("/output/usb/gain", 1e20) == "outOfRange")
    #expect(refusal("/session/show/capture/channels", .double(1e20)) == "outOfRange")
    try surface.send("/output/usb/delay", .double(1e20))
    #expect(try surface.number("/output/usb/delay") == 2)
    try surface.send("/output/usb/delay", -1.0)
    #expect(try surface.number("/output/usb/delay") == 0)
    try surface.send("/output/usb/gain", -1e20)
    #expect(try surface.number("/output/usb/gain") == -90)
  }

  @Test("M23: an address that ends in a slash does not reveal what is below it", arguments: Way.allCases)
  func reflection(_ way: Way) async throws {
    let house = try await House(programs: [], flags: Self.everyWay)
    let surface = try way.surface(of: house.router)
    try surface.tell("/output/")
    let answer = try surface.wait(for: "/error")
    #expect(answer.arguments[1] == 3)
    #expect(try surface.takeAll().isEmpty)
  }

  @Test(
    "M24: patterns that are expensive to match are answered, and the sound goes on", arguments: Way.allCases)
  func costly(_ way: Way) async throws {
    let house = try await House(programs: [], flags: Self.everyWay)
    let surface = try way.surface(of: house.router)
    for pattern in [
      "/" + String(repeating: "*?", count: 40) + "Z", "/" + String(repeating: "{s,e}*", count: 40) + "Z",
      String(repeating: "/*", count: 200), "/" + String(repeating: "{", count: 1_000),
    ] {
      try surface.tell(pattern, 1)
      let answer = try surface.wait(for: "/error")
      #expect([1, 3].contains(answer.arguments[1]), "\(answer)")
    }
  }

  @Test("Malformed patterns are answered with badValue", arguments: Way.allCases)
  func malformed(_ way: Way) async throws {
    let house = try await House(programs: [], flags: Self.everyWay)
    let surface = try way.surface(of: house.router)
    for pattern in [
      "/x[c-a]y", "/x[]y", "/x[ab", "/{a,b", "/{a*,b}c", "/{a,b*}", "/{x,a/b}", "//z", "/a//z", "//z/w", "//",
      "/a//",
      "///z", "/a/", "/", "/a b", "/a,b", "/a#b",
    ] {
      try surface.tell(pattern, 1)
      let answer = try surface.wait(for: "/error") { $0.arguments.first == .string(pattern) }
      #expect(answer.arguments[1...2] == [3, "badValue"], "\(pattern)")
    }
  }
}
