import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Recorders")
struct RecordersTests {
  private var rig: Rig

  /// The session `voice` may record from `mic`, and `tape` records that.
  init() throws {
    rig = try Rig()
    try rig.make("voice", .playAndRecord, 1)
    try rig.handle(.recorder("tape", .create(.input("mic"))))
  }

  private var tape: MediaRecorder { rig.state.recorders["tape"]! }
  @discardableResult
  private mutating func order(_ order: RecorderOrder, _ id: RecorderID = "tape") throws -> [Notification] {
    try rig.handle(.recorder(id, .order(order)))
  }

  private mutating func error(_ event: MediaRecorderEvent, _ id: RecorderID = "tape") -> SessionError? {
    let before = rig.state
    do throws(SessionError) {
      _ = try Policy.reduce(&rig.world.state, .recorder(id, event), at: 0)
      return nil
    } catch {
      #expect(rig.state == before)
      return error
    }
  }

  @Test("An input needs an active session with permission that has it; the sentence says which would do")
  mutating func permission() throws {
    #expect(error(.order(.record()))?.code == .cannotStartRecording)
    #expect(
      error(.order(.record()))?.sentence
        == "tape records the input mic only while an active session of category record, playAndRecord or multiRoute has it as its input; voice would do"
    )
    try rig.activate("voice")
    try rig.handle(.session("voice", .permission(.denied)))
    #expect(
      error(.order(.record()))?.sentence
        == "voice has mic as its input, but may not record (permission is denied); set /session/voice/permission granted"
    )
    try rig.handle(.session("voice", .permission(.granted)))
    #expect(try order(.record()) == [.recorder("tape", .state(.recording))])
    #expect(tape.session == "voice" && rig["voice"].isInputRunning)
    #expect(rig.why("voice").hasSuffix("its recorder tape records mic"))
  }

  @Test("Without a session that could record, the sentence says so")
  mutating func nobody() throws {
    try rig.handle(.removeSession("voice"))
    #expect(error(.order(.record()))?.sentence.hasSuffix("there is none that could") == true)
  }

  @Test("A microphone that is muted in hardware is refused, and one that is muted later interrupts")
  mutating func hardware() throws {
    try rig.activate("voice")
    try rig.handle(.port(.input, "mic", .hardwareMuted(true)))
    #expect(error(.order(.record()))?.code == .cannotStartRecording)
    try rig.handle(.port(.input, "mic", .hardwareMuted(false)))
    try rig.handle(.session("voice", .resumption(.recommended)))
    try order(.record())
    try rig.handle(.port(.input, "mic", .hardwareMuted(true)))
    #expect(tape.state == .interrupted)
    try rig.handle(.port(.input, "mic", .hardwareMuted(false)))
    #expect(tape.state == .recording)
  }

  @Test(
    "A rate is the server's or one that a player takes again, and the refusal says so",
    arguments: [1, 48, 3_999])
  mutating func rate(hertz: Int) throws {
    #expect(
      error(.set(.rate(hertz)))
        == SessionError(
          .badParam, "recordings have a rate from 4000 Hz on, not \(hertz); 0 is the server's rate"))
    for fine in [0, 4_000, 384_000] { try rig.handle(.recorder("tape", .set(.rate(fine)))) }
  }

  @Test("An interruption of its session pauses it, and it goes on as the session's resume says")
  mutating func interruption() throws {
    for resumption in [Resumption.recommended, .never] {
      try rig.handle(.session("voice", .resumption(resumption)))
      try rig.activate("voice")
      try order(.record())
      #expect(
        try rig.handle(.beginInterruption("phone")).contains(.recorder("tape", .state(.interrupted))))
      #expect(rig["voice"].runningRecorders == 0)
      try rig.handle(.endInterruption("phone"))
      #expect(tape.state == (resumption == .never ? .interrupted : .recording))
      // `record` asks the law again.
      if resumption == .never { #expect(error(.order(.record()))?.code == .cannotStartRecording) }
    }
  }

  @Test("The end of its session, or of the permission, stops it with an error that says so")
  mutating func ends() throws {
    let ended = Notification.error(
      client: 0, address: "/recorder/tape/recording",
      SessionError(
        .cannotStartRecording,
        "tape has stopped, because no session may record input:mic any more; its file is complete"))
    try rig.activate("voice")
    try order(.record())
    #expect(try rig.end("voice").contains(ended))
    #expect(tape.state == .stopped && tape.session == nil)
    try rig.activate("voice")
    try order(.record())
    let told = try rig.handle(.session("voice", .permission(.denied)))
    #expect(told == [.recorder("tape", .state(.stopped)), ended])
  }

  @Test("Another session that has the input takes over when the first one ends")
  mutating func takesOver() throws {
    try rig.make("notes", .playAndRecord, 1)
    try rig.activate("voice")
    try order(.record())
    try rig.activate("notes")
    #expect(tape.session == "voice")
    try rig.end("voice")
    #expect(tape.state == .recording && tape.session == "notes" && rig["notes"].runningRecorders == 1)
  }

  @Test("It waits while its session has another input, and goes on when the session has it again")
  mutating func route() throws {
    try rig.activate("voice")
    try order(.record())
    try rig.world.plug("line", .headsetMic, channels: 1, .input)
    #expect(rig["voice"].route.inputs == ["line"] && tape.state == .interrupted)
    try rig.world.unplug("line", .input)
    #expect(tape.state == .recording)
  }

  @Test("A recorder of input counts as running input for deactivation")
  mutating func busy() throws {
    try rig.handle(.session("voice", .outputIO(.stopped)))
    try rig.activate("voice")
    try rig.handle(.router(.deactivation(.refuses)))
    try order(.record())
    let error = #expect(throws: SessionError.self) { try rig.end("voice") }
    #expect(
      error?.sentence == "the recorder tape still records by voice; stop it first (/recorder/tape/stop)")
  }

  @Test(
    "One of a session, stream or output needs no permission and is not interrupted, but waits for the server")
  mutating func others() throws {
    let sources: [(RecorderID, RecorderSource)] = [
      ("a", .session("voice")), ("b", .stream("voice", "main")), ("c", .output("spk")),
    ]
    for (id, source) in sources {
      try rig.handle(.recorder(id, .create(source)))
      try order(.record(), id)
    }
    try rig.activate("voice")
    try rig.handle(.beginInterruption("phone"))
    #expect(sources.allSatisfy { rig.state.recorders[$0.0]?.state == .recording })
    let server = rig.state.server
    try rig.world.lose()
    #expect(sources.allSatisfy { rig.state.recorders[$0.0]?.state == .interrupted })
    #expect(error(.order(.record()), "a")?.code == .mediaServicesFailed)
    try rig.handle(.server(server))
    #expect(sources.allSatisfy { rig.state.recorders[$0.0]?.state == .recording })
  }

  @Test("A source that goes takes its recorder with it, stopped and told")
  mutating func removal() throws {
    try rig.handle(.recorder("a", .create(.stream("voice", "main"))))
    try order(.record(), "a")
    #expect(
      try rig.handle(.removeStream("voice", "main")) == [
        .recorder("a", .state(.stopped)), .recorder("a", .removed),
      ])
    #expect(error(.create(.stream("voice", "main")), "b")?.code == .notFound)
    #expect(error(.create(.output("nowhere")), "b")?.code == .notFound)
    #expect(error(.create(.input("mic")))?.code == .exists)
    #expect(error(.order(.stop), "b")?.code == .notFound)
  }

  @Test(
    "One of an output that is away waits, also of one that was never seen, and begins when the output is there"
  )
  mutating func waitsForOutput() throws {
    try rig.world.declare("usb", .usbAudio, channels: 0)
    try rig.handle(.recorder("house", .create(.output("usb"))))
    #expect(try order(.record(), "house") == [.recorder("house", .state(.waiting))])
    #expect(try order(.pause, "house") == [.recorder("house", .state(.stopped))])
    try order(.record(), "house")
    try rig.world.plug("usb", .usbAudio, channels: 4)
    #expect(rig.state.recorders["house"]?.state == .recording)
    // What has begun goes on while the device is away: silence is recorded as silence.
    try rig.world.unplug("usb")
    #expect(rig.state.recorders["house"]?.state == .recording)
    try order(.stop, "house")
    try order(.record(), "house")
    try rig.world.lose()
    #expect(rig.state.recorders["house"]?.state == .waiting)
  }

  @Test("One that waited for an output with more channels than its format holds stops with an error")
  mutating func waitsInVain() throws {
    try rig.world.declare("usb", .usbAudio, channels: 0)
    try rig.handle(.recorder("house", .create(.output("usb"))))
    try rig.handle(.recorder("house", .set(.format(.flac))))
    try order(.record(), "house")
    let before = rig.world.told.count
    try rig.world.plug("usb", .usbAudio, channels: 12)
    #expect(rig.state.recorders["house"]?.state == .stopped)
    #expect(
      rig.world.told[before...].contains {
        if case .error(_, "/recorder/house/recording", let error) = $0 {
          error.sentence.hasPrefix("house cannot record: flac holds 8 channels, not 12")
        } else {
          false
        }
      })
  }

  @Test("One of an input that is away waits for the input, and then for a session that may record it")
  mutating func waitsForInput() throws {
    try rig.world.unplug("mic", .input)
    #expect(try order(.record()) == [.recorder("tape", .state(.waiting))])
    try rig.world.plug("mic", .builtInMic, channels: 1, .input)
    #expect(tape.state == .waiting)
    try rig.activate("voice")
    #expect(tape.state == .recording && tape.session == "voice" && rig["voice"].runningRecorders == 1)
  }

  @Test("One that begins with what was heard before is ready without an order")
  mutating func listens() throws {
    #expect(try rig.handle(.recorder("tape", .set(.before(10)))) == [.recorder("tape", .state(.prepared))])
    try rig.activate("voice")
    try order(.record())
    #expect(try order(.stop) == [.recorder("tape", .state(.prepared))])
  }

  @Test("pause keeps the file, stop ends it, and a scheduled record can be cancelled")
  mutating func transport() throws {
    try rig.handle(.recorder("a", .create(.output("spk"))))
    #expect(try order(.prepare, "a") == [.recorder("a", .state(.prepared))])
    #expect(try order(.record(after: 4), "a").isEmpty)
    #expect(rig.state.recorders["a"]?.startTime == 4)
    #expect(try order(.pause, "a") == [.recorder("a", .state(.stopped))])
    try order(.record(after: 4), "a")
    #expect(try rig.handle(.recorder("a", .report(.started))) == [.recorder("a", .state(.recording))])
    var facts = RecorderFacts()
    (facts.isOpen, facts.seconds, facts.time, facts.speed) = (true, 3, 10, 1)
    try rig.handle(.recorder("a", .report(.facts(facts))))
    #expect(rig.state.recorders["a"]?.time(at: 12) == 5)
    #expect(try order(.pause, "a") == [.recorder("a", .state(.paused))])
    #expect(try order(.record(), "a") == [.recorder("a", .state(.recording))])
    #expect(
      try rig.handle(.recorder("a", .report(.limit))) == [
        .recorder("a", .state(.stopped)), .recorder("a", .finished),
      ])
    (facts.isOpen, facts.speed) = (false, 0)
    try rig.handle(.recorder("a", .report(.facts(facts))))
    try order(.record(after: 4), "a")
    // The file before is finished, so nothing is open that a pause could keep.
    #expect(try order(.pause, "a") == [.recorder("a", .state(.stopped))])
    try order(.record(), "a")
    let full = SessionError(.io, "the disk is full")
    #expect(
      try rig.handle(.recorder("a", .report(.failed(full)))) == [
        .recorder("a", .state(.stopped)), .recorder("a", .failed),
        .error(client: 0, address: "/recorder/a", full),
      ])
  }

  @Test("A scheduled start of a recorder that records already changes nothing, also while its output is away")
  mutating func scheduledTwice() throws {
    try rig.world.plug("usb", .usbAudio, channels: 4)
    try rig.handle(.recorder("house", .create(.output("usb"))))
    try order(.record(), "house")
    #expect(try order(.record(after: 2), "house").isEmpty)
    #expect(rig.state.recorders["house"]?.startTime == nil)
    try rig.world.unplug("usb")
    #expect(try order(.record(), "house").isEmpty)
    #expect(rig.state.recorders["house"]?.state == .recording)
  }

  @Test("Settings that no file has are refused: bits and names at once, what does not go together at record")
  mutating func settings() throws {
    try rig.activate("voice")
    #expect(error(.set(.bits(20)))?.sentence == "samples have 16, 24 or 32 bits, not 20")
    for template in ["", "a/b", "..", ".hidden", "a\u{1}", "{Date}", "take{n", "act1-{day}"] {
      #expect(error(.set(.template(template)))?.code == .badValue, "\(template)")
    }
    func set(_ settings: RecorderSetting...) throws {
      for setting in settings { try rig.handle(.recorder("tape", .set(setting))) }
    }
    try set(.format(.flac), .bits(32))
    #expect(
      error(.order(.record()))?.sentence
        == "tape cannot record: flac has samples of 16 or 24 bits, not 32; set /recorder/tape/bits")
    try set(.bits(16), .channels(12))
    #expect(
      error(.order(.record()))?.sentence
        == "tape cannot record: flac holds 8 channels, not 12; set /recorder/tape/channels, or format wav")
    try set(.format(.opus), .channels(0), .rate(44_100))
    #expect(
      error(.order(.record()))?.sentence
        == "tape cannot record: opus has a rate of 8000, 12000, 16000, 24000 or 48000 Hz, not 44100; set /recorder/tape/rate, or 0 there"
    )
    try set(.rate(0))
    try order(.record())
  }
}
