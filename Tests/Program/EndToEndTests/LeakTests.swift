import Foundation
import StageKit
import TestKit
import Testing

/// How long an exclusive program that connects itself is heard at the wrong device.
///
/// The periods are long, so that the figures count periods and not the processor's time. `make bench` measures at 256 frames.
@Suite struct LeakTests {
  private static let starts = 20
  private static let period = 2_048

  private static let click = """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "click": { "channels": 2, "from": ["Player*:out_*", "pw-cat:output_*"], "to": { "headphones": 0 },
        "exclusive": true } } }
    """

  /// The frames of each start that are heard at a channel, sorted. Starts are apart by silence; a start that is not heard counts as 0.
  private func leaks(_ samples: [Float]) -> [Int] {
    let heard = samples.indices.filter { samples[$0] != 0 }
    var lengths: [Int] = []
    var begin: Int?
    for (index, frame) in heard.enumerated() {
      begin = begin ?? frame
      guard index + 1 == heard.count || heard[index + 1] - frame > Self.period else { continue }
      lengths.append(frame - begin! + 1)
      begin = nil
    }
    return (lengths + Array(repeating: 0, count: max(0, Self.starts - lengths.count))).sorted()
  }

  private func median(_ sorted: [Int]) -> Int { sorted[sorted.count / 2] }

  @Test(
    "At jackd, a player that connects itself to the wrong device is heard there for less than three periods")
  func jackd() async throws {
    let house = try await House(House.preset(Self.click), programs: [], period: Self.period)
    let sound = try house.hear("Speaker") {
      for number in 1...Self.starts {
        try house.stage.do("player Player\(number) 2 sine 997 -20 Speaker")
        for channel in 1...2 {
          try house.stage.do(
            "await-connection Player\(number):out_\(channel) Speaker:playback_\(channel) gone")
        }
        try house.stage.do("frames \(2 * Self.period)")
        try house.stage.do("unplug Player\(number)")
        try house.stage.do("frames \(2 * Self.period)")
      }
    }
    let leaks = sound.channels.map { self.leaks($0) }
    TestNotes.remark("frames that a player leaks at jackd, \(Self.period) frames a period: \(leaks)")
    for channel in leaks { #expect(median(channel) < 3 * Self.period, "\(channel)") }
  }

  @Test(
    "At PipeWire, a player that the session manager connects is heard there for less than two periods and 5 ms"
  )
  func pipeWire() async throws {
    let preset = House.preset(Self.click).replacingOccurrences(of: "Headphones:", with: "Acme Box:")
    let rack = try await Rack.desk(preset)
    let (stage, file) = (rack.stage, try rack.tone(seconds: 5))
    try stage.do("period \(Self.period)")
    let recorder = DeviceRecorder(stage: stage, folder: rack.folder)
    let sound = try recorder.hear(["Ear"], clock: .realTime) {
      for _ in 1...Self.starts {
        let player = try ChildProcess("pw-cat", ["--playback", file], environment: rack.pipewire.environment)
        for (number, channel) in ["FL", "FR"].enumerated() {
          try stage.do("await-connection pw-cat:output_\(channel) multiroute:show.click_\(number + 1)")
          try stage.do("await-connection pw-cat:output_\(channel) Desk:playback_\(channel) gone")
        }
        try stage.do("frames \(2 * Self.period)")
        player.send(signal: SIGKILL)
        try stage.do("await-port pw-cat:output_FL gone")
      }
    }
    let leaks = sound[0].channels.map { self.leaks($0) }
    TestNotes.remark("frames that a player leaks at PipeWire, \(Self.period) frames a period: \(leaks)")
    for channel in leaks { #expect(median(channel) < 2 * Self.period + 240, "\(channel)") }
    // A recording without a leak shows nothing if the ear were deaf.
    try rack.surface.send("/session/show/stream/click/exclusive", 0)
    let player = try ChildProcess("pw-cat", ["--playback", file], environment: rack.pipewire.environment)
    try stage.do("wait-signal Ear 1 -20")
    withExtendedLifetime(player) {}
  }
}
