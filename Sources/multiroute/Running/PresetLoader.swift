import Commands
import Presets
import SessionModel
import SessionPolicy

/// Reads presets for the commands that use them, and says what is wrong.
struct PresetLoader {
  private let library: PresetLibrary
  private let reader = PresetReader { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  init(folders: [String]) { library = PresetLibrary(folders: folders) }

  /// Reads a preset by id or path.
  /// - Throws: `CommandFailure` badPreset with every problem, or unreadableFile.
  func load(_ name: String, _ context: Context) throws(CommandFailure) -> Preset {
    let result: (preset: Preset?, problems: [Problem])
    do throws(PresetLibraryError) {
      result = try library.read(name, with: reader)
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(error)")
    }
    guard let preset = result.preset else {
      throw CommandFailure(.badPreset, result.problems.map(\.description))
    }
    for warning in result.problems { context.console.tell(warning.description) }
    return preset
  }
}
