import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite("The type of a device, and the reason for it")
struct TypeGuessTests {
  private func port(_ name: String, _ direction: Direction, aliases: [String] = []) -> SystemPort {
    SystemPort(
      name: "\(name):port", aliases: aliases, isInput: direction == .output, isPhysical: true,
      isTerminal: true)
  }

  private func guess(
    _ direction: Direction, description: String = "Thing", _ properties: [String: String],
    route: String? = nil, node: String = "node"
  ) -> (PortType, reason: String) {
    var port = port("Thing", direction)
    port.origin = .node(
      SystemNode(name: node, description: description, properties: properties, routeType: route))
    return TypeGuess.type(of: port, direction)
  }

  @Test(
    "The words of a device's name show its type",
    arguments: [
      ("Laptop Speakers", PortType.builtInSpeaker), ("Handset", .builtInReceiver),
      ("Head-Phones", .headphones), ("HEADPHONES 2", .headphones), ("USB Headset", .headphones),
      ("Line Out", .lineOut), ("S/PDIF", .lineOut), ("IEC958", .lineOut), ("Scarlett USB2.0", .usbAudio),
      ("HDMI / DisplayPort 3", .hdmi), ("DisplayPort 1", .displayPort),
      ("bluez_output.AA_BB.1", .bluetoothA2DP), ("Soundbar A2DP", .bluetoothA2DP), ("Car HFP", .bluetoothHFP),
      ("Buds LE Audio", .bluetoothLE), ("raop_output.living", .airPlay), ("Android Auto", .carAudio),
      ("Thunderbolt Dock", .thunderbolt), ("FireWire 410", .fireWire), ("AVB Stage Box", .avb),
      ("Loopback", .virtual), ("PCIe 424", .pci), ("system", .lineOut), ("Microsoft Thing", .lineOut),
      ("Online", .lineOut), ("Husband", .lineOut), ("Capcity", .lineOut),
    ])
  func outputNames(_ name: String, _ type: PortType) {
    #expect(TypeGuess.type(of: port(name, .output), .output).0 == type)
  }

  @Test(
    "Inputs have types of their own",
    arguments: [
      ("Internal Mic", PortType.builtInMic), ("Microphones", .builtInMic), ("Microsoft Thing", .lineIn),
      ("Headset", .headsetMic), ("iPhone", .continuityMicrophone), ("Line In", .lineIn),
      ("USB Mic", .usbAudio),
      ("HDMI Grabber", .lineIn), ("bluez_input.AA", .bluetoothHFP),
    ])
  func inputNames(_ name: String, _ type: PortType) {
    #expect(TypeGuess.type(of: port(name, .input), .input).0 == type)
  }

  @Test(
    "The reason quotes the word, aliases count too, and the reason says if a name shows no type")
  func reasons() {
    #expect(TypeGuess.type(of: port("My USB Box", .output), .output).reason == "its name contains 'usb'")
    let system = port("system", .output, aliases: ["alsa_pcm:hw:Headset:out1"])
    #expect(
      TypeGuess.type(of: system, .output)
        == (.headphones, "its other name 'alsa_pcm:hw:Headset:out1' contains 'headset'"))
    #expect(
      TypeGuess.type(of: port("system", .input), .input).reason == "a physical input whose name says nothing")
  }

  @Test(
    "PipeWire's properties decide before names",
    arguments: [
      (["device.bus": "usb", "device.form-factor": "headset"], PortType.usbAudio, "device.bus usb"),
      (["device.bus": "firewire"], .fireWire, "device.bus firewire"),
      (["device.bus": "thunderbolt"], .thunderbolt, "device.bus thunderbolt"),
      (
        ["device.bus-path": "pci-0000:00:14.0-usb-0:2:1.0"], .usbAudio,
        "device.bus-path pci-0000:00:14.0-usb-0:2:1.0"
      ),
      (["device.form-factor": "headphone"], .headphones, "device.form-factor headphone"),
      (["device.form-factor": "internal"], .builtInSpeaker, "device.form-factor internal"),
      (["device.form-factor": "handset"], .builtInReceiver, "device.form-factor handset"),
      (["device.form-factor": "car"], .carAudio, "device.form-factor car"),
      (
        ["device.api": "bluez5", "api.bluez5.profile": "a2dp-sink"], .bluetoothA2DP,
        "api.bluez5.profile a2dp-sink"
      ),
      (
        ["device.api": "bluez5", "api.bluez5.profile": "headset-head-unit", "device.form-factor": "headset"],
        .bluetoothHFP, "api.bluez5.profile headset-head-unit"
      ),
      (
        ["device.api": "bluez5", "api.bluez5.profile": "bap-sink"], .bluetoothLE,
        "api.bluez5.profile bap-sink"
      ),
      (["device.api": "bluez5"], .bluetoothA2DP, "device.api bluez5"),
      (["api.alsa.path": "hdmi:0"], .hdmi, "api.alsa.path hdmi:0"),
      (["api.alsa.path": "iec958:0"], .lineOut, "api.alsa.path iec958:0"),
      (["device.api": "avb"], .avb, "device.api avb"),
      (["node.virtual": "true"], .virtual, "node.virtual true"),
      (["device.bus": "pci"], .pci, "device.bus pci"),
    ] as [([String: String], PortType, String)])
  func properties(_ properties: [String: String], _ type: PortType, _ sign: String) {
    #expect(guess(.output, properties) == (type, "PipeWire's node has \(sign)"))
  }

  @Test("The socket in use decides before the kind of card")
  func routes() {
    let card = ["device.bus": "pci", "device.form-factor": "internal"]
    #expect(
      guess(.output, card, route: "headphones") == (
        .headphones, "PipeWire's node has an active route to headphones"
      ))
    #expect(guess(.output, card, route: "hdmi").0 == .hdmi)
    #expect(guess(.input, card, route: "headset").0 == .headsetMic)
    #expect(guess(.input, card, route: "unknown").0 == .builtInMic)
  }

  @Test("If no property shows the type, the node's description decides, then its name")
  func words() {
    #expect(
      guess(.output, description: "Kitchen Speaker", ["node.virtual": "true"])
        == (.builtInSpeaker, "PipeWire's node has 'speaker' in its description"))
    #expect(
      guess(.output, [:], node: "alsa_output.usb-Acme")
        == (.usbAudio, "PipeWire's alsa_output.usb-Acme has 'usb' in its name"))
    #expect(
      guess(.output, [:], node: "raop_sink.tv") == (
        .airPlay, "PipeWire's raop_sink.tv has a name that begins with raop_"
      ))
    #expect(guess(.input, [:]).0 == .lineIn)
  }

  @Test("Every type of AVAudioSession can be guessed")
  func complete() {
    var guessed = Set<PortType>()
    for name in [
      "speaker", "earpiece", "headphones", "headset", "line", "usb", "hdmi", "a2dp", "hfp", "le audio",
      "airplay", "carplay", "displayport", "thunderbolt", "pci", "firewire", "avb", "virtual", "iphone",
      "mic",
    ] {
      for direction in [Direction.output, .input] {
        guessed.insert(TypeGuess.type(of: port(name, direction), direction).0)
      }
    }
    #expect(guessed == Set(PortType.allCases))
  }
}
