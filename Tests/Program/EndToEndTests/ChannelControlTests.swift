import OSC
import TestKit
import Testing

/// The monitor section of an output, and polarity and width of a stream, over OSC at a freewheeling server, sample by sample.
@Suite struct ChannelControlTests {
  private static let ramp = 960
  /// The band at the headphones.
  private static let show = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "headphones": 0 } } } }
    """)

  /// What a channel of the headphones plays: parts of the band's two channels.
  private struct Parts {
    var left: Double
    var right: Double
    init(_ left: Double, _ right: Double) { (self.left, self.right) = (left, right) }
  }

  @Test("Each control leads from one formula to the next along one raised cosine")
  func controls() async throws {
    let house = try await House(Self.show)
    try house.connect("Band:out_1", to: "USB Interface:playback_3")
    try house.connect("Band:out_2", to: "USB Interface:playback_4")
    try house.freewheel()
    let (half, dimmed) = (0.5.squareRoot(), GainTrace.amplitude(-12))
    var now = [Parts(1, 0), Parts(0, 1)]
    func expect(_ address: String, _ argument: OSCArgument, _ next: [Parts]) throws {
      let heard = try house.hear(["Headphones", "USB Interface"]) {
        try house.surface.send(address, argument)
        try house.surface.sync()
        try house.stage.do("frames 60000")
      }
      let (left, right) = (heard[1][2], heard[1][3])
      for channel in 0...1 {
        let (from, to) = (now[channel], next[channel])
        guard from.left != to.left || from.right != to.right else { continue }
        // The way from one formula to the next, frame by frame.
        var way: [Double] = []
        for frame in 0..<min(heard[0][channel].count, left.count) {
          let (l, r) = (Double(left[frame]), Double(right[frame]))
          let (first, last) = (l * from.left + r * from.right, l * to.left + r * to.right)
          guard abs(last - first) > 1e-4 else { continue }
          way.append((Double(heard[0][channel][frame]) - first) / (last - first))
        }
        #expect(way.first.map { abs($0) < 1e-4 } == true, "\(address) begins where it was")
        #expect(way.last.map { abs($0 - 1) < 1e-4 } == true, "\(address) ends at its formula")
        guard let begin = way.firstIndex(where: { $0 > 1e-4 }) else { continue }
        let moving = way[max(0, begin - 3)...].prefix { $0 < 1 - 1e-4 }
        #expect(abs(moving.count - Self.ramp) < 24, "\(address) takes \(moving.count) frames")
        let steps = zip(way, way.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0) < .pi / 2 / Double(Self.ramp) * 1.05 + 1e-4 }, "\(address) steps")
      }
      now = next
    }
    let (output, stream) = ("/output/headphones", "/session/show/stream/band")
    try expect("\(output)/dim/level", -12.0, now)
    try expect("\(output)/dim", 1, [Parts(dimmed, 0), Parts(0, dimmed)])
    try expect("\(output)/dim", 0, [Parts(1, 0), Parts(0, 1)])
    try expect("\(output)/polarity", "2", [Parts(1, 0), Parts(0, -1)])
    try expect("\(output)/polarity", "none", [Parts(1, 0), Parts(0, 1)])
    try expect("\(output)/balance", 0.75, [Parts(0.25, 0), Parts(0, 1)])
    try expect("\(output)/balance", 0.0, [Parts(1, 0), Parts(0, 1)])
    try expect("\(output)/swap", 1, [Parts(0, 1), Parts(1, 0)])
    try expect("\(output)/swap", 0, [Parts(1, 0), Parts(0, 1)])
    // The band's channels in phase are louder in mono, so that it is turned down for the limiter.
    try expect("\(stream)/gain", -20.0, [Parts(0.1, 0), Parts(0, 0.1)])
    try expect("\(output)/mono", 1, [Parts(half / 10, half / 10), Parts(half / 10, half / 10)])
    try expect("\(output)/mono", 0, [Parts(0.1, 0), Parts(0, 0.1)])
    try expect("\(stream)/polarity", "1", [Parts(-0.1, 0), Parts(0, 0.1)])
    try expect("\(stream)/width", 0.0, [Parts(-0.05, 0.05), Parts(-0.05, 0.05)])
    try expect("\(stream)/width", 2.0, [Parts(-0.15, -0.05), Parts(0.05, 0.15)])
  }
}
