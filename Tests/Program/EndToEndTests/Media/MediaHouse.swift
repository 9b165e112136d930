import ControlInterface
import Encoders
import JackHost
import JackServer
import Queues
import SessionModel
import SoundFiles
import StageKit
import Synchronization
import TestKit
import Testing
import Threads

@testable import Router

/// A test's own server with simulated devices, and a router in this process whose players and recorders get events directly.
///
/// Devices: "USB Interface" (4 out), "Headphones" (2 out), "Microphone" (1 in).
final class MediaHouse {
  let server: PrivateServer
  private(set) var stage: StageProcess
  let folder: TemporaryFolder
  let router: Router
  let changes = Changes()
  private var isFreewheeling = false

  /// Wakes those who wait for a state, and keeps the errors.
  final class Changes: ControlListener, Sendable {
    let bell = Semaphore()
    private let told = Mutex<[Notification]>([])

    func publish(_ change: Change) {
      told.withLock { $0 += change.events.map(\.notification) }
      bell.signal()
    }

    var errors: [String] {
      told.withLock { told in
        told.compactMap { if case .error(_, _, let error) = $0 { error.sentence } else { nil } }
      }
    }
  }

  /// - Parameter events: what the router has besides its ports.
  init(_ events: [Event] = MediaHouse.show, programs: [String] = []) async throws {
    server = try await PrivateServer { $0.period = 256 }
    stage = try server.stage()
    folder = try TemporaryFolder()
    for device in Self.devices + programs { try stage.do(device) }
    var settings = Router.Settings()
    settings.serverName = server.name
    settings.media.folders = [folder.path]
    settings.media.loudnessFile = "\(folder.path)/.loudness"
    router = Router(settings, server: JackAudio(), listeners: [changes])
    await router.start()
    while await !router.isReady { _ = changes.bell.wait(seconds: 0.01) }
    for event in Self.ports + events { try send(event) }
    while await !router.isReady { _ = changes.bell.wait(seconds: 0.01) }
  }

  /// Kills the server, and starts it again with its devices as soon as the router has noticed.
  func restart() async throws {
    server.server.kill()
    _ = try await until { !$0.server.isRunning }
    try server.server.start()
    stage = try server.stage()
    for device in Self.devices { try stage.do(device) }
  }

  func stop() async {
    await router.stop()
    router.executor.stop()
  }

  static let devices = ["device \"USB Interface\" 4 0", "device Headphones 2 0", "device Microphone 0 1"]

  static let ports: [Event] = [
    .declarePort(.output, port("usb", .usbAudio, "USB Interface:playback_*", channels: 4)),
    .declarePort(.output, port("headphones", .headphones, "Headphones:playback_*", channels: 2)),
    .declarePort(.input, port("mic", .builtInMic, "Microphone:capture_*", channels: 1)),
  ]

  private static func port(_ id: PortID, _ type: PortType, _ glob: String, channels: Int) -> Port {
    var port = Port(id: id, name: id.name, type: type, globs: [PortGlob(glob)!], channels: channels)
    // Signals up to full scale pass bit for bit.
    port.ceiling = Control(0)
    return port
  }

  /// A session with a stereo stream at the USB interface.
  static let show: [Event] = [
    .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
    .createStream("show", "music", channels: 2, placed: false),
    .destination("show", "music", "usb", .channels(.range(1...2))),
    .destination("show", "music", "usb", .on(true)),
  ]

  // MARK: Doing

  private struct Command: ControlCommand, Sendable {
    let event: Event
    let done: Semaphore
    let refusal: Refusal

    final class Refusal: Sendable { let error = Mutex<SessionError?>(nil) }

    mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
      var next = state
      do throws(SessionError) {
        let told = try Router.law(&next, event, time)
        state = next
        return told
      } catch {
        refusal.error.withLock { $0 = error }
        return nil
      }
    }

    mutating func answer(
      _ state: RouterState, at time: Double, statistics: () -> [Statistic]
    ) -> [PendingAnswer] { [] }

    func finish() { done.signal() }
  }

  /// Sends an event, and waits until the router has decided. Throws the law's refusal.
  func send(_ event: Event) throws {
    let command = Command(event: event, done: Semaphore(), refusal: Command.Refusal())
    _ = router.submit(command)
    #expect(command.done.wait(seconds: 20))
    if let error = command.refusal.error.withLock({ $0 }) { throw error }
  }

  /// Sends events as one command.
  func send(_ events: [Event]) throws { try send(.row(events)) }

  /// Makes a player in a stream, with files of the media folder.
  func player(
    _ id: PlayerID, _ files: [String], in session: SessionID = "show", _ stream: StreamID = "music"
  ) throws {
    try send(.player(id, .create(session, stream, seed: 1)))
    try send(.player(id, .queue(.replace(files.map { QueueItem(name: $0, title: $0) }))))
  }

  func order(_ id: PlayerID, _ order: PlayerOrder) throws { try send(.player(id, .order(order))) }

  /// Writes a sound into the media folder. Returns its name.
  func write(_ sound: SoundFile, _ name: String) throws -> String {
    try sound.write(path: folder.file(name))
    return name
  }

  /// The state, as soon as it is as wanted.
  func until(
    _ seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation,
    _ isWanted: (RouterState) -> Bool
  ) async throws -> RouterState {
    let end = MonotonicTime.now + seconds
    while true {
      let state = await router.snapshot
      if isWanted(state) { return state }
      try #require(
        MonotonicTime.now < end, "the state was not reached: \(changes.errors)",
        sourceLocation: sourceLocation)
      _ = changes.bell.wait(seconds: 0.05)
    }
  }

  /// Prepares players, and waits until they are.
  func prepare(_ ids: PlayerID...) async throws {
    for id in ids { try order(id, .prepare) }
    _ = try await until { state in ids.allSatisfy { state.players[$0]?.facts.isReady == true } }
  }

  // MARK: Sound

  /// Lets the server freewheel, until all first ramps have ended.
  func freewheel() throws {
    if !isFreewheeling { try stage.do("freewheel on") }
    isFreewheeling = true
    try stage.do("frames 20000")
  }

  /// Records devices while `body` runs, from the same frame on.
  func hear(_ devices: [String] = ["USB Interface"], while body: () throws -> Void) throws -> [DeviceSound] {
    try DeviceRecorder(stage: stage, folder: folder).hear(
      devices, clock: isFreewheeling ? .freewheel : .realTime, while: body)
  }
}

extension Array<Float> {
  /// Where these samples begin in others; nil if they are nowhere, whole.
  func place(in others: [Float]) -> Int? {
    guard let first = firstIndex(where: { $0 != 0 }), count > 0 else { return nil }
    guard let start = others.firstIndex(of: self[first]) else { return nil }
    let begin = start - first
    guard begin >= 0, begin + count <= others.count else { return nil }
    return others[begin..<begin + count].elementsEqual(self) ? begin : nil
  }
}
