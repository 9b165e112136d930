import Commands
import FolderWatch
import Presets
import SystemCalls

/// Carries out `--watch`: when the file of the preset in force, or of a preset that it extends, is edited, the preset is read again.
enum PresetWatch {
  /// Starts the watch. Prints a message if the system has no room for it.
  ///
  /// - Parameter preset: the preset of the start, which may be outside of the library.
  static func start(_ preset: Preset?, _ desk: PresetDesk, _ console: Console) -> FolderWatch? {
    let own = preset.map { [WholeFile.folder(of: $0.file)] } ?? []
    do throws(SystemError) {
      let watch = try FolderWatch(suffix: suffix) {
        let folders = desk.library.folders + own
        return folders + targets(in: folders)
      } changed: {
        desk.followEdit()
      }
      // An edit since the start was not seen.
      desk.followEdit()
      return watch
    } catch {
      console.tell("multiroute: edits are not followed: \(error.reason)")
      return nil
    }
  }

  private static let suffix = ".json"

  /// The folders of the files to which links in some folders lead: an editor writes there.
  private static func targets(in folders: [String]) -> [String] {
    folders.flatMap { folder in
      let names = ((try? System.readdir(folder)) ?? []).filter { $0.hasSuffix(suffix) }
      return names.compactMap { name in
        (try? System.readlink("\(folder)/\(name)")).map { target in
          WholeFile.folder(of: target.hasPrefix("/") ? target : "\(folder)/\(target)")
        }
      }
    }
  }
}
