import Foundation
import OSC
import TestKit
import Testing

/// The router as a client of PipeWire: types of devices, the main job, unplugging, identical cards, restarts.
@Suite struct PipeWireTests {
  /// A device, and the type that the router must assume.
  private struct Card {
    var node: String
    var name: String
    var properties: String
    var isSource = false
    var id: String
    var type: String
    var reason: String
  }

  private static let cards = [
    Card(
      node: "alsa_output.usb-Acme_USB_Box-00", name: "Acme Box",
      properties: "device.bus=usb device.form-factor=headset",
      id: "acme-box", type: "usbAudio", reason: "device.bus usb"),
    Card(
      node: "alsa_output.pci-1", name: "Desk", properties: "device.form-factor=headphone", id: "desk",
      type: "headphones", reason: "device.form-factor headphone"),
    Card(
      node: "alsa_output.pci-2", name: "Built-in Digital",
      properties: "device.bus=pci api.alsa.path=\"hdmi:0\"",
      id: "built-in-digital", type: "hdmi", reason: "api.alsa.path hdmi:0"),
    Card(
      node: "bluez_output.00_11.1", name: "Buds",
      properties: "device.api=bluez5 api.bluez5.profile=a2dp-sink", id: "buds", type: "bluetoothA2DP",
      reason: "api.bluez5.profile a2dp-sink"),
    Card(
      node: "bluez_output.00_12.1", name: "Car Kit",
      properties: "device.api=bluez5 api.bluez5.profile=headset-head-unit", id: "car-kit",
      type: "bluetoothHFP", reason: "api.bluez5.profile headset-head-unit"),
    Card(
      node: "alsa_output.3", name: "Kitchen Speakers (stereo)", properties: "", id: "kitchen-speakers-stereo",
      type: "builtInSpeaker", reason: "'speaker' in its description"),
    Card(
      node: "feed", name: "Broadcast Feed", properties: "", id: "broadcast-feed", type: "virtual",
      reason: "factory.name support.null-audio-sink"),
    Card(
      node: "alsa_input.pci-1", name: "Lid", properties: "device.form-factor=internal", isSource: true,
      id: "lid", type: "builtInMic", reason: "device.form-factor internal"),
  ]

  @Test("Without jackd and pw-jack the router uses PipeWire by itself, and --backend decides otherwise")
  func ownLibrary() async throws {
    let pipewire = try await PrivatePipeWire()
    var environment = pipewire.environment
    environment["LD_LIBRARY_PATH"] = nil
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: nil, server: pipewire.name, in: folder, environment: environment, owners: [pipewire])
    #expect(router.child.errors.text.contains("no jackd answers, and PipeWire does; using PipeWire"))
    #expect(router.terminate().code == 0)
    let wanted = try RouterProcess(
      preset: nil, server: pipewire.name, in: folder, flags: ["--backend", "pipewire"],
      environment: environment, owners: [pipewire])
    #expect(wanted.terminate().code == 0)
    let flags = [
      "run", "--server", pipewire.name, "--config", "none", "--osc", "127.0.0.1:0", "--backend", "jack",
    ]
    let jack = try Program.run(flags, in: folder, environment: environment)
    #expect(jack.code == 69 && jack.errors.contains("JACK server"))
    let wrong = try Program.run(flags, in: folder, environment: pipewire.environment)
    #expect(wrong.code == 69 && wrong.errors.contains("start it without pw-jack"))
  }

  @Test(
    "The router finds devices, guesses types from PipeWire's properties and names, and shows the reason"
  )
  func found() async throws {
    let rack = try await Rack { pipewire, stage in
      for card in Self.cards {
        try pipewire.plug(card.node, card.name, isSource: card.isSource, card.properties)
        try stage.do("await-port \"\(card.name):\(card.isSource ? "capture" : "monitor")_FR\"")
      }
    }
    let ports = try Program.run(["ports", "--to", "127.0.0.1:\(rack.router.port)"]).output
    for card in Self.cards {
      let way = card.isSource ? "input" : "output"
      #expect(try rack.surface.text("/\(way)/\(card.id)/type") == card.type)
      let reason = try rack.surface.text("/\(way)/\(card.id)/reason")
      #expect(reason == "PipeWire's \(card.node) has \(card.reason)")
      #expect(try rack.surface.number("/\(way)/\(card.id)/channels") == 2)
      let line = ports.split(separator: "\n").first { $0.hasPrefix(card.id + " ") }
      #expect(line?.contains(" \(card.type) ") == true && line?.hasSuffix(reason) == true, "\(ports)")
    }
    // The input side of a virtual microphone is not a device. The router has found no others.
    let devices = ports.split(separator: "\n").filter { $0.contains(" output ") || $0.contains(" input ") }
    #expect(devices.count == Self.cards.count, "\(ports)")
  }

  /// The band at the USB interface and the click at the headphones, from one session.
  private static let show = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 },
      "phones": { "type": "headphones", "outputs": ["Desk:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb": 0 } },
      "click": { "channels": 1, "from": ["Metronome:out_*"], "to": { "phones": -6 }, "never": ["usb"] } } } } }
    """

  private static func plugShow(_ pipewire: PrivatePipeWire, _ stage: StageProcess) throws {
    for card in cards[0...1] { try pipewire.plug(card.node, card.name, card.properties) }
    for command in [
      "device Ear 4 0", "source Band 2 sine 997 -12", "source Metronome 1 sine 400 -12",
    ] { try stage.do(command) }
  }

  /// Expects the band only at one device and the click only at the other, each at its level.
  private func expectShow(_ rack: Rack) throws {
    for channel in 1...2 {
      let (band, noClick) = (try rack.tone(997, at: channel), try rack.tone(400, at: channel))
      #expect(abs(band + 12) < 0.01 && noClick < -100, "channel \(channel) of usb: \(band), \(noClick)")
      let (click, noBand) = (try rack.tone(400, at: channel + 2), try rack.tone(997, at: channel + 2))
      #expect(abs(click + 18) < 0.01 && noBand < -100, "channel \(channel) of phones: \(click), \(noBand)")
    }
  }

  @Test(
    "Two streams of one session reach two devices, also after a device was unplugged and after a restart"
  )
  func mainJob() async throws {
    let rack = try await Rack(Self.show, devices: Self.plugShow)
    let (pipewire, surface) = (rack.pipewire, rack.surface)
    func listen() throws {
      try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
      try rack.listen(to: rack.stage.monitors(of: "Desk"), from: 3)
      // A program's second port may come late. Until then its first one feeds both channels.
      try rack.stage.do("await-connection Band:out_2 multiroute:show.band_2")
      try rack.awaitSound(at: 1...4)
    }
    try listen()
    try expectShow(rack)
    #expect(try surface.text("/session/show/route") == "in:none out:usb,phones")

    try surface.subscribe("/event/*")
    try pipewire.unplug(Self.cards[0].node)
    #expect(try surface.event("port") == ["out", "usb", 0])
    try rack.stage.do("frames 9600")
    #expect(abs(try rack.tone(400, at: 3) + 18) < 0.01)
    try pipewire.plug(Self.cards[0].node, Self.cards[0].name, Self.cards[0].properties)
    #expect(try surface.event("port") == ["out", "usb", 1])
    try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
    try rack.awaitSound(at: 1...2)
    try expectShow(rack)

    let ours = try rack.stage.names("ports").filter { $0.hasPrefix("multiroute:") }
    pipewire.kill()
    #expect(try surface.event("media", seconds: 10) == ["lost"])
    try pipewire.start()
    #expect(try surface.event("media", seconds: 10) == ["reset"])
    try rack.restage()
    try Self.plugShow(pipewire, rack.stage)
    try listen()
    try expectShow(rack)
    #expect(try rack.stage.names("ports").filter { $0.hasPrefix("multiroute:") }.sorted() == ours.sorted())
    #expect(rack.router.terminate().code == 0)
  }

  /// Plugs in one of two identical cards.
  private func plug(_ pipewire: PrivatePipeWire, _ card: Int) throws {
    try pipewire.plug("alsa_output.usb-Twin_\(card)-00.analog-stereo", "Twin DAC", "device.bus=usb")
  }

  private static let twins = """
    { "multiroute": 1, "ports": {
      "house": { "type": "usbAudio", "outputs": ["Twin DAC:playback_*"], "node": "alsa_output.usb-Twin_1-*", "channels": 2 },
      "stream": { "type": "usbAudio", "outputs": ["Twin DAC:playback_*"], "node": "alsa_output.usb-Twin_2-*", "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 1, "from": ["Band:out_1"], "to": { "house": 0 } },
      "click": { "channels": 1, "from": ["Metronome:out_1"], "to": { "stream": 0 } } } } } }
    """

  @Test(
    "Nodes tell two identical cards apart, in any order of plugging in and with any names in JACK"
  )
  func identical() async throws {
    var first: [String] = []
    let rack = try await Rack(Self.twins) { pipewire, stage in
      for command in ["device Ear 4 0", "source Band 1 sine 997 -12", "source Metronome 1 sine 400 -12"] {
        try stage.do(command)
      }
      // The second card has the name without number.
      try plug(pipewire, 2)
      first = try stage.monitors(of: "Twin DAC")
    }
    try rack.surface.subscribe("/event/port")
    try plug(rack.pipewire, 1)
    #expect(try rack.surface.event("port") == ["out", "house", 1])
    func listen(to numbered: [String]) throws {
      try rack.listen(to: numbered, from: 3)
      try rack.awaitSound(at: 1...4)
    }
    let second = try rack.stage.monitors(of: "Twin DAC", besides: first)
    #expect(second.count == 2 && second.allSatisfy { $0.contains("-") }, "\(second)")
    try rack.listen(to: first)
    try listen(to: second)
    func expectTones() throws {
      #expect(abs(try rack.tone(400, at: 1) + 12) < 0.01)
      #expect(try rack.tone(997, at: 1) < -100)
      #expect(abs(try rack.tone(997, at: 3) + 12) < 0.01)
      #expect(try rack.tone(400, at: 3) < -100)
    }
    try expectTones()
    // The card with the name without number is unplugged and returns. The other card keeps its id.
    try rack.pipewire.unplug("alsa_output.usb-Twin_2-00.analog-stereo")
    #expect(try rack.surface.event("port") == ["out", "stream", 0])
    try rack.stage.do("frames 9600")
    #expect(abs(try rack.tone(997, at: 3) + 12) < 0.01)
    try plug(rack.pipewire, 2)
    #expect(try rack.surface.event("port") == ["out", "stream", 1])
    try rack.listen(to: rack.stage.monitors(of: "Twin DAC", besides: second))
    try listen(to: second)
    try expectTones()
  }

  /// A search path that starts with a program `pw-dump` of the test, made of lines of shell script that may run the real one.
  private static func path(of script: String, in folder: TemporaryFolder) throws -> String {
    let program = try folder.write("#!/bin/sh\nPATH=${PATH#*:}\n\(script)\n", to: "pw-dump")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    return "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
  }

  @Test("Two identical cards stay apart although the first readings of pw-dump are cut short or fail")
  func hinderedDump() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.path(
      of: """
        echo >> \(folder.file("runs"))
        case $(wc -l < \(folder.file("runs"))) in
          1) pw-dump | head -c 4000;;
          2) exit 1;;
          *) exec pw-dump "$@";;
        esac
        """, in: folder)
    let rack = try await Rack(Self.twins, variables: ["PATH": path]) { pipewire, stage in
      for card in 1...2 {
        try plug(pipewire, card)
        _ = try stage.monitors(
          of: "Twin DAC", besides: card == 1 ? [] : ["Twin DAC:monitor_FL", "Twin DAC:monitor_FR"])
      }
    }
    for card in ["house", "stream"] {
      #expect(try rack.surface.number("/output/\(card)/available") == 1)
      #expect(try rack.surface.number("/output/\(card)/channels") == 2)
    }
    #expect(try String(contentsOfFile: folder.file("runs"), encoding: .utf8).count >= 3)
  }

  @Test(
    "pw-dump ends with the router, whether the router is stopped or killed", arguments: [SIGTERM, SIGKILL])
  func endOfDump(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let numbers = try NumberPipe(folder.file("numbers"))
    let path = try Self.path(
      of: "echo $$ > \(folder.file("numbers"))\nexec pw-dump \"$@\"", in: folder)
    let rack = try await Rack(variables: ["PATH": path]) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "USB Box", "device.bus=usb")
      _ = try stage.monitors(of: "USB Box")
    }
    #expect(
      try rack.surface.text("/output/usb-box/reason") == "PipeWire's alsa_output.usb-1 has device.bus usb")
    let identifier = try numbers.next()
    #expect(isAlive(identifier))
    // A stopped program does not notice that nothing reads its output any more.
    kill(identifier, SIGSTOP)
    defer { if isAlive(identifier) { kill(identifier, SIGKILL) } }
    _ = rack.router.terminate(by: signal)
    let end = ContinuousClock.now + .seconds(5)
    while isAlive(identifier), ContinuousClock.now < end { try rack.stage.do("frames 1024") }
    #expect(!isAlive(identifier))
  }

  @Test("Without pw-dump names alone decide, and the router reports once that pw-dump is missing")
  func withoutDump() async throws {
    // The stage's devices have JACK's mark of a card, which null sinks have no more from PipeWire 1 on.
    let rack = try await Rack(variables: ["PATH": "/nonexistent"]) { _, stage in
      try stage.do("device \"USB Box\" 2 0")
    }
    #expect(try rack.surface.text("/output/usb-box/reason") == "its name contains 'usb'")
    try rack.surface.subscribe("/event/port")
    try rack.stage.do("device \"Plain Box\" 2 0")
    #expect(try rack.surface.event("port") == ["out", "plain-box", 1])
    #expect(try rack.surface.text("/output/plain-box/type") == "lineOut")
    let said = rack.router.child.errors.text
    #expect(said.ranges(of: "pw-dump was not found").count == 1, "\(said)")
  }
}
