import JSON5
import Presets
import SessionModel
import SessionPolicy

/// Presets as text, and states of routers on which tests try them.
enum Show {
  /// A preset of one multiRoute session with a band and a click, with room for more in its session.
  static func text(band: String = #""to": { "usb": 0 }"#, session: String = "", root: String = "") -> String {
    """
    {
      multiroute: 1,
      ports: {
        usb: { type: "usbAudio", outputs: ["USB:playback_1", "USB:playback_2"], inputs: ["USB:capture_1"] },
        headphones: { type: "headphones", outputs: ["Headphones:playback_*"], channels: 2 },
      },
      sessions: {
        show: {
          category: "multiRoute",
          streams: { band: { \(band) }, click: { channels: 1, to: { headphones: -6 }, never: ["usb"] } },
          \(session)
        },
      },
      \(root)
    }
    """
  }

  /// Reads a preset called `show` that may extend others.
  static func read(
    _ text: String, others: [String: String] = [:]
  ) -> (preset: Preset?, problems: [String]) {
    let source = PresetSource(id: "show", file: "show.json", bytes: Array(text.utf8))
    let (preset, problems) = PresetReader.withLaw.read(source) { id throws(PresetLibraryError) in
      guard let text = others[id.name] else {
        throw .unknown(id: id.name, folders: ["here"], nearest: nil)
      }
      return PresetSource(id: id, file: "\(id).json", bytes: Array(text.utf8))
    }
    return (preset, problems.map(\.description))
  }

  /// A router with a running server but without ports and sessions.
  static var emptyState: RouterState {
    var state = RouterState()
    state.server.isRunning = true
    return state
  }

  /// The state after some events.
  static func state(_ state: RouterState, after events: [Event]) throws -> RouterState {
    var state = state
    for event in events { _ = try Policy.reduce(&state, event, at: 0) }
    return state
  }
}
