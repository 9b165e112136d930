import EventReports
import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Event reports: what changed, as a key and a value")
struct EventReporterTests {
  @Test("Headphones that are pulled are reported after the route, with the types of the ports now in use")
  func pulledHeadphones() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    let told = try world.handle(
      .portsPresent([PortPresence(.output, "headphones", members: [nil, nil])]))
    let index = try #require(told.firstIndex { if case .route = $0 { true } else { false } })
    #expect(told[index + 1] == .report("music", EventReport(.outputDevice, "USBAudio")))
    #expect(told.reports.count == 1)
  }

  @Test(
    "A router that waits for its first server names the preset that waits, and one that lost it the one in force"
  )
  func waiting() throws {
    var state = RouterState()
    #expect(state.statusSentence == "waits for a JACK server; no preset is in force when one runs")
    state.waitingPreset = "tonight"
    #expect(state.statusSentence == "waits for a JACK server; tonight is in force when one runs")
    (state.waitingPreset, state.presets.current) = (nil, "show")
    #expect(state.statusSentence == "waits for a JACK server; show is in force when one runs")
  }

  @Test("The outputs of a multiRoute session are joined by +")
  func multiRoute() throws {
    var world = try Reported.stage()
    try world.create("show", .multiRoute)
    func present(_ isThere: Bool) -> Event {
      let members = ["headphones:1", "headphones:2"].map { isThere ? $0 : nil }
      return .portsPresent([PortPresence(.output, "headphones", members: members)])
    }
    try world.handle(present(false))
    let told = try world.handle(present(true))
    #expect(told.reports.contains(EventReport(.outputDevice, "USBAudio+Headphones")))
  }

  @Test("A session that leaves its microphone reports none")
  func leftInput() throws {
    var world = try Reported.stage()
    try world.create("talk", .playAndRecord)
    let told = try world.handle(.configure("talk", SessionConfiguration(category: .playback)))
    #expect(told.reports.contains(EventReport(.inputDevice, "none")))
    #expect(told.reports.contains(EventReport(.category, "AVAudioSessionCategoryPlayback")))
  }

  @Test("Each part of a configuration that changes is one report, with AVAudioSession's names and numbers")
  func configuration() throws {
    var world = try Reported.stage()
    try world.create("talk", .playAndRecord)
    let told = try world.handle(
      .configure(
        "talk",
        SessionConfiguration(category: .playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker])))
    let options = try #require(world.state.sessions["talk"]).options.rawValue
    #expect(
      told.reports.filter { [.category, .categoryOptions, .mode].contains($0.key) } == [
        EventReport(.categoryOptions, options), EventReport(.mode, "AVAudioSessionModeVoiceChat"),
      ])
    // Setting the same configuration again changes nothing.
    let again = try world.handle(
      .configure(
        "talk",
        SessionConfiguration(category: .playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker])))
    #expect(again.reports.isEmpty)
  }

  @Test("A call is the begin and the end of an interruption")
  func call() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    #expect(
      try world.handle(.beginInterruption("phone")).reports == [EventReport(.interruptionBegin, "0")])
    #expect(try world.handle(.endInterruption("phone")).reports == [EventReport(.interruptionEnd, "1")])
  }

  @Test("A lost server and one that returns are reported once, for the router")
  func media() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    let lost = try world.handle(.server(ServerState()))
    #expect(lost.contains(.report(nil, EventReport(.mediaServicesWereLost, "2"))))
    let returned = try world.start(rate: 48_000)
    #expect(returned.contains(.report(nil, EventReport(.mediaServicesWereReset, "3"))))
    #expect(!returned.reports.contains { $0.key == .playoutRate })
  }

  @Test("A server that returns with another rate is reported by every session that plays or records")
  func rates() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    try world.create("talk", .playAndRecord)
    try world.handle(.server(ServerState()))
    let told = try world.start(rate: 44_100)
    #expect(told.contains(.report("music", EventReport(.playoutRate, "44100"))))
    #expect(told.contains(.report("talk", EventReport(.playoutRate, "44100"))))
    #expect(told.contains(.report("talk", EventReport(.recordRate, "44100"))))
    #expect(!told.contains(.report("music", EventReport(.recordRate, "44100"))))
  }

  @Test("Secondary audio that should fall silent, and may play again")
  func hints() throws {
    var world = try Reported.stage()
    try world.create("game", .ambient)
    try world.create("music", .playback)
    try world.handle(.connected("music", true))
    let begun = try world.handle(.sounding("music", true))
    #expect(begun.reports == [EventReport(.silenceHintBegin, "4")])
    #expect(try world.handle(.sounding("music", false)).reports == [EventReport(.silenceHintEnd, "5")])
  }

  @Test(
    "A refused start of playout or recording is an error with AVAudioSession's number",
    arguments: [
      (ErrorCode.insufficientPriority, "/session/music/active", EventReport.Key.startPlayoutError),
      (.cannotStartRecording, "/session/music/io/input", .startRecordingError),
      (.mediaServicesFailed, "/session/music/active", .initPlayoutError),
      (.isBusy, "/session/music/active", .stopPlayoutError),
    ])
  func refusals(code: ErrorCode, address: String, key: EventReport.Key) throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    let told = world.follow([.error(client: 3, address: address, SessionError(code, "no"))])
    #expect(told.reports == [EventReport(key, code.rawValue)])
  }

  @Test("The router's own errors are negated errnos, and an error of another address is no report")
  func ownErrors() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    try world.handle(.player("walk-in", .create("music", "main", seed: 1)))
    let told = world.follow([.error(client: 0, address: "/player/walk-in", SessionError(.io, "gone"))])
    #expect(told.reports == [EventReport(.startPlayoutError, "-5")])
    let other = world.follow([
      .error(client: 1, address: "/session/music/gain", SessionError(.outOfRange, "too loud")),
      .error(client: 0, address: "", SessionError(.io, "no")),
    ])
    #expect(other.reports.isEmpty)
  }

  @Test("An output's fader is reported once, a fifth of a second after its last move, in hundredths")
  func volume() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    let output = try #require(world.state.sessions["music"]?.route.outputs.first)
    for level in [-3.0, -6, -10] {
      try world.handle(.port(.output, output, .gain(.set(level))))
      world.world.time += 0.1
    }
    #expect(world.reporter.nextDue == 0.4)
    #expect(world.reporter.takeSettled(world.state, at: 0.3).isEmpty)
    #expect(
      world.reporter.takeSettled(world.state, at: 0.4) == [.report("music", EventReport(.systemVolume, "50"))]
    )
    #expect(world.reporter.nextDue == nil)
    // A fader that returns to where it was has not changed.
    try world.handle(.port(.output, output, .gain(.set(0))))
    try world.handle(.port(.output, output, .gain(.set(-10))))
    #expect(world.reporter.takeSettled(world.state, at: 1).isEmpty)
  }

  @Test("A fade of an output is reported at its end")
  func fade() throws {
    var world = try Reported.stage()
    try world.create("music", .playback)
    let output = try #require(world.state.sessions["music"]?.route.outputs.first)
    try world.handle(.port(.output, output, .gain(.set(-90, over: 5))))
    #expect(world.reporter.nextDue == 5.2)
    #expect(world.reporter.takeSettled(world.state, at: 5.2).reports == [EventReport(.systemVolume, "0")])
  }
}

/// A world with a reporter that follows it.
private struct Reported {
  var world: World
  var reporter = EventReporter()
  var state: RouterState { world.state }

  static func stage() throws -> Reported { Reported(world: try World.stage()) }

  @discardableResult
  mutating func handle(_ event: Event) throws -> [Notification] {
    let before = world.state
    let told = try world.handle(event)
    return reporter.follow(told, from: before, to: world.state, at: world.time)
  }

  mutating func follow(_ told: [Notification]) -> [Notification] {
    reporter.follow(told, from: state, to: state, at: world.time)
  }

  @discardableResult
  mutating func create(_ id: SessionID, _ category: Category) throws -> [Notification] {
    var told = try handle(.createSession(id, SessionConfiguration(category: category)))
    told += try handle(.createStream(id, "main", channels: 2, placed: true))
    return told + (try handle(.activate(id)))
  }

  mutating func start(rate: Int) throws -> [Notification] {
    var server = ServerState()
    (server.isRunning, server.rate, server.period) = (true, rate, 256)
    return try handle(.server(server))
  }
}

extension [Notification] {
  /// The reports among the notifications.
  fileprivate var reports: [EventReport] {
    compactMap { if case .report(_, let report) = $0 { report } else { nil } }
  }
}
