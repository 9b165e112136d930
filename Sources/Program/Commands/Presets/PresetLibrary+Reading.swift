public import JSON5
public import Presets
import SessionPolicy

extension PresetLibrary {
  /// Reads the preset that the user named: by path if the name contains `/` or ends in `.json`, otherwise by id.
  ///
  /// Prints warnings. Any thread may call; the call may wait for the disk.
  /// - Throws: `CommandFailure` badPreset with every problem, unreadableFile if the file cannot be read.
  public func read(_ name: String, telling console: Console) throws(CommandFailure) -> Preset {
    let (preset, problems) = try examine(name)
    guard let preset else { throw CommandFailure(.badPreset, problems.map(\.description)) }
    for problem in problems { console.tell("\(problem)") }
    return preset
  }

  /// The text of a preset's file.
  /// - Throws: `CommandFailure` unreadableFile.
  func text(of name: String) throws(CommandFailure) -> String {
    do throws(PresetLibraryError) {
      return String(decoding: try find(name).bytes, as: UTF8.self)
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(error)")
    }
  }

  /// Reads a preset, tries it against the rules of sessions, and returns its problems.
  ///
  /// - Returns: no preset if a problem is an error.
  /// - Throws: `CommandFailure` unreadableFile if the file cannot be read.
  public func examine(_ name: String) throws(CommandFailure) -> (preset: Preset?, problems: [Problem]) {
    do throws(PresetLibraryError) {
      return try read(name, with: PresetReader(policy: Policy.reduce))
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(error)")
    }
  }
}
