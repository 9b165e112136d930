import ServerInterface
import Testing

@testable import PipeWire

@Suite("The reader of pw-dump's arrays")
struct NodeDumpTests {
  /// The nodes after some arrays; nil if one of them cannot be read.
  private func read(_ arrays: String...) -> [UInt64: NodeDump.Entry]? {
    var dump = NodeDump()
    return arrays.allSatisfy { dump.take(Array($0.utf8)) } ? dump.entries : nil
  }

  @Test("A port has its node, with the properties of the node's device, the active route and the volume")
  func node() throws {
    let entry = try #require(read(Dump.laptop)?[60])
    #expect(entry.name == "playback_FL" && entry.isInput)
    #expect(
      entry.node
        == SystemNode(
          name: "alsa_output.pci", description: "Built-in Audio",
          properties: [
            "media.class": "Audio/Sink", "device.id": "40", "device.api": "alsa", "device.bus": "pci",
            "device.form-factor": "internal",
          ], routeType: "headphones", volume: SystemNode.Volume(percent: 100, isMuted: false)))
  }

  @Test(
    "Ports of two nodes with the same description are distinguished, and a port without a node is left out")
  func twins() throws {
    let entries = try #require(read(Dump.laptop))
    #expect(entries[61]?.node.name == "alsa_output.usb-Twin-00")
    #expect(entries[62]?.node.name == "alsa_output.usb-Twin-00.2")
    #expect(entries[63]?.isInput == false)
    #expect(entries.keys.sorted() == [60, 61, 62, 63])
  }

  @Test("A program's node has the process that the kernel tells, and a device's node has none")
  func process() throws {
    let player = Dump.node(70, #""node.name": "mpv", "client.id": 65"#)
    let client = """
      { "id": 65, "type": "PipeWire:Interface:Client", "info": {
        "props": { "application.process.id": 1, "pipewire.sec.pid": 4711 } } }
      """
    let program = "[ \(player), \(client), \(Dump.port(71, of: 70, "output_FL", "output")) ]"
    let entries = try #require(read(Dump.laptop, program))
    #expect(entries[71]?.node.process == 4_711 && entries[60]?.node.process == nil)
    let left = try #require(read(Dump.laptop, program, #"[{ "id": 65, "info": null }]"#))
    #expect(left[71]?.node.process == nil)
  }

  @Test("A program of PulseAudio is unanswered until the server tells the length of its buffer")
  func unanswered() throws {
    func program(_ properties: String) -> String {
      "[ \(Dump.node(70, #""node.name": "mpv""# + properties)), \(Dump.port(71, of: 70, "output_FL", "output")) ]"
    }
    let waiting = #", "pulse.server.type": "unix", "node.latency": "1984/44100""#
    for (properties, isUnanswered) in [
      ("", false), (waiting, true), (waiting + #", "pulse.attr.maxlength": "4194304""#, false),
    ] {
      let entry = try #require(read(Dump.laptop, program(properties))?[71])
      #expect(entry.node.isUnanswered == isUnanswered, "\(properties)")
    }
  }

  @Test(
    "An array must be readable, and malformed objects in it are ignored", arguments: ["", "{}", "[", "[ } ]"])
  func broken(_ text: String) throws {
    #expect(read(text) == nil)
    let odd = "[ 1, null, {}, { \"id\": 5, \"type\": \"PipeWire:Interface:Port\", \"info\": null }, [[]] ]"
    #expect(read(odd)?.isEmpty == true)
  }

  @Test("Later arrays replace and remove objects of earlier ones")
  func later() throws {
    let renamed = Dump.node(50, #""node.name": "renamed", "node.description": "Twin""#)
    let entries = try #require(
      read(
        Dump.laptop, "[ \(renamed), \(Dump.port(65, of: 51, "playback_FR")) ]",
        #"[ { "id": 1062, "info": null } ]"#, #"[{"id": 51, "info": null}]"#))
    #expect(entries.keys.sorted() == [60, 61])
    #expect(entries[60]?.node.name == "alsa_output.pci")
    #expect(entries[61]?.node.name == "renamed")
  }

  @Test(
    "The volume is that of the loudest channel as mixers show it, the cube root of the factor",
    arguments: [
      (#"{ "volume": 0.5, "channelVolumes": [ 0.25, 0.1 ] }"#, 50, false),
      (#"{ "mute": true, "channelVolumes": [ 0.027, 0.001 ] }"#, 30, true),
      (#"{ "volume": 1, "mute": false, "channelVolumes": [ 3.375 ] }, { "params": [] }"#, 150, false),
      (#"{ "params": [] }, { "volume": 0.0 }"#, 0, false),
      (#"{ "channelVolumes": [], "volume": 1e99 }"#, 1_000, false),
    ])
  func volume(properties: String, percent: Int, isMuted: Bool) throws {
    let node = """
      { "id": 9, "type": "PipeWire:Interface:Node", "info": { "props": {}, "params": { "Props": [ \(properties) ] } } }
      """
    let entry = try #require(read("[ \(node), \(Dump.port(10, of: 9, "output_FL", "output")) ]")?[10])
    #expect(entry.node.volume == SystemNode.Volume(percent: percent, isMuted: isMuted))
  }

  @Test("A node without volume properties has no volume")
  func noVolume() throws {
    let node = #"{ "id": 9, "type": "PipeWire:Interface:Node", "info": { "props": {} } }"#
    let entry = try #require(read("[ \(node), \(Dump.port(10, of: 9, "output_FL", "output")) ]")?[10])
    #expect(entry.node.volume == nil)
  }

  @Test("An array of more than a megabyte, as from a large studio, is read")
  func large() throws {
    #expect(read(Dump.laptop + String(repeating: "\n", count: 1 << 20))?.count == 4)
  }
}
