import AwaitedEvents
import MediaBus
import SessionModel
import TestKit
import Testing

/// Calls that make no sense get errors of D-Bus that say what would be right, and change nothing.
@Suite("Bad calls over the bus")
struct GarbageTests {
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let player = "string:org.mpris.MediaPlayer2.Player"

  struct Bad: CustomTestStringConvertible, Sendable {
    var method: String
    var arguments: [String] = []
    var path = "/org/mpris/MediaPlayer2"
    /// What the answer contains.
    var answers: [String]
    var testDescription: String { ([method] + arguments).joined(separator: " ") }
  }

  @Test(
    "each is refused",
    arguments: [
      Bad(
        method: "org.mpris.MediaPlayer2.Player.Explode",
        answers: ["UnknownMethod", "there is no method Explode"]),
      Bad(
        method: "org.mpris.MediaPlayer3.Play",
        answers: ["UnknownInterface", "no interface org.mpris.MediaPlayer3"]),
      Bad(
        method: "org.mpris.MediaPlayer2.Player.Play", path: "/org/mpris/Other",
        answers: ["UnknownObject", "the player is /org/mpris/MediaPlayer2"]),
      Bad(
        method: "org.freedesktop.DBus.Introspectable.Introspect", path: "/org/other",
        answers: ["UnknownObject"]),
      Bad(
        method: "org.mpris.MediaPlayer2.Player.Seek", arguments: ["string:far"],
        answers: ["InvalidArgs", "Seek takes arguments of the types 'x', and these are 's'"]),
      Bad(
        method: "org.mpris.MediaPlayer2.Player.Play", arguments: ["double:1", "array:string:a,b"],
        answers: ["InvalidArgs", "types '', and these are 'das'"]),
      Bad(
        method: "org.mpris.MediaPlayer2.Player.SetPosition", arguments: ["int64:5"], answers: ["InvalidArgs"]),
      Bad(
        method: "org.mpris.MediaPlayer2.Player.OpenUri", arguments: ["string:http://example.org/a.mp3"],
        answers: ["NotSupported", "multiroute opens no URI"]),
      Bad(method: "\(properties).Get", arguments: [player], answers: ["InvalidArgs"]),
      Bad(
        method: "\(properties).Get", arguments: [player, "string:Colour"],
        answers: ["UnknownProperty", "no property Colour"]),
      Bad(
        method: "\(properties).Get", arguments: ["string:org.other", "string:Volume"],
        answers: ["UnknownInterface"]),
      Bad(method: "\(properties).GetAll", arguments: ["string:org.other"], answers: ["UnknownInterface"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Position", "variant:int64:5"],
        answers: ["PropertyReadOnly", "Position can only be read"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Volume", "variant:string:loud"],
        answers: ["InvalidArgs", "Volume is of the type 'd'"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Volume", "double:0.5"],
        answers: ["InvalidArgs", "types 'ssv', and these are 'ssd'"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Volume", "variant:double:nan"],
        answers: ["InvalidArgs", "Volume is 0 to 1"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:LoopStatus", "variant:string:Forever"],
        answers: ["InvalidArgs", "LoopStatus is one of None, Track, Playlist, not Forever"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Rate", "variant:double:9"],
        answers: ["InvalidArgs", "Rate is 0.25 to 4.0, not 9.0"]),
      Bad(
        method: "\(properties).Set", arguments: [player, "string:Rate", "variant:double:-1"],
        answers: ["InvalidArgs"]),
    ])
  func refuses(_ bad: Bad) throws {
    let rig = try BusRig()
    let answer = try rig.call(bad.method, bad.arguments, to: bad.path)
    for text in bad.answers { #expect(answer.contains(text), "\(answer)") }
    #expect(rig.player.requests.all.isEmpty)
    #expect(try rig.playerctl("status") == "Playing")
  }

  @Test("a rate of 0 is a pause, a negative volume is silence")
  func tolerates() throws {
    let rig = try BusRig()
    for (name, value) in [("Rate", "0"), ("Volume", "-3"), ("Rate", "1.5")] {
      _ = try rig.call("\(Self.properties).Set", [Self.player, "string:\(name)", "variant:double:\(value)"])
    }
    #expect(rig.player.requests.all == [.verb(.pause), .gain(.off), .rate(1.5)])
  }

  @Test("the description has every member of MPRIS, and the tree leads to it")
  func describes() throws {
    let rig = try BusRig()
    let name = "org.mpris.MediaPlayer2.multiroute"
    let text = try rig.run("busctl", ["--address=\(rig.bus.address)", "introspect", name, BusRig.path])
    let members = [
      "Quit", "Raise", "CanQuit", "CanRaise", "HasTrackList", "Identity", "SupportedMimeTypes",
      "SupportedUriSchemes",
      "Next", "OpenUri", "Pause", "Play", "PlayPause", "Previous", "Seek", "SetPosition", "Stop",
      "CanControl", "CanGoNext",
      "CanGoPrevious", "CanPause", "CanPlay", "CanSeek", "LoopStatus", "MaximumRate", "Metadata",
      "MinimumRate",
      "PlaybackStatus", "Position", "Rate", "Shuffle", "Volume", "Seeked", "Get", "GetAll", "Set",
      "PropertiesChanged",
    ]
    for member in members { #expect(text.contains(".\(member) "), "\(member) is missing") }
    let tree = try rig.run("busctl", ["--address=\(rig.bus.address)", "tree", name])
    #expect(tree.contains(BusRig.path))
    let root = try rig.call("\(Self.properties).GetAll", ["string:org.mpris.MediaPlayer2"])
    #expect(root.contains("Identity") && root.contains("multiroute"))
    #expect(try rig.call("org.mpris.MediaPlayer2.Quit") == "")
  }
}
