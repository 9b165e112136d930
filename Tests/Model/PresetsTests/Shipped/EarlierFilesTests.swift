import Checkout
import Foundation
import JSON5
import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("What earlier versions wrote is read")
struct EarlierFilesTests {
  private static let folder = "Tests/Earlier"

  /// The folders of versions that have a file of this name.
  private static func versions(with name: String) -> [String] {
    let files = FileManager.default
    let all = (try? files.contentsOfDirectory(atPath: Checkout.file(folder))) ?? []
    return all.filter { files.fileExists(atPath: Checkout.file("\(folder)/\($0)/\(name)")) }.sorted()
  }

  @Test(
    "Every preset of an earlier version is valid, without a warning", arguments: versions(with: "presets"))
  func presets(_ version: String) throws {
    let folder = "\(Self.folder)/\(version)/presets"
    let names = Checkout.names(in: folder, ending: ".json")
    #expect(!names.isEmpty)
    for name in names {
      let library = PresetLibrary(folders: [Checkout.file(folder)])
      let (preset, problems) = try library.read(String(name.dropLast(5)), with: PresetReader.withLaw)
      #expect(problems.map(\.description) == [], "\(version)")
      #expect(preset?.sessions.isEmpty == false, "\(version) \(name)")
    }
  }

  @Test("The state that an earlier version kept is restored whole", arguments: versions(with: "state.json"))
  func states(_ version: String) throws {
    let path = "\(Self.folder)/\(version)/state.json"
    let bytes = try Checkout.bytes(path)
    #expect(KeptDocument.newerVersion(bytes, file: path) == nil)
    let kept = try #require(KeptDocument(bytes, file: path))
    #expect(kept.problems.map(\.description) == [])
    let restored = kept.restored(over: RouterState(), at: 0, .everything) {
      state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    // No device is there, so that no session may become active.
    #expect(restored.leftOut.filter { !$0.hasPrefix("kept.active: ") } == [])
    #expect(restored.state != RouterState())
  }

  @Test("The folder has a state, presets and a configuration of more than one time")
  func grows() {
    for name in ["presets", "state.json", "config.json"] {
      #expect(Self.versions(with: name).count >= 2, "\(name)")
    }
  }
}
