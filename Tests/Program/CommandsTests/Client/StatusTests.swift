import Foundation
import Numbers
import OSC
import SessionModel
import Synchronization
import Testing

@testable import Commands

@Suite("status and ports show the router")
struct StatusTests {
  @Test("status shows sessions, streams, ports, levels and why each is heard, aligned")
  func tables() throws {
    let router = try LoopRouter()
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    #expect(
      shell.terminal.output.replacing(/up \d+ s/, with: "up N s") == """
        multiroute at \(router.endpoint): version 9.9, multiroute at the JACK server, 48000 Hz, period 256 (5.3 ms), up N s
        xruns 3, longest callback 114 us, load 8 %, early 0, replaced values 0, lost packets 0, clients 0
        interruptions: none; ducking: -14.0 dB in 0.20 s, back in 0.80 s (all)

        SESSION  IS            GAIN  DUCK  PEAK        ROUTE
        show     multiRoute  0.0 dB        -6.0 -12.0  in:mic out:usb
                 heard at usb; waits for headphones
          band   2 ch        0.0 dB        -6.0 -12.0  from none to usb
          click  1 ch        0.0 dB        -           from none to headphones
        idle     playback    0.0 dB                    in:none out:usb
                 silent: not active (activate is manual)

        OUTPUT      TYPE        CH    GAIN  PEAK          LATENCY  STATE
        usb         usbAudio     4  0.0 dB  -6.0 - - 0.0   0.0 ms  there
        headphones  headphones   2  0.0 dB  - -            0.0 ms  away

        INPUT  TYPE        CH    GAIN  PEAK  LATENCY  STATE
        mic    builtInMic   1  0.0 dB  -              there

        """)
  }

  @Test("The line of a stream names the channels on its way that the devices lack")
  func missingChannels() throws {
    let router = try LoopRouter(
      LoopRouter.stage + [
        .destination("show", "band", "usb", .channels(.range(3...4))),
        .stream("show", "band", .sources([.input("mic", channels: nil)])),
        .portsPresent([PortPresence(.output, "usb", members: ["usb:playback_1", "usb:playback_2"])]),
      ])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    let text = shell.terminal.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("from input:mic to usb:3-4 (usb has 2 channels; channels 3 and 4 do not exist)"))
    #expect(text.contains("none of its streams reaches an available output; usb has 2 channels; channels 3"))
    let json = Shell()
    #expect(json.run("status", "--json", "--to", router.endpoint) == .success)
    #expect(json.terminal.output.contains("\"usb has 2 channels; channels 3 and 4 do not exist\""))
  }

  @Test("The status says what the desktop's mixer does to outputs, inputs, sessions and captures")
  func desktopMixer() throws {
    let router = try LoopRouter(
      LoopRouter.stage + [
        .desktopVolume(.output, "usb", DesktopVolume(percent: 100, isMuted: true)),
        .desktopVolume(.input, "mic", DesktopVolume(percent: 30, isMuted: false)),
        .session("show", .captureChannels(2)), .captureInput("show", "mic", .on(true)),
      ])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    let lines = shell.terminal.lines.map { $0.split(separator: " ").joined(separator: " ") }
    func note(below row: String) -> String? {
      lines.firstIndex { $0.hasPrefix(row) }.map { lines[$0 + 1] }
    }
    #expect(note(below: "usb usbAudio") == "muted in the desktop's mixer")
    #expect(note(below: "mic builtInMic") == "turned down to 30 % in the desktop's mixer")
    let text = lines.joined(separator: " ")
    #expect(
      text.contains("silent: the desktop's mixer lets nothing through; usb is muted in the desktop's mixer"))
    #expect(text.contains("contains input mic; input mic is turned down to 30 % in the desktop's mixer"))
    let json = Shell()
    #expect(json.run("status", "--json", "--to", router.endpoint) == .success)
    #expect(json.terminal.output.contains("\"desktop\": \"muted in the desktop's mixer\""))
  }

  @Test(
    "The status has a line for each capture: what it contains, where it goes, its level, why it is silent")
  func captures() throws {
    let router = try LoopRouter(
      LoopRouter.stage + [
        .createSession("caller", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        .session("caller", .captureChannels(1)), .session("caller", .captureRoute(false)),
        .session("caller", .captureDestinations([try #require(ProgramPorts("Phone:in_*"))])),
        .captureSession("caller", "show", .on(true)), .activate("caller"), .capturing("caller", true),
        .session("show", .captureChannels(2)), .captureInput("show", "mic", .on(true)),
        .port(.input, "mic", .muted(true)),
      ])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    let lines = shell.terminal.lines.filter { $0.hasPrefix("  capture") }.map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines == [
        "capture 2 ch - - silent: input mic is muted; goes nowhere",
        "capture 1 ch - contains show; goes to Phone:in_*",
      ])
    #expect(shell.run("status", "--json", "--to", router.endpoint) == .success)
    let text = Data(shell.terminal.output.drop { $0 != "{" }.utf8)
    let document = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let sessions = try #require(document["sessions"] as? [[String: Any]])
    #expect(sessions[1]["capture"] is NSNull)
    let capture = try #require(sessions[2]["capture"] as? [String: Any])
    #expect(capture["to"] as? [String] == ["Phone:in_*"] && (capture["peak"] as? [Double])?.count == 1)
    #expect(capture["why"] as? String == "contains show; goes to Phone:in_*")
  }

  @Test("why names channels that no program feeds and ports that no channel takes")
  func gaps() throws {
    let router = try LoopRouter(
      LoopRouter.stage + [
        .channelGaps("show", "band", ChannelGaps(channels: [2])),
        .channelGaps("show", "click", ChannelGaps(ports: ["Metronome:out_2"])),
      ])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    let text = shell.terminal.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains("nothing feeds channel 2 of band; no channel of click takes Metronome:out_2"), "\(text)")
  }

  @Test("ports --programs lists programs with their names at PipeWire")
  func programs() throws {
    func port(_ name: String, _ media: String) -> JackPort {
      JackPort(
        name, isInput: false, program: ProgramNames(application: "Chromium", media: media, node: "Chromium"))
    }
    let router = try LoopRouter(
      LoopRouter.stage + [
        .jackPorts([
          port("Chromium:output_FL", "Film"), port("Chromium:output_FR", "Film"),
          port("Chromium:output_FL-70", "Radio"),
          JackPort("Band:out_1", isInput: false, program: ProgramNames(client: "Band")),
        ])
      ])
    let shell = Shell()
    #expect(shell.run("ports", "--programs", "--to", router.endpoint) == .success)
    #expect(
      shell.terminal.output == """
        PROGRAM   SOUND  JACK'S NAMES
        Chromium  out    Chromium:output_FL, Chromium:output_FR
                  application Chromium, media Film, node Chromium
        Chromium  out    Chromium:output_FL-70
                  application Chromium, media Radio, node Chromium
        Band      out    Band:out_1

        """)
    let json = Shell()
    #expect(json.run("ports", "--programs", "--json", "--to", router.endpoint) == .success)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.terminal.output.utf8)) as? [String: Any])
    let programs = try #require(document["programs"] as? [[String: Any]])
    #expect(programs.map { $0["media"] as? String } == ["Film", "Radio", nil])
  }

  /// A call interrupts the radio; an announcement ducks the show, which is protected.
  private static var law: [Event] {
    let programs = ["radio", "announce"].map { id in
      [
        Event.createStream(SessionID(id)!, "main", channels: 2, placed: false),
        .connected(SessionID(id)!, true),
      ]
    }
    return LoopRouter.stage + [
      .session("show", .protected(true)),
      .createSession("radio", SessionConfiguration(category: .playback, options: .mixWithOthers)),
      .createSession("announce", SessionConfiguration(category: .playback, options: .duckOthers)),
    ] + programs.joined() + [
      .session("radio", .resumption(.recommended)), .activate("radio"),
      .heardDirectly("radio", "main", ["system:playback_1", "system:playback_2", "Recorder:in_1"]),
      .beginInterruption("phone"), .ring("door", true), .activate("announce"),
    ]
  }

  @Test(
    "The status shows why each session is ducked or interrupted, and by which session, within 100 columns")
  func law() throws {
    let router = try LoopRouter(Self.law)
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    #expect(
      shell.terminal.output.split(separator: "\n\n")[0].split(separator: "\n").last
        == "interruptions: phone, door (rings); ducking: -14.0 dB in 0.20 s, back in 0.80 s (all)")
    #expect(
      shell.terminal.output.split(separator: "\n\n")[1] == """
        SESSION   IS            GAIN      DUCK  PEAK        ROUTE
        show      multiRoute  0.0 dB  -14.0 dB  -6.0 -12.0  in:mic out:usb
                  heard at usb, ducked to -14.0 dB by announce; waits for headphones
          band    2 ch        0.0 dB            -6.0 -12.0  from none to usb
          click   1 ch        0.0 dB            -           from none to headphones
        idle      playback    0.0 dB                        in:none out:usb
                  silent: not active (activate is manual)
        radio     playback    0.0 dB            - -         in:none out:usb
                  interrupted by a call (phone); comes back by itself when it ends; also heard directly at
                  system:playback_1, system:playback_2, Recorder:in_1
          main    2 ch        0.0 dB            - -         from none
        announce  playback    0.0 dB            - -         in:none out:usb
                  heard at usb
          main    2 ch        0.0 dB            - -         from none
        """)
    for line in shell.terminal.lines { #expect(line.count <= 100 || line.hasPrefix("multiroute at ")) }
    #expect(shell.run("status", "--json", "--to", router.endpoint) == .success)
    let text = Data(shell.terminal.output.drop { $0 != "{" }.utf8)
    let document = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let interruptions = try #require(document["interruptions"] as? [[String: Any]])
    #expect(interruptions.map { $0["source"] as? String } == ["phone", "door"])
    #expect(interruptions.map { $0["on"] as? Bool } == [true, false])
    #expect(interruptions.map { $0["ringing"] as? Bool } == [false, true])
    #expect((document["ducking"] as? [String: Any])?["level"] as? Double == -14)
    #expect(document["silent"] as? Bool == false)
    let sessions = try #require(document["sessions"] as? [[String: Any]])
    #expect(sessions.map { $0["ducked"] as? Bool } == [true, false, false, false])
    #expect(sessions.map { $0["interrupted"] as? Bool } == [false, false, true, false])
    #expect(sessions[0]["duckNow"] as? Double == -14)
    #expect(sessions[0]["prompt"] as? String == "short")
  }

  @Test("The status says that the lock is on")
  func lock() throws {
    let router = try LoopRouter(LoopRouter.stage + [.router(.lock(true))])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    #expect(shell.terminal.output.contains("locked: only admin may change anything"))
    #expect(shell.run("status", "--json", "--to", router.endpoint) == .success)
    #expect(shell.terminal.output.contains("\"locked\": true"))
  }

  @Test("status --json is JSON with the same content")
  func json() throws {
    let router = try LoopRouter()
    let shell = Shell()
    #expect(shell.run("status", "--json", "--to", router.endpoint) == .success)
    let document = try JSONSerialization.jsonObject(with: Data(shell.terminal.output.utf8)) as? [String: Any]
    let sessions = try #require(document?["sessions"] as? [[String: Any]])
    #expect(sessions.map { $0["id"] as? String } == ["show", "idle"])
    #expect(sessions[0]["active"] as? Bool == true && sessions[1]["active"] as? Bool == false)
    #expect(sessions[0]["why"] as? String == "heard at usb; waits for headphones")
    let streams = try #require(sessions[0]["streams"] as? [[String: Any]])
    #expect(streams.map { $0["route"] as? String } == ["usb", "headphones"])
    let outputs = try #require(document?["outputs"] as? [[String: Any]])
    #expect((outputs[0]["peak"] as? [Double])?.count == 4)
    #expect((document?["counters"] as? [String: Any])?["xruns"] as? Int == 3)
  }

  @Test("status --watch belongs to --seconds")
  func seconds() throws {
    let router = try LoopRouter()
    #expect(Shell().run("status", "--seconds", "1", "--to", router.endpoint) == .usage)
  }

  /// Watches until the terminal has shown the text.
  private func watch(
    _ router: LoopRouter, until text: String, size: (@Sendable () -> Console.Size?)? = nil,
    onReport: @escaping @Sendable () -> Void
  ) throws -> String {
    let isOver = Atomic(false)
    let terminal = Terminal { output in
      if output.contains(text) { isOver.store(true, ordering: .relaxed) }
      if output.contains("multiroute at ") { onReport() }
    }
    var shell = Shell(terminal)
    if let size { (shell.screen.isTerminal, shell.measure) = (true, size) }
    let end = ContinuousClock.now + .seconds(20)
    shell.interruption = EndRequest { { isOver.load(ordering: .relaxed) || ContinuousClock.now > end } }
    let context = shell.context
    let arguments = try ArgumentReader.read(
      ["--watch", "--to", router.endpoint], of: CommandTable.description(of: .status))
    try StatusCommand.perform(
      try StatusCommand.Options(arguments, context), every: .milliseconds(20), context)
    return terminal.output
  }

  @Test("status --watch writes one report after the other into a pipe, also when minutes lie between them")
  func again() throws {
    let router = try LoopRouter()
    let output = try watch(router, until: "0.7 dB") {
      router.pass(seconds: 60)
      try? router.happen(.port(.output, "usb", .gain(.set(0.7))))
    }
    let reports = output.split(separator: "\n\nmultiroute at ")
    #expect(reports.count == 2 && !output.contains("\u{1B}"), "\(output)")
    #expect(output.hasPrefix("multiroute at ") && output.hasSuffix("\n\n"))
  }

  @Test(
    "status --watch on a terminal draws over its last report, and anew when the terminal changes its size")
  func inPlace() throws {
    let router = try LoopRouter()
    let reports = Atomic(0)
    let output = try watch(
      router, until: "more lines",
      size: {
        // The fourth report finds a smaller terminal.
        reports.load(ordering: .relaxed) < 3
          ? Console.Size(columns: 100, rows: 50) : Console.Size(columns: 30, rows: 8)
      }
    ) { reports.add(1, ordering: .relaxed) }
    let home = "\u{1B}[H"
    // What the terminal showed before moves up, and each report is one text.
    #expect(output.hasPrefix(String(repeating: "\n", count: 50) + home + "\u{1B}[?7l" + "multiroute at "))
    #expect(
      !output.contains("\u{1B}[2J") && !output.contains("\u{1B}[?25l") && !output.contains("\u{1B}[?1049h"))
    let drawings = output.components(separatedBy: home).dropFirst()
    for drawing in drawings where !drawing.isEmpty && drawing != "\u{1B}[J" {
      #expect(drawing.hasPrefix("\u{1B}[?7l") && drawing.hasSuffix("\u{1B}[?7h\u{1B}[J"), "\(drawing)")
    }
    let last = try #require(drawings.last)
      .replacing(/\u{1B}\[\??[0-9]*[A-Za-z]/, with: "").split(
        separator: "\n", omittingEmptySubsequences: false)
    #expect(last.count == 8 && last.last == "" && last.allSatisfy { $0.count <= 30 }, "\(last)")
    #expect(last[6].hasPrefix("(") && last[6].contains(" more lines; make"))
  }

  @Test(
    "A line is cut at the last column, and its styles are whole",
    arguments: [
      ("abc", 3, "abc"), ("abc", 2, "ab"), ("", 2, ""),
      ("\u{1B}[1mabc\u{1B}[0m d", 2, "\u{1B}[1mab\u{1B}[0m"),
      ("\u{1B}[31mä\u{1B}[0mb", 2, "\u{1B}[31mä\u{1B}[0mb"),
    ])
  func cut(line: String, columns: Int, cut: String) {
    #expect(TerminalPage.cut(line, at: columns) == cut)
  }

  @Test("status --watch ends at a signal, which can be taken only once")
  func endsAtSignal() throws {
    let router = try LoopRouter()
    let questions = Mutex(0)
    var shell = Shell()
    shell.interruption = EndRequest {
      {
        questions.withLock {
          $0 += 1
          return $0 == 3
        }
      }
    }
    #expect(shell.run("status", "--watch", "--seconds", "5", "--to", router.endpoint) == .success)
    #expect(questions.withLock(\.self) < 10)
  }

  @Test("The status says that there is no JACK server, no session and no port")
  func empty() throws {
    let router = try LoopRouter([])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    #expect(shell.terminal.output.contains("waiting for a JACK server"))
    #expect(shell.terminal.output.contains("no sessions; create one with: "))
    #expect(shell.run("ports", "--to", router.endpoint) == .success)
    #expect(shell.terminal.error.hasPrefix("The router has no port"))
  }

  @Test(
    "While a preset waits for the server, the status names the preset instead of telling how to make a session"
  )
  func waitingPreset() throws {
    let router = try LoopRouter([.presetWaits("evening")])
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    #expect(
      shell.terminal.output.contains("no sessions yet; evening comes into force when there is a JACK server"))
    #expect(!shell.terminal.output.contains("/session/create"))
  }

  @Test("The status asks for nothing that the router refuses, so it leaves no errors in the log")
  func asksNothingWrong() throws {
    let router = try LoopRouter()
    let client = try OSCClient(try #require(Endpoint(router.endpoint)))
    func messages(until address: String) throws -> [String] {
      var addresses: [String] = []
      while !addresses.contains(address) {
        addresses += try #require(try client.receive(timeout: .seconds(5))).messages.map(\.address)
      }
      return addresses.filter { $0 != "/alive" }
    }
    try client.send(OSCMessage("/subscribe", .string("/event/*")))
    _ = try messages(until: "/snapshot/end")
    #expect(Shell().run("status", "--to", router.endpoint) == .success)
    try client.send(OSCMessage("/ping"))
    #expect(try messages(until: "/pong") == ["/pong"])
    // The check can fail: a wrong question is told to all clients.
    try client.send(OSCMessage("/get", .string("/meter/capture/show")))
    #expect(try messages(until: "/event/error").contains("/event/error"))
  }

  @Test("The status shows all of many sessions")
  func many() throws {
    let sessions = (0..<100).map { Event.createSession(SessionID("s\($0)")!, SessionConfiguration()) }
    let router = try LoopRouter(LoopRouter.stage + sessions)
    let shell = Shell()
    #expect(shell.run("status", "--to", router.endpoint) == .success)
    for index in 0..<100 { #expect(shell.terminal.lines.contains { $0.hasPrefix("s\(index) ") }) }
  }

  @Test("ports lists the type assumed for each, and why")
  func ports() throws {
    let router = try LoopRouter()
    let shell = Shell()
    #expect(shell.run("ports", "--to", router.endpoint) == .success)
    #expect(
      shell.terminal.output == """
        PORT        DIRECTION  TYPE        CH  STATE  NAME           WHY THIS TYPE
        usb         output     usbAudio     4  there  USB interface  named by the preset
        headphones  output     headphones   2  away   Headphones     named by the preset
        mic         input      builtInMic   1  there  Microphone     named by the preset

        """)
  }

  @Test(
    "Numbers have the wanted number of decimal places",
    arguments: [(-0.04, "0.0"), (-12.345, "-12.3"), (0.05, "0.1"), (100, "100.0"), (-0.96, "-1.0")])
  func decimals(value: Double, text: String) {
    #expect(value.text(.exactly(1)) == text)
  }
}
