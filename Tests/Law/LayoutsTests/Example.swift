import JSON5
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Layouts

/// Layouts of presets that are written here.
enum Example {
  /// Two rooms: a session with sends, one with one output, one that ducks others; a player, a recorder, and colours.
  static let sessions = """
    show: { category: "multiRoute", activate: "start", color: "#12ab34", streams: {
      band: { from: ["Band:*"], to: { "pa:1-2": 0, foyer: -6 } },
      click: { channels: 1, from: ["Click:*"], color: "#ff8800", to: { foyer: { gain: 0, on: false } }, never: ["pa"] } } },
    music: { category: "playback", output: "foyer", streams: { main: { from: ["mpv:*"] }, fx: {} } },
    announce: { category: "multiRoute", options: ["duckOthers"], activate: "manual", name: "Announcement",
      streams: { voice: { channels: 1, from: ["Voice:*"], to: { foyer: 0 } } } }
    """

  /// - Parameters:
  ///   - pa: further keys of the output `pa`.
  ///   - root: further keys of the preset.
  static func layout(
    _ sessions: String = sessions, pa: String = "", root: String = "", title: String = "Two rooms",
    scenes: [PresetID] = ["rooms", "act-2"],
    bank: Int = 8
  ) throws -> Layout {
    let text = """
      { multiroute: 1, title: \(JSONValue.string(title).text), ports: {
        pa: { type: "usbAudio", outputs: ["USB:out_1", "USB:out_2"], \(pa) },
        foyer: { type: "lineOut", outputs: ["Foyer:*"], channels: 1 },
        spare: { type: "lineOut", outputs: ["Spare:*"], channels: 2 } },
        sessions: { \(sessions) },
        players: { walkin: { session: "music", stream: "main", file: "walk-in.flac" } },
        recorders: { tape: { source: "output:pa" } }, \(root) }
      """
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let source = PresetSource(id: "rooms", file: "rooms.json", bytes: Array(text.utf8))
    let (preset, problems) = reader.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    let whole: Preset = try #require(preset, "\(problems)")
    return Layout(of: whole, scenes: scenes, bank: bank, law: Policy.reduce)
  }

  /// The layout that fits every show.
  static func anyShow(bank: Int = 8) -> Layout {
    Layout(of: nil, scenes: [], bank: bank, law: Policy.reduce)
  }
}

extension Layout.Page {
  /// The addresses of its widgets, in their order.
  var addresses: [String] { widgets.compactMap(\.address) }
}

extension Widget {
  /// The address that it sends to or shows; nil for a caption.
  var address: String? {
    switch role {
    case .fader(let leaf): leaf.fader
    case .toggle(let leaf, _), .hold(let leaf, _), .trigger(let leaf, _), .lamp(let leaf, _): leaf.address
    case .meter(let address), .text(let address): address
    case .caption: nil
    }
  }
}
