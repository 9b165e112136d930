import AwaitedEvents
import Foundation
import MediaBus
import Synchronization
import TestKit
import Testing
import Threads

/// A media player on a private bus, and the programs that talk to it.
final class BusRig {
  let bus: PrivateBus
  let player: TestPlayer

  static let path = "/org/mpris/MediaPlayer2"
  static let interface = "org.mpris.MediaPlayer2.Player"

  /// Starts a bus and a player on it, which is connected then.
  init(_ now: NowPlaying? = .song()) throws {
    bus = try PrivateBus()
    player = try TestPlayer(bus, "multiroute", now)
  }

  /// The output of a program that must succeed.
  @discardableResult
  func run(_ program: String, _ arguments: [String]) throws -> String {
    let child = try start(program, arguments)
    try #require(child.wait() == 0, "\(program) \(arguments.joined(separator: " ")): \(child.errors.text)")
    return child.output.text
  }

  func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  func playerctl(_ arguments: String...) throws -> String { try run("playerctl", arguments) }

  /// The answer to a call, or the error. The words are those of dbus-send(1).
  func call(
    _ method: String, _ arguments: [String] = [], to path: String = BusRig.path,
    at name: String = "org.mpris.MediaPlayer2.multiroute"
  ) throws -> String {
    let words = ["--session", "--print-reply=literal", "--dest=\(name)", path, method] + arguments
    let child = try start("dbus-send", words)
    _ = child.wait()
    return child.output.text + child.errors.text
  }

  /// All names on the bus.
  func names() throws -> String {
    try call("org.freedesktop.DBus.ListNames", to: "/org/freedesktop/DBus", at: "org.freedesktop.DBus")
  }

  /// The lines of all messages that go over the bus from now on.
  func monitor() throws -> ChildProcess {
    let child = try start("busctl", ["--address=\(bus.address)", "--json=short", "monitor"])
    try #require(child.errors.line(containing: "Monitoring") != nil)
    return child
  }
}

/// A player on a bus that does what it is asked, as the router will, and keeps what it was asked and told.
final class TestPlayer: Sendable {
  let media: MediaBus
  let requests: AwaitedEvents<RemoteRequest>
  let events: AwaitedEvents<MediaBusEvent>
  /// The thread of the bus, known after its first event.
  let thread: ThreadPlace
  private let state: State

  /// Where the system tells of a thread.
  final class ThreadPlace: Sendable {
    private let value = Mutex<String?>(nil)
    var place: String? {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  private final class State: Sendable {
    let now: Mutex<NowPlaying?>
    init(_ now: NowPlaying?) { self.now = Mutex(now) }
  }

  /// Connects a player. The call returns when it is connected.
  convenience init(_ bus: PrivateBus, _ identity: String, _ now: NowPlaying? = nil) throws {
    self.init(address: bus.address, identity, now)
    try #require(events.wait { if case .connected = $0 { true } else { false } })
  }

  init(address: String, _ identity: String, _ now: NowPlaying? = nil) {
    let (requests, events) = (AwaitedEvents<RemoteRequest>(), AwaitedEvents<MediaBusEvent>())
    let thread = ThreadPlace()
    (self.requests, self.events, self.thread, state) = (requests, events, thread, State(now))
    media = MediaBus(
      identity: identity, address: address, handler: { requests.add($0) },
      events: {
        thread.place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        events.add($0)
      })
    media.publish(now)
  }

  /// Changes what the player does, and publishes that.
  func change(_ change: (inout NowPlaying) -> Void) {
    let new = state.now.withLock { now in
      if var some = now {
        change(&some)
        now = some
      }
      return now
    }
    media.publish(new)
  }

  /// The player plays, pauses or stops.
  func become(_ status: NowPlaying.Status) { change { $0.status = status } }

  /// Waits until the player has heard of another one's state.
  func hears(_ name: String, _ status: NowPlaying.Status) -> Bool {
    events.wait {
      guard case .foreign(let player?) = $0 else { return false }
      return player.busName == "org.mpris.MediaPlayer2.\(name)" && player.status == status
    }
  }
}

extension NowPlaying {
  /// A song of four minutes that plays, at 60 s.
  static func song(_ title: String = "Blue in Green", status: Status = .playing) -> Self {
    let track = Track(
      id: "walkin 17", title: title, artists: ["Miles Davis", "Bill Evans"], album: "Kind of Blue",
      length: 240, cover: "/music/Kind of Blue/cover #1.jpg")
    var now = NowPlaying(status, track, at: Place(seconds: 60, time: MonotonicTime.now))
    (now.canGoNext, now.canGoPrevious) = (true, true)
    return now
  }
}
