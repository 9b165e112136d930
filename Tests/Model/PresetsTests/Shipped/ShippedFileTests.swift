import Checkout
import Foundation
import JSON5
import Presets
import SessionModel
import SessionPolicy
import TemporaryFolders
import Testing

@Suite("The shipped presets, schema and reference are valid and up to date")
struct ShippedFileTests {
  @Test(
    "Every shipped preset is valid, without a warning",
    arguments: Checkout.names(in: "presets", ending: ".json").map { String($0.dropLast(5)) })
  func presets(_ name: String) throws {
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    let (preset, problems) = try library.read(name, with: PresetReader.withLaw)
    #expect(problems.map(\.description) == [])
    #expect(preset?.id.name == name)
    #expect(preset?.title != name, "the shipped preset has no title")
  }

  @Test("The second scene of the demonstration is valid, without a warning")
  func demonstration() throws {
    let library = PresetLibrary(folders: [Checkout.file("presets/demo"), Checkout.file("presets")])
    let (preset, problems) = try library.read("interval", with: PresetReader.withLaw)
    #expect(problems.map(\.description) == [])
    #expect(preset?.sessions == ["show", "foyer", "announce"])
  }

  @Test("The schema is the one that is generated from the keys")
  func schema() throws {
    try compare(PresetSchema.text, with: "presets/schema/preset.json")
  }

  @Test("The reference in the documentation is the one that is generated from the keys")
  func reference() throws {
    let file = "docs/guide/presets.md"
    let (begin, end) = ("<!-- keys: generated -->\n", "<!-- /keys -->")
    let text = try Checkout.text(file)
    let first = try #require(text.firstRange(of: begin)?.upperBound)
    let last = try #require(text.firstRange(of: end)?.lowerBound)
    try compare(text[..<first] + PresetReference.text + text[last...], with: file)
  }

  private func compare(_ generated: String, with file: String) throws {
    if Checkout.regenerates { return try Checkout.write(generated, to: file) }
    #expect(
      try Checkout.text(file) == generated,
      "run MULTIROUTE_REGENERATE=1 swift test --filter ShippedFileTests")
  }

  @Test("A copy of an installed preset names a schema that exists")
  func installedSchema() throws {
    let folder = try TemporaryFolder()
    let share = folder.file("local/share/multiroute")
    let script = Process()
    script.executableURL = URL(fileURLWithPath: Checkout.file("packaging/install-share.sh"))
    script.arguments = [share, share]
    try script.run()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0)
    let names = Checkout.names(in: "presets", ending: ".json")
    #expect(!names.isEmpty)
    for name in names {
      let text = try String(contentsOfFile: "\(share)/presets/\(name)", encoding: .utf8)
      let schema = try #require(text.firstMatch(of: /"\$schema": "([^"]+)"/)).output.1
      #expect(schema.hasPrefix("/") && FileManager.default.fileExists(atPath: String(schema)), "\(name)")
      // Nothing else of the preset differs from the shipped one.
      let shipped = try Checkout.text("presets/\(name)")
      #expect(text.replacing(schema, with: "schema/preset.json") == shipped)
    }
  }

  @Test(
    "In the shipped preset an announcement ducks all streams but the click, and a call does not interrupt the protected show"
  )
  func announcementsAndCalls() throws {
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    let preset = try #require(try library.read("usb-and-headphones", with: PresetReader.withLaw).preset)
    var state = RouterState()
    state.server.isRunning = true
    func happen(_ event: Event) throws { _ = try Policy.reduce(&state, event, at: 0) }
    func session(_ id: SessionID) -> Session { state.sessions[id]! }
    for event in preset.events(for: state) { try happen(event) }
    let ports = state.outputs.values.map { port in
      PortPresence(.output, port.id, members: (1...port.channels).map { "\(port.id):\($0)" })
    }
    try happen(.portsPresent(ports))
    for id in state.sessions.keys { try happen(.connected(id, true)) }
    #expect(session("show").isActive && session("foyer").isActive && !session("announce").isActive)
    #expect(session("foyer").route.outputs == ["speaker"])
    try happen(.activate("announce"))
    #expect(session("show").duck(in: "usb")?.target == -14 && session("foyer").deepestDuck?.target == -14)
    #expect(session("show").duck(in: "usb")?.seconds == 0.2)
    #expect(session("show").streams["click"]?.isDuckExempt == true)
    try happen(.deactivate("announce", notifyingOthers: true))
    #expect(session("show").deepestDuck == nil && session("foyer").duck(in: "speaker")?.seconds == 0.8)
    try happen(.beginInterruption("phone"))
    #expect(session("show").isActive && !session("foyer").isActive)
    try happen(.endInterruption("phone"))
    #expect(session("foyer").isActive)
    // A call does not cut off an announcement, either, although other sessions of its category stop.
    try happen(.activate("announce"))
    try happen(.beginInterruption("phone"))
    #expect(session("announce").isActive && !session("foyer").isActive)
  }

  @Test(
    "The shipped preset sends music to the USB interface, the click to the headphones, and starts by itself")
  func usbAndHeadphones() throws {
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    let preset = try #require(try library.read("usb-and-headphones", with: PresetReader.withLaw).preset)
    var state = RouterState()
    state.server.isRunning = true
    for event in preset.events(for: state) { _ = try Policy.reduce(&state, event, at: 0) }
    #expect(state.outputs.keys == ["usb", "headphones", "speaker"])
    #expect(state.inputs.keys == ["usb", "mic"])
    #expect(state.outputs["usb"]?.channels == 4)
    let show = try #require(state.sessions["show"])
    #expect(show.isActive)
    #expect(show.category == .multiRoute)
    #expect(show.options == .mixWithOthers)
    #expect(StreamRoute.text(of: show.streams["band"]!.destinations, order: state.outputs.keys) == "usb:1-2")
    #expect(
      StreamRoute.text(of: show.streams["click"]!.destinations, order: state.outputs.keys) == "headphones")
    #expect(show.streams["click"]?.never == ["usb"])
    let announce = try #require(state.sessions["announce"])
    #expect(!announce.isActive)
    #expect(announce.activation == .manual && announce.isProtected)
    #expect(state.outputs["speaker"]?.type == .lineOut)
    #expect(announce.preferredOutput == "speaker")
    let foyer = try #require(state.sessions["foyer"])
    #expect(foyer.activation == .connected && foyer.resumption == .recommended)
    #expect(foyer.streams["music"]?.never == ["usb", "headphones"])
    #expect(preset.events(for: state) == [], "a setting that is in force gave an event")
  }
}
