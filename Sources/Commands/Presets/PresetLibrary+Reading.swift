public import Presets
import SessionPolicy

extension PresetLibrary {
  /// Reads the preset that a person named: a path if it contains `/` or ends in `.json`, else an id.
  ///
  /// Warnings are told; for any thread, and it may block on the disk.
  /// - Throws: `CommandFailure` badPreset with every problem, unreadableFile when it is not there.
  public func read(_ name: String, telling console: Console) throws(CommandFailure) -> Preset {
    let (preset, problems) = try examine(name)
    guard let preset else { throw CommandFailure(.badPreset, problems.map(\.description)) }
    for problem in problems { console.tell("\(problem)") }
    return preset
  }

  /// Reads a preset under the law of this program, and says what is wrong with it.
  /// - Throws: `CommandFailure` unreadableFile when it is not there.
  func examine(_ name: String) throws(CommandFailure) -> (preset: Preset?, problems: [Problem]) {
    do throws(PresetLibraryError) {
      return try read(name, with: PresetReader(policy: Policy.reduce))
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(error)")
    }
  }
}
