import SoundFiles
import StageKit
import TestKit
import Testing

/// The simulated devices on a real server; all other tests on JACK rely on them.
@Suite struct SimulatedDeviceTests {
  @Test("A device appears with its ports under exactly its given name")
  func names() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    try stage.do("device \"USB Interface\" 4 2")
    try stage.do("source klick 1 silence")
    let expected =
      (1...4).map { "USB Interface:playback_\($0)" } + (1...2).map { "USB Interface:capture_\($0)" }
      + ["klick:out_1"]
    #expect(try stage.names("ports").sorted() == expected.sorted())
  }

  @Test("A name in use is refused, by the same stage and by a second one")
  func takenName() async throws {
    let server = try await PrivateServer()
    let (first, second) = (try server.stage(), try server.stage())
    try first.do("device Headphones 2 0")
    #expect(throws: StageProcess.Failure.self) { try first.do("device Headphones 2 0") }
    let failure = #expect(throws: StageProcess.Failure.self) { try second.do("device Headphones 2 0") }
    #expect(failure?.answer == "error another JACK client is already named \"Headphones\"")
  }

  @Test("An unplugged device takes its ports and connections with it and returns under the same name")
  func replug() async throws {
    let server = try await PrivateServer()
    let (stage, witness) = (try server.stage(), try server.stage())
    try stage.do("device Headphones 2 0")
    try stage.do("source klick 1 sine 1000 -20")
    try witness.do("connect klick:out_1 Headphones:playback_1")
    #expect(try witness.names("connections klick:out_1") == ["Headphones:playback_1"])
    try stage.do("unplug Headphones")
    try witness.do("await-port Headphones:playback_1 gone")
    #expect(try witness.names("connections klick:out_1").isEmpty)
    #expect(throws: StageProcess.Failure.self) { try stage.do("level Headphones 1 0.1") }
    try stage.do("replug Headphones")
    try witness.do("await-port Headphones:playback_1")
    try witness.do("connect klick:out_1 Headphones:playback_1")
    try stage.do("wait-signal Headphones 1 -21")
  }

  @Test("A recording continues after its device returns, and reports the gap")
  func recordingAcrossReplug() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    let folder = try TemporaryFolder()
    try stage.do("device Headphones 1 0")
    try stage.do("source Tone 1 sine 440 -20")
    try stage.do("connect Tone:out_1 Headphones:playback_1")
    try stage.do("record Headphones \(folder.file("a.wav"))")
    try stage.do("frames 4800")
    try stage.do("unplug Headphones")
    try stage.do("frames 4800")
    try stage.do("replug Headphones")
    try stage.do("frames 9600")
    // At least one: a busy machine may lose another period.
    let jumps = try stage.stopRecording("Headphones").jumps
    #expect(jumps.contains { $0.frame >= 4_800 && $0.missing >= 4_800 }, "\(jumps)")
    let heard = try SoundFile(path: folder.file("a.wav")).channels[0]
    #expect(heard.count > 12_000)
    // No program made the connection again.
    #expect(heard.suffix(4_800).allSatisfy { $0 == 0 })
    #expect(SignalLevel(Array(heard.prefix(4_000))).peak > -21)
  }

  @Test("A source's sound arrives in the recording sample for sample, on the right channel")
  func sampleExact() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    let folder = try TemporaryFolder()
    try stage.do("device \"USB Interface\" 4 0")
    try stage.do("source Counter 2 ramp")
    try stage.do("connect Counter:out_1 \"USB Interface:playback_2\"")
    try stage.do("connect Counter:out_2 \"USB Interface:playback_4\"")
    try stage.do("freewheel on")
    try stage.do("record \"USB Interface\" \(folder.file("usb.wav")) 20")
    // More frames than the test compares: the stage also counts periods that the device has not received yet.
    try stage.do("frames 244000")
    let report = try stage.do("stop-record \"USB Interface\"")
    try stage.do("freewheel off")
    #expect(report.contains("dropped=0 jumps=0"))
    let recording = try SoundFile(path: folder.file("usb.wav"))
    #expect(recording.sampleRate == 48_000)
    #expect(recording.frames >= 240_000)
    #expect(SignalCheck.breaks(inRamp: recording.channels[1]).isEmpty)
    #expect(SignalCheck.breaks(inRamp: recording.channels[3]).isEmpty)
    // The two counters have a fixed distance, so a swapped or shifted channel would show.
    let shifted = recording.channels[1].map {
      Float((Int($0 * 16_777_216) + 1 << 20) & 0xFF_FFFF) / 16_777_216
    }
    #expect(SignalCheck.firstDifference(shifted, recording.channels[3]) == nil)
    for silent in [0, 2] { #expect(recording.channels[silent].allSatisfy { $0 == 0 }) }
  }

  @Test("A sound file repeats without a gap")
  func loopedFile() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    let folder = try TemporaryFolder()
    let sound = SoundFile(channels: [(0..<1_001).map { Float($0) / 1_001 }], sampleRate: 48_000)
    try sound.write(path: folder.file("loop.wav"))
    try stage.do("device Speaker 1 0")
    try stage.do("source Player file \(folder.file("loop.wav"))")
    try stage.do("connect Player:out_1 Speaker:playback_1")
    try stage.do("freewheel on")
    try stage.do("record Speaker \(folder.file("speaker.wav"))")
    try stage.do("frames 20000")
    try stage.do("stop-record Speaker")
    try stage.do("freewheel off")
    let heard = try SoundFile(path: folder.file("speaker.wav")).channels[0]
    let start = try #require(heard.firstIndex(of: 0))
    let expected = heard.indices.dropFirst(start).map { sound.channels[0][($0 - start) % 1_001] }
    #expect(SignalCheck.firstDifference(heard.dropFirst(start), expected) == nil)
  }

  @Test("A file of another rate than the server's is refused with both rates")
  func wrongRate() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[0, 1]], sampleRate: 44_100).write(path: folder.file("a.wav"))
    let failure = #expect(throws: StageProcess.Failure.self) {
      try stage.do("source Player file \(folder.file("a.wav"))")
    }
    #expect(failure?.answer == "error the sound has 44100 Hz and the server 48000 Hz")
  }

  @Test("Levels show the sound that was played, and silence shows as silence")
  func levels() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    try stage.do("device Headphones 2 0")
    try stage.do("source Tone 1 sine 997 -20")
    try stage.do("connect Tone:out_1 Headphones:playback_1")
    try stage.do("wait-signal Headphones 1 -21")
    #expect(abs(try stage.value("tone", of: "level Headphones 1 997 0.25") + 20) < 0.001)
    #expect(abs(try stage.value("rms", of: "level Headphones 1 0.25") + 23.01) < 0.05)
    #expect(try stage.value("tone", of: "level Headphones 1 2000 0.25") < -90)
    #expect(try stage.value("peak", of: "level Headphones 2 0.1") == SignalLevel.silence)
  }

  @Test("A change of period costs one period of silence at most", arguments: [16, 37, 256, 8192])
  func period(frames: Int) async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    let folder = try TemporaryFolder()
    try stage.do("device Speaker 1 0")
    try stage.do("source Counter 1 ramp")
    try stage.do("connect Counter:out_1 Speaker:playback_1")
    try stage.do("freewheel on")
    try stage.do("record Speaker \(folder.file("a.wav")) 120")
    try stage.do("frames 20000")
    #expect(try stage.value("period", of: "period \(frames)") == Double(frames))
    try stage.do("frames 20000")
    // Enough room; otherwise dropped frames would look like a gap of the server.
    #expect(try stage.do("stop-record Speaker").contains("dropped=0"))
    let breaks = SignalCheck.breaks(inRamp: try SoundFile(path: folder.file("a.wav")).channels[0])
    // The server stops at any moment. A client that had not yet run has then missed a period.
    if let first = breaks.first, let last = breaks.last {
      #expect(last - first <= max(PrivateServer.period, frames))
    }
  }

  @Test("A device declares its given latency, and connected programs see that latency")
  func latency() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    try stage.do("device Speaker 1 1 512 256")
    try stage.do("source klick 1 silence")
    try stage.do("connect klick:out_1 Speaker:playback_1")
    #expect(try stage.do("latency Speaker:playback_1 playback") == "minimum=512 maximum=512")
    #expect(try stage.do("latency Speaker:capture_1 capture") == "minimum=256 maximum=256")
    let failure = #expect(throws: StageProcess.Failure.self) { try stage.do("latency nowhere:out capture") }
    #expect(failure?.answer == "error there is no port \"nowhere:out\"")
  }
}
