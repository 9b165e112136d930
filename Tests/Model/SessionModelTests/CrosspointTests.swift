import SessionModel
import Testing

@Suite("Crosspoints")
struct CrosspointTests {
  @Test(
    "are present or missing as their list tells, for all widths",
    arguments: [
      ChannelSelection.default, .range(1...1), .range(1...2), .range(3...4),
      .map([.init(stream: 1, port: 2)]),
      .map([.init(stream: 1, port: 3), .init(stream: 2, port: 5)]),
    ])
  func presence(_ selection: ChannelSelection) throws {
    for width in 1...4 {
      // A port with channels enough has them all.
      let all = (try? selection.crosspoints(width: width, channels: 64, at: "usb")) ?? []
      for channels in 0...6 {
        let points = (try? selection.crosspoints(width: width, channels: channels, at: "usb")) ?? all
        let note = Comment(rawValue: "\(width) channels at \(channels)")
        #expect(
          selection.hasPresentCrosspoint(width: width, channels: channels, at: "usb")
            == points.contains { $0.port <= channels }, note)
        #expect(
          selection.missingChannels(width: width, channels: channels, at: "usb")
            == Set(points.map(\.port).filter { $0 > channels }).sorted(), note)
      }
    }
  }
}
