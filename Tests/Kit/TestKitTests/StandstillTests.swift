import SoundFiles
import StageKit
import TestKit
import Testing

/// The rule of excuses on a real server: lost processor time of the server must show in the recording.
@Suite struct StandstillTests {
  @Test(
    "A recording of devices without processor time has a jump there, and gaps nowhere else")
  func jump() async throws {
    let server = try await PrivateServer()
    let (stage, witness) = (try server.stage(), try server.stage())
    let folder = try TemporaryFolder()
    try stage.do("device Speaker 1 0")
    try stage.do("source Counter 1 ramp")
    try stage.do("connect Counter:out_1 Speaker:playback_1")
    try stage.do("wait-signal Speaker 1 -90")
    try stage.do("record Speaker \(folder.file("a.wav"))")
    try stage.do("frames 9600")
    try stage.standStill { try witness.do("frames 14400") }
    try stage.do("frames 9600")
    let jumps = try stage.stopRecording("Speaker").jumps
    // The server ran for fourteen periods, of which the first and last may have been recorded.
    #expect(jumps.reduce(0) { $0 + $1.missing } >= 10_000, "\(jumps)")
    let heard = try SoundFile(path: folder.file("a.wav")).channels[0]
    let continuity = Continuity(jumps: jumps, period: PrivateServer.period)
    #expect(continuity.breaks(inRamp: heard).fault == nil, "\(jumps)")
  }

  @Test("A level is measured right although the devices lost processor time during the measurement")
  func level() async throws {
    let server = try await PrivateServer()
    let (stage, witness) = (try server.stage(), try server.stage())
    try stage.do("device Speaker 1 0")
    try stage.do("source Tone 1 sine 997 -20")
    try stage.do("connect Tone:out_1 Speaker:playback_1")
    try stage.do("wait-signal Speaker 1 -21")
    let answer = try stage.answer(to: "level Speaker 1 997 0.5") {
      try witness.do("frames 9600")
      try stage.standStill { try witness.do("frames 4800") }
    }
    let tone = try #require(answer.split(separator: " ").last?.dropFirst("tone=".count))
    #expect(abs(try #require(Double(tone)) + 20) < 0.001, "\(answer)")
  }
}
