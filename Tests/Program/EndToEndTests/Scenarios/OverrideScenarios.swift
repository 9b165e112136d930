import OSC
import TestKit
import Testing

extension Scenarios {
  /// Exceptions from "last in wins": the speaker override, a preferred input, Bluetooth, and missing ports.
  @Suite struct Overriding {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    private func override(_ id: String, _ port: String) throws {
      try rig.surface.send("/session/\(id)/override", .string(port))
    }

    // MARK: The speaker

    @Test("A56: the override moves the sound from the receiver to the speaker and back")
    func a56() throws {
      try rig.playing("a", .playAndRecord)
      try rig.expectHeard(ear: ["a": 0])
      try override("a", "speaker")
      try rig.expectEvents(["a": [.route(4, previous: Rig.route(.mic, .ear))]])
      try rig.expectHeard(spk: ["a": 0])
      try override("a", "none")
      try rig.expectEvents(["a": [.route(4, previous: Rig.route(.mic, .spk))]])
      try rig.expectHeard(ear: ["a": 0])
    }

    @Test("A57: the override beats a headset, in and out")
    func a57() throws {
      try rig.plug(.headset)
      try rig.playing("a", .playAndRecord)
      #expect(try rig.route(of: "a") == Rig.route(.hsmic, .phones))
      try rig.expectCaptured("a", "hsmic")
      try override("a", "speaker")
      try rig.expectEvents(["a": [.route(4, previous: Rig.route(.hsmic, .phones))]])
      #expect(try rig.route(of: "a") == Rig.route(.mic, .spk))
      try rig.expectHeard(spk: ["a": 0])
      try rig.expectCaptured("a", "mic")
    }

    @Test(
      "A58: the override ends when headphones are plugged in, and does not return when they are unplugged")
    func a58() throws {
      try rig.playing("a", .playAndRecord)
      try override("a", "speaker")
      try rig.expectHeard(spk: ["a": 0])
      try rig.forgetEvents()
      try rig.plug(.phones)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(.mic, .spk))]])
      try rig.expectHeard([.phones: ["a": 0]])
      #expect(try rig.text("/session/a/override") == "none")
      try rig.unplug(.phones)
      try rig.expectEvents(["a": [.route(2, previous: Rig.route(.mic, .phones))]])
      try rig.expectHeard(ear: ["a": 0])
    }

    @Test("A58: the override ends with an interruption, and with another category")
    func a58Ended() throws {
      try rig.playing("a", .playAndRecord)
      try override("a", "speaker")
      try rig.playing("b")
      try rig.deactivate("b")
      try rig.activate("a")
      #expect(try rig.text("/session/a/override") == "none")
      try rig.expectHeard(ear: ["a": 0])
      try override("a", "speaker")
      try rig.set("a", .playback)
      try rig.set("a", .playAndRecord)
      #expect(try rig.text("/session/a/override") == "none")
      try rig.expectHeard(ear: ["a": 0])
    }

    @Test("A59: a session that only plays has no override")
    func a59() throws {
      try rig.playing("a")
      try rig.expectRefused(.incompatibleCategory, "/session/a/override", "speaker")
    }

    // MARK: The preferred input

    @Test("A61: a preferred input is used until the preference is cleared")
    func a61() throws {
      try rig.plug(.usbin)
      try rig.playing("a", .playAndRecord)
      try rig.expectCaptured("a", "usbin")
      try rig.surface.send("/session/a/input/preferred", "mic")
      try rig.expectEvents(["a": [.route(4, previous: Rig.route(.usbin, .ear))]])
      try rig.expectCaptured("a", "mic")
      try rig.surface.send("/session/a/input/preferred", "none")
      try rig.expectEvents(["a": [.route(4, previous: Rig.route(.mic, .ear))]])
      try rig.expectCaptured("a", "usbin")
    }

    @Test("A61: a preferred input that disappears is used again when it returns")
    func a61Returning() throws {
      try rig.plug(.usbin, .usb)
      try rig.playing("a", .playAndRecord)
      try rig.surface.send("/session/a/input/preferred", "usbin")
      try rig.expectCaptured("a", "usbin")
      try rig.unplug(.usbin)
      try rig.expectCaptured("a", "usb")
      #expect(try rig.text("/session/a/input/preferred") == "usbin")
      try rig.plug(.usbin)
      try rig.plug(.headset)
      try rig.expectCaptured("a", "usbin")
    }

    @Test("A62: an input that is not available cannot be preferred", arguments: ["usb", "nowhere", "spk"])
    func a62(input: String) throws {
      try rig.playing("a", .playAndRecord)
      try rig.expectRefused(.badParam, "/session/a/input/preferred", .string(input))
    }

    @Test(
      "A63: the available inputs depend on the category, and sessions that a change concerns get an event")
    func a63() throws {
      try rig.playing("a", .playback, .default, .mix)
      try rig.playing("b", .playAndRecord, .default, .mix)
      #expect(try rig.text("/session/a/input/available") == "")
      #expect(try rig.text("/session/b/input/available") == "mic")
      try rig.forgetEvents()
      try rig.plug(.usbin)
      try rig.expectEvents(["b": [.route(1, previous: Rig.route(.mic, .ear)), .inputs]])
      #expect(try rig.text("/session/a/input/available") == "")
      #expect(Set(try rig.text("/session/b/input/available").split(separator: ",")) == ["mic", "usbin"])
      try rig.unplug(.usbin)
      try rig.expectEvents(["b": [.route(2, previous: Rig.route(.usbin, .ear)), .inputs]])
    }

    @Test("A64: another data source of the input is a new configuration of the same route")
    func a64() throws {
      try rig.plug(.usb)
      try rig.playing("a", .playAndRecord)
      #expect(try rig.text("/input/usb/sources") == "front,back")
      try rig.expectCaptured("a", "usb")
      try rig.change("/input/usb/source", "back")
      try rig.expectEvents(["a": [.route(8, previous: Rig.route(.usb, .usb))]])
      #expect(try rig.route(of: "a") == Rig.route(.usb, .usb))
      try rig.expectCaptured("a", "back")
    }

    // MARK: Bluetooth

    @Test("A65: only sessions that allow hands-free use it, and then in both directions")
    func a65() throws {
      try rig.plug(.hfp)
      try rig.playing("a", .playAndRecord)
      #expect(try rig.route(of: "a") == Rig.route(.mic, .ear))
      try rig.expectHeard(ear: ["a": 0])
      try rig.expectCaptured("a", "mic")
      #expect(try !rig.text("/session/a/input/available").split(separator: ",").contains("hfp"))
      try rig.set("a", .playAndRecord, .default, .bluetoothHFP)
      #expect(try rig.route(of: "a") == Rig.route(.hfp, .hfp))
      try rig.expectHeard([.hfp: ["a": 0]])
      try rig.expectCaptured("a", "hfp")
    }

    @Test(
      "A66: sessions that play use Bluetooth music, and sessions that record use it only if they allow it")
    func a66() throws {
      try rig.plug(.bt)
      try rig.playing("a")
      try rig.expectHeard([.bt: ["a": 0]])
      try rig.set("a", .playAndRecord)
      try rig.expectHeard(ear: ["a": 0])
      try rig.set("a", .playAndRecord, .default, .bluetoothA2DP)
      #expect(try rig.route(of: "a") == Rig.route(.mic, .bt))
      try rig.expectHeard([.bt: ["a": 0]])
      try rig.surface.send("/session/a/capture/channels", 1)
      try rig.declare("input", of: "a", running: true)
      try rig.expectCaptured("a", "mic")
    }

    // MARK: Nothing suitable

    @Test("A68: a session whose input disappears is still heard, and gets an event when the input returns")
    func a68() throws {
      try rig.playing("a", .playAndRecord)
      try rig.expectCaptured("a", "mic")
      try rig.change("/input/mic/plugged", 0)
      try rig.expectEvents(["a": [.route(7, previous: Rig.route(.mic, .ear)), .inputs]])
      #expect(try rig.isActive("a"))
      try rig.expectHeard(ear: ["a": 0])
      try rig.expectCaptured("a", nil)
      try rig.surface.send("/input/mic/plugged", 1)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(nil, .ear)), .inputs]])
      try rig.expectCaptured("a", "mic")
    }

    // MARK: Two routes

    @Test("A81: two routes at once need the hands-free option, and are the built-in one and the headset")
    func a81() throws {
      try rig.plug(.headset)
      try rig.session("a", .multiRoute)
      try rig.expectRefused(.badParam, "/session/a/set", Rig.configuration(.multiRoute, .dualRoute))
      try rig.set("a", .multiRoute, .dualRoute, .bluetoothHFP)
      try rig.activate("a")
      #expect(try rig.route(of: "a") == "in:mic,hsmic out:spk,phones")
      try rig.surface.send("/session/a/stream/main/route", "spk,phones")
      try rig.expectHeard([.phones: ["a": 0]], spk: ["a": 0])
    }
  }
}
