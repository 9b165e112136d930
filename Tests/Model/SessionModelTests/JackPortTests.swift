import SessionModel
import Testing

/// The port that an operator probably meant by a glob that matches nothing.
@Suite struct JackPortTests {
  private static let ports = [
    JackPort("system:playback_1", isInput: true), JackPort("system:playback_2", isInput: true),
    JackPort("system:capture_1", isInput: false), JackPort("Band:out_1", isInput: false),
    JackPort("Band:out_2", isInput: false), JackPort("ardour:master/audio_out 1", isInput: false),
    JackPort("ardour:click/audio_out 1", isInput: false),
    JackPort("USB Interface:playback_1", aliases: ["alsa:usb:1"], isInput: true),
  ]

  @Test(
    "The nearest port is one of the client with the nearest name, in the right direction",
    arguments: [
      ("Bund:*", false, "Band:out_1"), ("band:out_2", false, "Band:out_2"),
      ("Band:output_2", false, "Band:out_2"), ("Ardour*:click*", false, "ardour:click/audio_out 1"),
      ("USB Interfaze:playback_*", true, "USB Interface:playback_1"),
      ("USB:*", true, "USB Interface:playback_1"),
      ("sytem:playback_2", true, "system:playback_2"), ("Band:out_1", true, "system:playback_1"),
    ])
  func nearest(glob: String, areInputs: Bool, port: String) throws {
    let missing = try #require(UnmatchedGlob(PortGlob(glob)!, among: Self.ports, areInputs: areInputs))
    #expect(missing.nearest == port)
    #expect(missing.sentence == "nothing matches \(glob); the nearest port is \(port)")
  }

  @Test(
    "A glob that matches a name or an alias has no hint", arguments: ["USB*:playback_*", "alsa:usb:*", "*"])
  func matched(glob: String) {
    #expect(UnmatchedGlob(PortGlob(glob)!, among: Self.ports, areInputs: true) == nil)
  }

  @Test("Without any port of the direction there is no nearest one")
  func none() {
    let missing = UnmatchedGlob(PortGlob("Band:*")!, among: [], areInputs: false)
    #expect(missing?.sentence == "nothing matches Band:*; there is no such port")
  }

  @Test("A second instance stands in for a program that is away, and no program whose name only begins alike")
  func standIns() throws {
    let glob = try #require(PortGlob("mpv:out_*"))
    func found(_ clients: Set<String>) -> String { StandIns(clients: clients, globs: [glob]).glob(glob).text }
    #expect(found(["mpv-01"]) == "mpv-01:out_*")
    for other in ["mpv201", "mpvx1", "mpv-", "mpv-a"] { #expect(found([other]) == "mpv:out_*", "\(other)") }
    #expect(found(["mpv", "mpv-01"]) == "mpv:out_*" && found(["mpv-01", "mpv-02"]) == "mpv:out_*")
  }

  @Test("A glob has at most 320 bytes")
  func longest() {
    #expect(PortGlob(String(repeating: "a", count: 320)) != nil)
    #expect(PortGlob(String(repeating: "a", count: 321)) == nil)
  }
}
