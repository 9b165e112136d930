import AwaitedEvents
import Foundation
import TestKit
import Testing
import Threads

@testable import MediaBus

/// Buses that are missing, end, come again, or read nothing.
@Suite("The connection to the bus")
struct ConnectionTests {
  private static func isConnected(_ event: MediaBusEvent) -> Bool {
    if case .connected = event { true } else { false }
  }

  private static func isAbsent(_ event: MediaBusEvent) -> Bool {
    if case .absent = event { true } else { false }
  }

  @Test("where nothing listens, that is told once, and a bus that starts later is joined")
  func lateBus() throws {
    let bus = try PrivateBus()
    bus.stop()
    let player = TestPlayer(address: bus.address, "multiroute", .song())
    #expect(player.events.wait(1, Self.isAbsent))
    // Several attempts fail meanwhile.
    OwnThread.sleep(seconds: 0.4)
    #expect(player.events.count(Self.isAbsent) == 1)
    #expect(player.events.all == [.absent(try #require(Self.sentence(player)))])
    #expect(
      Self.sentence(player)?.contains("the desktop and headset keys do not reach multiroute until it can")
        == true)
    try bus.start()
    #expect(player.events.wait(1, Self.isConnected))
  }

  private static func sentence(_ player: TestPlayer) -> String? {
    player.events.first { if case .absent(let text) = $0 { text } else { nil } }
  }

  @Test("an address that is none is told as such")
  func badAddress() throws {
    let player = TestPlayer(address: "no address", "multiroute")
    #expect(player.events.wait(1, Self.isAbsent))
    player.media.publish(.song())
    player.media.control(.play)
    player.media.stop()
    #expect(player.events.all.count == 1)
  }

  @Test("the address of the session is found as D-Bus says")
  func addresses() throws {
    let folder = try TemporaryFolder()
    func address(_ variables: [String: String]) -> String? { BusWorker.sessionAddress { variables[$0] } }
    #expect(address([:]) == nil)
    #expect(address(["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": folder.path]) == nil)
    try folder.write("", to: "bus")
    #expect(address(["XDG_RUNTIME_DIR": folder.path]) == "unix:path=\(folder.path)/bus")
    #expect(
      address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "XDG_RUNTIME_DIR": folder.path]) == "unix:path=/x")
  }

  @Test("after a restart of the bus the router is there again, with its newest state")
  func restarts() throws {
    let rig = try BusRig()
    let other = try TestPlayer(rig.bus, "jukebox", .song("Other"))
    #expect(rig.player.hears("jukebox", .playing))
    rig.bus.stop()
    #expect(rig.player.events.wait(1, Self.isAbsent))
    #expect(rig.player.events.wait { $0 == .foreign(nil) })
    rig.player.change {
      $0.status = .paused
      $0.track?.title = "After the break"
    }
    try rig.bus.start()
    #expect(rig.player.events.wait(2, Self.isConnected))
    #expect(other.events.wait(2, Self.isConnected))
    #expect(try rig.playerctl("--player", "multiroute", "status") == "Paused")
    #expect(try rig.playerctl("--player", "multiroute", "metadata", "title") == "After the break")
    #expect(rig.player.events.wait(2) { if case .foreign(.some) = $0 { true } else { false } })
    rig.bus.stop()
    #expect(rig.player.events.wait(2, Self.isAbsent))
  }

  @Test("the end leaves the bus and frees everything")
  func ends() throws {
    let rig = try BusRig()
    var other: TestPlayer? = try TestPlayer(rig.bus, "jukebox", .song())
    weak let media = other?.media
    #expect(try rig.names().contains("MediaPlayer2.jukebox"))
    other = nil
    #expect(media == nil)
    #expect(try !rig.names().contains("MediaPlayer2.jukebox"))
    rig.player.media.stop()
    rig.player.media.stop()
    #expect(try !rig.names().contains("MediaPlayer2"))
    #expect(try rig.names().contains("org.freedesktop.DBus"))
  }

  @Test("a bus that reads nothing makes no caller wait, and gets the newest state when it reads again")
  func standStill() throws {
    let rig = try BusRig()
    let monitor = try rig.monitor()
    rig.bus.standStill {
      // A caller that waited would wait for ever.
      for number in 1...10_000 {
        rig.player.change { $0.track?.title = "Title \(number)" }
        rig.player.media.control(.next)
      }
    }
    #expect(monitor.output.line(containing: "Title 10000") != nil)
  }

  @Test("for a bus that does not read, newer states replace older ones")
  func replaces() throws {
    let rig = try BusRig()
    let listener = try TestPlayer(rig.bus, "listener")
    #expect(listener.hears("multiroute", .playing))
    // A few of them fill the socket, which holds 8 MB.
    let long = String(repeating: "long", count: 1 << 20)
    rig.bus.standStill {
      for number in 1...9 {
        rig.player.change {
          $0.track?.title = "\(number) \(long)"
          $0.status = number == 9 ? .stopped : number.isMultiple(of: 2) ? .playing : .paused
        }
        OwnThread.sleep(seconds: Announcer.interval + 0.005)
      }
    }
    #expect(listener.hears("multiroute", .stopped))
    #expect(listener.events.all.count <= 2 + 6)
  }

  @Test("the end does not wait for a bus that reads nothing")
  func endsInStandStill() throws {
    let rig = try BusRig()
    rig.bus.standStill {
      rig.player.become(.paused)
      rig.player.media.stop()
    }
  }
}
