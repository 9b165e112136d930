import JSON5
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Scenes

/// Stores scenes after the operator has changed the category, mode, options or foreground of a session that has everything. What its
/// new category does not take rests in it.
@Suite("A scene is stored, and leaves all as it is, after any change of")
struct StoredCategoryTests {
  private static let ports = """
    { multiroute: 1, ports: {
      usb: { type: "usbAudio", outputs: ["usb:out_1", "usb:out_2"], inputs: ["usb:in_1", "usb:in_2"] },
      phones: { type: "headphones", outputs: ["phones:out_1", "phones:out_2"] },
      speaker: { type: "builtInSpeaker", outputs: ["speaker:out_1", "speaker:out_2"] },
      headset: { type: "bluetoothHFP", inputs: ["headset:in"], outputs: ["headset:out"] },
      mic: { type: "builtInMic", inputs: ["mic:in"] } },
    """

  /// A scene in which a session captures, prefers ports, and has a stream, a player and a recorder.
  private static let scene =
    ports + """
        sessions: {
          all: {
            category: "playAndRecord", options: ["mixWithOthers", "allowBluetoothHFP"], output: "phones",
            input: "headset", activate: "start", active: true, outputMute: true, io: { output: "running", input: "running" },
            streams: { main: { channels: 2, from: ["input:usb"], gain: -3, never: ["speaker"] } },
            capture: { channels: 2, to: ["tape:in_*"], sole: true, mix: { other: -3, "input:usb": -6 } },
            talkback: { to: ["phones"], dim: -10 },
          },
          other: { category: "playback", streams: { main: {} } },
        },
        players: { tune: { session: "all", file: "a.flac" } },
        recorders: { tape: { source: "stream:all.main" } },
        groups: { mine: { members: ["session:all", "stream:all.main"] } },
      }
      """

  /// The same session with another category, as the scene of the next act has it.
  private static func act(_ category: Category) -> String {
    ports + #"sessions: { all: { category: "\#(category.rawValue)" }, other: { category: "playback" } } }"#
  }

  /// A router in the scene, with all devices.
  private static func evening() throws -> Evening {
    var evening = try Evening(devices: [])
    try evening.recall(scene)
    for direction in [Direction.output, .input] {
      for port in evening.state[direction].values {
        let members = (1...port.declaredChannels).map { "\(port.id):\(direction)_\($0)" }
        try evening.operate(.portsPresent([PortPresence(direction, port.id, members: members)]))
      }
    }
    return evening
  }

  /// The configurations of a category, of which the law refuses some; of the options each alone, and none.
  private static func configurations(of category: Category) -> [SessionConfiguration] {
    let options: [SessionOptions] = [[], .mixWithOthers, .duckOthers, .allowBluetoothHFP, .defaultToSpeaker]
    return Mode.allCases.filter { $0.categories.contains(category) }.flatMap { mode in
      options.map { SessionConfiguration(category: category, mode: mode, options: $0) }
    }
  }

  @Test("configuration, foreground and activity", arguments: Category.allCases)
  func stored(_ category: Category) throws {
    var routed = try Self.evening()
    try routed.operate(
      .configure("all", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .stream("all", "main", .route(StreamRoute("usb=-3,phones=-6"))))
    var count = 0
    for configuration in Self.configurations(of: category) {
      for (isForeground, isActive) in [(true, true), (false, true), (false, false)] {
        var evening = routed
        if !isActive { try evening.operate(.deactivate("all", notifyingOthers: false)) }
        guard (try? evening.operate(.configure("all", configuration))) != nil else { continue }
        try evening.operate(.session("all", .foreground(isForeground)))
        count += 1
        try Self.store(in: &evening, "\(configuration), foreground \(isForeground), active \(isActive)")
      }
    }
    #expect(count >= 3)
  }

  /// Stores the state, and expects that a recall of the scene changes nothing, also after the first scene.
  private static func store(in evening: inout Evening, _ name: String) throws {
    let text = Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text
    let source = PresetSource(id: "stored", file: "stored.json", bytes: Array(text.utf8))
    let (preset, problems) = PresetReader(policy: Evening.law).read(source) {
      id throws(PresetLibraryError) in throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    guard preset != nil else {
      let error = try #require(problems.first { $0.severity == .error })
      Issue.record("\(name): \(error)")
      return
    }
    for isLater in [false, true] {
      do {
        if isLater { try evening.recall(scene) }
        try evening.recall(text)
      } catch {
        Issue.record("\(name), after the first scene \(isLater): \(error)")
        return
      }
      let again = Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text
      #expect(settings(text).subtracting(settings(again)) == [], "\(name), after the first scene \(isLater)")
    }
  }

  /// The lines of a preset that set something. What rested and was not stored has its default afterwards, in further lines.
  private static func settings(_ text: String) -> Set<String> {
    let lines = text.split(separator: "\n").map { $0.last == "," ? String($0.dropLast()) : String($0) }
    return Set(lines.filter { !$0.hasSuffix("{}") })
  }

  @Test("category, though the next scene has another one", arguments: Category.allCases)
  func nextScene(_ category: Category) throws {
    for next in Category.allCases {
      var evening = try Self.evening()
      try evening.operate(.configure("all", SessionConfiguration(category: category)))
      try evening.recall(Self.act(next))
      #expect(evening.state.sessions["all"]?.category == next)
      #expect(evening.state.sessions["all"]?.capture.sessions["other"]?.isOn == false, "\(next)")
    }
  }
}
