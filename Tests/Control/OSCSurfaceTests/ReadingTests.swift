import OSC
import OSCSurface
import Parameters
import SessionModel
import Testing

@Suite("Reading")
struct ReadingTests {
  /// A set to a value that is not the default, and the answer to a get after it.
  static let written: [(OSCMessage, [OSCArgument])] =
    [
      (OSCMessage("/session/show/name", "The show"), ["The show"]),
      (OSCMessage("/session/show/category", "ambient"), ["ambient"]),
      (OSCMessage("/session/show/options", "mixWithOthers"), ["mixWithOthers"]),
      (OSCMessage("/session/show/options/mask", 1), [1]),
      (OSCMessage("/session/show/option/mixWithOthers", 1), [1]),
      (OSCMessage("/session/show/active", 1), [1]), (OSCMessage("/session/show/gain", -6.5), [-6.5]),
      (OSCMessage("/session/show/fader", 0.25), [0.25]), (OSCMessage("/session/show/max", 3), [3.0]),
      (OSCMessage("/session/show/mute", 1), [1]), (OSCMessage("/session/show/activate", "start"), ["start"]),
      (OSCMessage("/session/show/mode", "measurement"), ["measurement"]),
      (OSCMessage("/session/music/policy", "longFormVideo"), ["longFormVideo"]),
      (OSCMessage("/session/show/priority", "alert"), ["alert"]),
      (OSCMessage("/session/show/protected", 1), [1]), (OSCMessage("/session/show/foreground", 0), [0]),
      (OSCMessage("/session/show/io/output", "running"), ["running"]),
      (OSCMessage("/session/show/io/input", "stopped"), ["stopped"]),
      (OSCMessage("/session/show/permission", "denied"), ["denied"]),
      (OSCMessage("/session/show/capture/exclusive", 1), [1]),
      (OSCMessage("/session/show/capture/sole", 1), [1]),
      (OSCMessage("/session/show/alerts/ignore", 1), [1]), (OSCMessage("/session/show/output/mute", 1), [1]),
      (OSCMessage("/session/show/notify", 0), [0]),
      (OSCMessage("/session/show/activate/threshold", -60), [-60.0]),
      (OSCMessage("/session/show/activate/hold", 3), [3.0]),
      (OSCMessage("/session/show/resume", "always"), ["always"]),
      (OSCMessage("/session/show/unplug", "interrupt"), ["interrupt"]),
      (OSCMessage("/session/show/lease", 20), [20.0]), (OSCMessage("/session/show/duck/exempt", 1), [1]),
      (OSCMessage("/session/show/duck/level", -20), [-20.0]),
      (OSCMessage("/session/show/duck/attack", 1), [1.0]),
      (OSCMessage("/session/show/duck/release", 2), [2.0]),
      (OSCMessage("/session/show/stream/main/duck/exempt", 1), [1]),
      (OSCMessage("/output/usb/duck/limit", -10), [-10.0]), (OSCMessage("/input/usb/hardware", 1), [1]),
      (OSCMessage("/output/usb/meters", "rms", "ppm"), ["rms", "ppm"]),
      (OSCMessage("/output/usb/monitor/on", 1), [1]),
      (OSCMessage("/output/usb/monitor/point", "afl"), ["afl"]),
      (OSCMessage("/output/usb/monitor/exclusive", 1), [1]),
      (OSCMessage("/output/usb/monitor/gain", -4), [-4.0]),
      (OSCMessage("/output/usb/monitor/dim", -20), [-20.0]),
      (OSCMessage("/output/usb/monitor/lease", 1), [1]),
      (OSCMessage("/session/show/talkback/to", "usb"), ["usb"]),
      (OSCMessage("/session/show/talkback/dim", -30), [-30.0]),
      (OSCMessage("/session/show/talkback/latch", 1), [1.0]),
      (OSCMessage("/session/show/talkback/alarm", 5), [5.0]),
      (OSCMessage("/duck/level", -20), [-20.0]), (OSCMessage("/duck/attack", 1), [1.0]),
      (OSCMessage("/duck/release", 2), [2.0]), (OSCMessage("/duck/scope", "heard"), ["heard"]),
      (OSCMessage("/interruption/phone/on", 1), [1]), (OSCMessage("/interruption/phone/ringing", 1), [1]),
      (OSCMessage("/interruption/scope", "nonMixable"), ["nonMixable"]), (OSCMessage("/silent", 1), [1]),
      (OSCMessage("/system/deactivation", "reports"), ["reports"]),
      (OSCMessage("/session/music/output/preferred", "usb"), ["usb"]),
      (OSCMessage("/session/show/input/preferred", "mic"), ["mic"]),
      (OSCMessage("/session/show/input/level", 0.5), [0.5]),
      (OSCMessage("/session/show/rate/preferred", 96_000), [96_000.0]),
      (OSCMessage("/session/show/period/preferred", 0.5), [0.5]),
      (OSCMessage("/session/show/stream/main/from", "a:*", "input:mic"), ["a:*", "input:mic"]),
      (OSCMessage("/session/show/stream/main/gain", -3), [-3.0]),
      (OSCMessage("/session/show/stream/main/mute", 1), [1]),
      (OSCMessage("/session/show/stream/main/pan", -0.5), [-0.5]),
      (OSCMessage("/session/show/stream/main/exclusive", 1), [1]),
      (OSCMessage("/session/show/stream/main/loop", 1), [1]),
      (OSCMessage("/session/show/stream/main/route", "headphones"), ["headphones"]),
      (OSCMessage("/session/show/stream/main/never", "mono"), ["mono"]),
      (OSCMessage("/session/show/stream/main/to/headphones/on", 1), [1]),
      (OSCMessage("/session/show/stream/main/to/usb/gain", -1), [-1.0]),
      (OSCMessage("/session/show/stream/main/to/usb/pan", 0.5), [0.5]),
      (OSCMessage("/session/show/stream/main/to/usb/fader", 0.5), [0.5]),
      (OSCMessage("/session/show/stream/main/to/usb/map", "1:3,2:4"), ["1:3,2:4"]),
      (OSCMessage("/session/show/stream/main/to/usb/tap", "input"), ["input"]),
      (OSCMessage("/session/show/capture/to", "recorder:*"), ["recorder:*"]),
      (OSCMessage("/session/show/capture/channels", 2), [2]),
      (OSCMessage("/session/show/capture/route", 0), [0]),
      (OSCMessage("/session/show/capture/session/music/on", 1), [1]),
      (OSCMessage("/session/show/capture/session/music/gain", -3), [-3.0]),
      (OSCMessage("/session/show/capture/input/mic/on", 1), [1]),
      (OSCMessage("/session/show/capture/input/mic/gain", -2), [-2.0]),
      (OSCMessage("/session/show/capture/input/mic/fader", 0.5), [0.5]),
      (OSCMessage("/output/usb/name", "Interface"), ["Interface"]),
      (OSCMessage("/output/usb/gain", -6), [-6.0]),
      (OSCMessage("/output/usb/max", 0), [0.0]), (OSCMessage("/output/usb/mute", 1), [1]),
      (OSCMessage("/output/usb/maxTotal", 6), [6.0]),
      (OSCMessage("/output/usb/auto", 0), [0]), (OSCMessage("/output/usb/plugged", 0), [0]),
      (OSCMessage("/output/usb/align", "house"), ["house"]),
      (OSCMessage("/output/usb/delay", 0.5), [0.5]), (OSCMessage("/output/usb/ceiling", -3), [-3.0]),
      (OSCMessage("/output/headphones/dim", 1), [1]),
      (OSCMessage("/output/headphones/dim/level", -12), [-12.0]),
      (OSCMessage("/output/headphones/mono", 1), [1]), (OSCMessage("/output/headphones/swap", 1), [1]),
      (OSCMessage("/output/headphones/balance", -0.5), [-0.5]),
      (OSCMessage("/output/headphones/polarity", "2"), ["2"]),
      (OSCMessage("/input/usb/trim", 6), [6.0]), (OSCMessage("/input/usb/width", 0.5), [0.5]),
      (OSCMessage("/input/usb/polarity", "2", "1"), ["1", "2"]),
      (OSCMessage("/session/show/stream/main/polarity", "1"), ["1"]),
      (OSCMessage("/session/show/stream/main/width", 2), [2.0]),
      (OSCMessage("/input/usb/name", "Stage box"), ["Stage box"]),
      (OSCMessage("/input/usb/gain", -6), [-6.0]),
      (OSCMessage("/input/usb/mute", 1), [1]), (OSCMessage("/input/usb/2/gain", -6), [-6.0]),
      (OSCMessage("/input/usb/2/mute", 1), [1]), (OSCMessage("/input/usb/auto", 0), [0]),
      (OSCMessage("/input/usb/source", "back"), ["back"]),
      (OSCMessage("/input/usb/echo", "usb", "headphones"), ["usb", "headphones"]),
      (OSCMessage("/session/show/voice/fallback", "gated"), ["gated"]),
      (OSCMessage("/session/show/color", "#FF8800"), ["#ff8800"]),
      (OSCMessage("/session/show/stream/main/color", "#00ff08"), ["#00ff08"]),
      (OSCMessage("/output/usb/color", "#000000"), ["#000000"]),
      (OSCMessage("/input/usb/color", "#1234af"), ["#1234af"]),
      (OSCMessage("/ramp", 0.5), [0.5]), (OSCMessage("/fade/curve", "linear"), ["linear"]),
      (OSCMessage("/meter/rate", 10), [10.0]), (OSCMessage("/system/panic", 1), [1]),
      (OSCMessage("/preset/fade", 4), [4.0]), (OSCMessage("/preset/guard", 1), [1.0]),
      (OSCMessage("/preset/scope", "mute+gain"), ["gain+mute"]),
      (OSCMessage("/preset/safe", "/output/usb", "/ramp"), ["/output/usb", "/ramp"]),
      (OSCMessage("/preset/standby", "act-1"), ["act-1"]),
      (OSCMessage("/session/show/quiet", 30), [30.0]),
      (OSCMessage("/system/lock", 1), [1]), (OSCMessage("/effects/bypass", 1), [1]),
      (
        OSCMessage(
          "/session/show/stream/main/effects", "high-pass HPfreq=90.5", "EQ preset=\"Warm hall\" off"),
        ["high-pass HPfreq=90.5", "eq off preset=\"Warm hall\""]
      ),
      (OSCMessage("/output/mono/effects", "limiter", "limiter"), ["limiter", "limiter"]),
      (OSCMessage("/output/mono/effects/fallback", "mute"), ["mute"]),
      (OSCMessage("/input/mic/effects", "gate off"), ["gate off"]),
      (OSCMessage("/session/show/capture/effects", "eq"), ["eq"]),
    ] + HealthRule.allCases.map { (OSCMessage("/health/\($0.rawValue)/silenced", 1), [1]) }

  @Test("Every address reads the value that was set", arguments: written)
  func readsWhatWasSet(_ message: OSCMessage, _ expected: [OSCArgument]) throws {
    var desk = try Desk.stage()
    let before = desk.get(message.address)
    #expect(before != expected)
    #expect(desk.send(message).isEmpty)
    #expect(desk.get(message.address) == expected)
    #expect(desk.send(OSCMessage(message.address, [])) == [OSCMessage(message.address, expected)])
  }

  @Test("Every settable parameter has a case above")
  func complete() throws {
    let templates = Set(Self.written.map { Self.template(of: $0.0.address) })
    for parameter in Table.parameters where parameter.isWritable {
      // The other options' lamps are covered by the mask, players, recorders, groups, effects, strips, solos and talkbacks by the tests of every address, the others by the tests
      // of routes, hardware and voices.
      let isCovered =
        templates.contains(parameter.address) || parameter.address.hasPrefix("/session/<s>/option/")
        || parameter.address.hasPrefix("/session/<s>/channels/")
        || parameter.address.hasPrefix("/session/<s>/voice/")
        || parameter.address.hasPrefix("/strip/") || parameter.address.hasPrefix("/bank/")
        || parameter.address.hasSuffix("/solo") || parameter.address.hasPrefix("/talkback/")
        || parameter.address.hasPrefix("/player/") || parameter.address.hasPrefix("/recorder/")
        || parameter.address.hasPrefix("/group/")
        || parameter.address.contains("/effect/<e>/")
        || ["/input/<i>/max", "/input/<i>/plugged", "/session/<s>/override"].contains(parameter.address)
      #expect(isCovered, "\(parameter.address)")
    }
  }

  private static func template(of address: String) -> String {
    var parts = address.split(separator: "/").map(String.init)
    for (index, part) in parts.enumerated().dropFirst() {
      switch (parts[0], parts[index - 1], index) {
      case ("session", "session", 1): parts[index] = "<s>"
      case ("session", "session", _): parts[index] = "<x>"
      case ("session", "stream", _): parts[index] = "<t>"
      case ("session", "to", _): parts[index] = "<o>"
      case ("session", "input", 4): parts[index] = "<i>"
      case ("output", _, 1): parts[index] = "<o>"
      case ("input", _, 1): parts[index] = "<i>"
      case ("interruption", _, 1) where parts.count > 2: parts[index] = "<source>"
      case ("input", _, 2) where Int(part) != nil: parts[index] = "<n>"
      default: break
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  @Test(
    "A snapshot holds every readable leaf but meters and lists, as single gets answer them, and its end counts them"
  )
  func snapshot() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/stream/main/route", "usb:1-2,headphones=-6")
    desk.send("/session/show/capture/input/mic/on", 1)
    let (messages, end) = desk.snapshot()
    #expect(end?.arguments.prefix(2) == ["/*", .int32(Int32(messages.count))])
    let addresses = messages.map(\.address)
    #expect(Set(addresses).count == addresses.count)
    for message in messages { #expect(desk.get(message.address) == message.arguments, "\(message.address)") }
    for address in [
      "/session/show/gain", "/session/show/fader", "/session/show/gain/text",
      "/session/show/category/playback",
      "/session/show/category/index", "/session/show/why", "/session/show/stream/main/to/headphones/gain",
      "/session/show/capture/input/mic/on", "/output/usb/delay", "/input/usb/2/mute", "/system/panic",
      "/ramp",
      "/meter/rate",
    ] {
      #expect(addresses.contains(address), "\(address)")
    }
    #expect(!addresses.contains { $0.hasPrefix("/meter/") && $0 != "/meter/rate" || $0.hasSuffix("/list") })
  }

  @Test("A snapshot of a pattern has all leaves below it, and always panic")
  func narrowSnapshot() throws {
    var desk = try Desk.stage()
    let (messages, end) = desk.snapshot("/session/music/stream")
    #expect(messages.first == OSCMessage("/system/panic", 0))
    #expect(messages.dropFirst().allSatisfy { $0.address.hasPrefix("/session/music/stream/main/") })
    #expect(end?.arguments.prefix(2) == ["/session/music/stream", .int32(Int32(messages.count))])
    #expect(desk.snapshot("/nothing").end?.arguments.prefix(2) == ["/nothing", 1])
    #expect(desk.send("/snapshot", "//").errorCode == .badValue)
  }

  @Test("The resync button of a surface sends a number; its release does nothing")
  func resyncButton() throws {
    var desk = try Desk.stage()
    #expect(!desk.send("/snapshot", 1.0).isEmpty)
    desk.wait(1)
    #expect(desk.send("/snapshot", 0.0).isEmpty)
    #expect(desk.wait(1).isEmpty)
  }

  @Test("A snapshot is paced at a packet per 5 ms, each of at most 1,200 bytes")
  func pacing() throws {
    var desk = try Desk.stage()
    for number in 1...20 { desk.send("/session/create", .string("s\(number)"), "multiRoute") }
    var packets = desk.datagrams(.message(OSCMessage("/snapshot")))
    #expect(packets.count == 1)
    var isOver = false
    while !isOver {
      desk.time += 0.005
      let more = desk.surface.advance(desk.state, at: desk.time).datagrams
      isOver = more.contains { $0.packet.messages.contains { $0.address == "/snapshot/end" } }
      #expect(more.count == (isOver ? 2 : 1))
      packets += more
    }
    #expect(packets.count > 20)
    for packet in packets { #expect(PacketEncoder.encode(packet.packet).count <= 1_200) }
    #expect(desk.isIdle)
  }

  @Test("A list sends one message for each object, and one with zeros if there is none")
  func lists() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/session/list") == [
        OSCMessage("/session/list", 0, 2, "show", "show", "multiRoute", "default", 0),
        OSCMessage("/session/list", 1, 2, "music", "music", "playback", "default", 0),
      ])
    #expect(
      desk.send("/output/list").first == OSCMessage("/output/list", 0, 4, "usb", "usb", "usbAudio", 4, 1))
    #expect(
      desk.send("/input/list").last == OSCMessage("/input/list", 1, 2, "mic", "mic", "builtInMic", 1, 1))
    desk.send("/session/music/stream/remove", "main")
    #expect(desk.send("/session/music/stream/list") == [OSCMessage("/session/music/stream/list", 0, 0)])
    var empty = Desk()
    #expect(empty.send("/session/list") == [OSCMessage("/session/list", 0, 0)])
  }
}
