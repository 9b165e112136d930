import Chance
import StageKit
import TestKit
import Testing

/// What is lost of the beginning of a program, beside a program that connects itself to the device.
@Suite struct BeginningTests {
  private static let period = 256
  private static let cues = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "cue": { "channels": 2, "from": ["Cue*:out_*"], "to": { "usb:1-2": 0 } } } }
    """)

  /// Frames that a device has missed of the start of each program, in order.
  private func losses(_ house: House, _ count: Int, start: (Int) -> String, name: (Int) -> String) throws
    -> [Int]
  {
    let sound = try house.hear {
      for number in 1...count {
        try house.stage.do(start(number))
        try house.stage.do("wait-signal \"USB Interface\" 1 -200")
        try house.stage.do("frames 4800")
        try house.stage.do("unplug \(name(number))")
        try house.stage.do("frames 4800")
      }
    }
    let samples = sound.channels[0]
    return samples.indices.dropFirst().filter { samples[$0] != 0 && samples[$0 - 1] == 0 }
      .map { Int(samples[$0] * 16_777_216) }
  }

  @Test("Of 100 starts 95 lose at most two periods more than programs that connect themselves to the device")
  func starts() async throws {
    // A tenth of them in `make test`.
    let count = Soak.count(10, of: 100)
    let house = try await House(Self.cues, programs: [], period: Self.period)
    let bare = try losses(house, count, start: { "player Bare\($0) 2 ramp \"USB Interface\"" }) {
      "Bare\($0)"
    }
    let ours = try losses(house, count, start: { "source Cue\($0) 2 ramp" }) { "Cue\($0)" }
    #expect(bare.count == count && ours.count == count)
    let rank = min(count, bare.count, ours.count) * 95 / 100 - 1
    #expect(ours.sorted()[rank] <= bare.sorted()[rank] + 2 * Self.period, "\(ours) and \(bare)")
  }
}
