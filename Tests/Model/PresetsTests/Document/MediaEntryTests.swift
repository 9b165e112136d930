import Parameters
import SessionModel
import Testing

@testable import Presets

@Suite("Players and recorders in presets")
struct MediaEntryTests {
  private func text(_ members: String) -> String {
    """
    { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["USB:1", "USB:2"] } }, sessions: {
      show: { category: "playback", streams: { bed: { channels: 2 }, voice: { channels: 1 } } },
      mic: { category: "record" } }, \(members) }
    """
  }

  private func problems(_ members: String) -> [String] { Show.read(text(members)).problems }

  private func preset(_ members: String) throws -> Preset {
    let (preset, problems) = Show.read(text(members))
    return try #require(preset, "\(problems)")
  }

  @Test("A player has its stream, its queue and its settings, and plays when all else is in place")
  func player() throws {
    let events = try preset(
      #"players: { walkin: { session: "show", stream: "voice", queue: ["a.flac", "album:Blue"], loops: -1, gain: -6, playing: true } }"#
    ).events(for: Show.emptyState)
    let own = events.compactMap { event -> MediaPlayerEvent? in
      if case .player("walkin", let event) = event { event } else { nil }
    }
    guard case .create("show", "voice", _)? = own.first else {
      Issue.record("\(own)")
      return
    }
    #expect(own.contains(.queue(.contents(["a.flac", "album:Blue"]))))
    #expect(own.contains(.set(.loops(-1))) && own.contains(.set(.gain(.store(-6)))))
    #expect(own.last == .order(.play()) && events.last == .player("walkin", .order(.play())))
  }

  @Test("Without a stream a player feeds the first one of its session; a file alone is its queue")
  func defaults() throws {
    let events = try preset(#"players: { walkin: { session: "show", file: "a.flac" } }"#)
      .events(for: Show.emptyState)
    let isMade = events.contains { event in
      if case .player("walkin", .create("show", "bed", _)) = event { true } else { false }
    }
    #expect(isMade && events.contains(.player("walkin", .queue(.contents(["a.flac"])))))
  }

  @Test("A recorder has its source and its settings")
  func recorder() throws {
    let events = try preset(
      #"recorders: { tape: { source: "output:usb", format: "flac", before: 5, recording: true } }"#
    ).events(for: Show.emptyState)
    #expect(events.contains(.recorder("tape", .create(.output("usb")))))
    #expect(events.contains(.recorder("tape", .set(.format(.flac)))))
    #expect(events.last == .recorder("tape", .order(.record())))
  }

  @Test("A player without a session, and one with a file and a queue, are problems with their places")
  func incomplete() {
    #expect(
      problems("players: { walkin: {} }").contains {
        $0.contains("players.walkin.session: \"session\" is missing")
      })
    #expect(
      problems(#"players: { walkin: { session: "show", file: "a.flac", queue: ["b.flac"] } }"#).contains {
        $0.contains("either a file or a queue")
      })
    #expect(problems("recorders: { tape: {} }").contains { $0.contains("\"source\" is missing") })
  }

  @Test("A session or a stream that does not exist is a problem at the player's key")
  func unknown() {
    #expect(
      problems(#"players: { walkin: { session: "shaw" } }"#).contains {
        $0.contains("players.walkin.session") && $0.contains("show")
      })
    #expect(
      problems(#"players: { walkin: { session: "show", stream: "beds" } }"#).contains {
        $0.contains("players.walkin.stream") && $0.contains("bed")
      })
    #expect(
      problems(#"recorders: { tape: { source: "output:usbb" } }"#).contains {
        $0.contains("recorders.tape.source") && $0.contains("usb")
      })
  }

  @Test("A rate in kHz is a problem at the recorder's key")
  func rate() {
    #expect(
      problems(#"recorders: { tape: { source: "output:usb", rate: 48 } }"#).contains {
        $0.contains("recorders.tape.rate") && $0.contains("from 4000 Hz on")
      })
  }

  @Test(
    "A name that leads out of the media folders is a problem",
    arguments: ["/etc/passwd", "../a.flac", "music/../../a.flac"])
  func outside(_ name: String) {
    #expect(
      problems(#"players: { walkin: { session: "show", file: "\#(name)" } }"#).contains {
        $0.contains("players.walkin.file") && $0.contains("below a media folder")
      })
  }

  @Test("A preset that extends another one changes a single key of its player")
  func extended() throws {
    var document = try preset(#"players: { walkin: { session: "show", file: "a.flac", gain: -6 } }"#).document
    let other = Show.read(#"{ multiroute: 1, players: { walkin: { session: "show", gain: -3 } } }"#)
    #expect(other.preset == nil)
    var change = PlayerEntry(place: document.players["walkin"]!.place)
    change.leaves = [Leaf("gain", .number(-3), at: change.place)]
    document.players["walkin"]?.extend(by: change)
    #expect(document.players["walkin"]?.contents?.value == ["a.flac"])
    #expect(document.players["walkin"]?.leaves["gain"]?.value == .number(-3))
  }
}
