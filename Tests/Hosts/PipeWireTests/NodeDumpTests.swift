import AudioHost
import Testing

@testable import PipeWire

@Suite("The reader of pw-dump's output")
struct NodeDumpTests {
  @Test("A port has its node, with the properties of the node's device and the active route")
  func node() throws {
    let dump = try #require(NodeDump(Array(Dump.laptop.utf8)))
    let entry = try #require(dump.ports[60])
    #expect(entry.name == "playback_FL" && entry.isInput)
    #expect(
      entry.node
        == SystemNode(
          name: "alsa_output.pci", description: "Built-in Audio",
          properties: [
            "media.class": "Audio/Sink", "device.id": "40", "device.api": "alsa", "device.bus": "pci",
            "device.form-factor": "internal",
          ], routeType: "headphones"))
  }

  @Test(
    "Ports of two nodes with the same description are distinguished, and a port without a node is left out")
  func twins() throws {
    let dump = try #require(NodeDump(Array(Dump.laptop.utf8)))
    #expect(dump.ports[61]?.node.name == "alsa_output.usb-Twin-00")
    #expect(dump.ports[62]?.node.name == "alsa_output.usb-Twin-00.2")
    #expect(dump.ports[63]?.isInput == false)
    #expect(dump.ports.keys.sorted() == [60, 61, 62, 63])
  }

  @Test(
    "A dump must be a list, and malformed objects in the list are ignored", arguments: ["", "{}", "[", "no"])
  func broken(_ text: String) throws {
    #expect(NodeDump(Array(text.utf8)) == nil)
    let odd = "[ 1, null, {}, { \"id\": 5, \"type\": \"PipeWire:Interface:Port\", \"info\": null }, [[]] ]"
    #expect(NodeDump(Array(odd.utf8))?.ports.isEmpty == true)
  }

  @Test(
    "Of several lists, one behind the other, a later state of an object counts, and one without info has gone"
  )
  func several() throws {
    let later = """
      [ { "id": 99, "type": "PipeWire:Interface:Client", "info": { "props": { "a": "]\\"[{" } } } ]
      [ { "id": 51, "info": null } ]
      """
    let dump = try #require(NodeDump(Array((Dump.laptop + later).utf8)))
    let before = try #require(NodeDump(Array(Dump.laptop.utf8)))
    let gone = before.ports.filter { dump.ports[$0.key] == nil }
    #expect(!gone.isEmpty && gone.count < before.ports.count, "\(gone.keys)")
    let half = Dump.laptop + later.prefix(later.count / 2)
    #expect(NodeDump(Array(half.utf8)) == nil, "half a list")
  }

  @Test("A dump of more than a megabyte, as from a large studio, is read")
  func large() throws {
    let text = Dump.laptop + String(repeating: "\n", count: 1 << 20)
    #expect(NodeDump(Array(text.utf8))?.ports.count == 4)
  }
}
