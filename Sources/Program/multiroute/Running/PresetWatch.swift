import Commands
import FolderWatch
import Presets
import SystemCalls

/// Watches the files of presets: a new one is offered, and one that is gone no more. With `--watch` the preset in force is read again when its
/// file, or that of a preset that it extends, is edited.
enum PresetWatch {
  /// Starts the watch. Prints a message if the system has no room for it.
  ///
  /// - Parameters:
  ///   - preset: the preset of the start, which may be outside of the library.
  ///   - followsEdits: whether edits are read.
  static func start(
    _ preset: Preset?, followsEdits: Bool, _ desk: PresetDesk, _ console: Console
  ) -> FolderWatch? {
    let own = preset.map { [WholeFile.folder(of: $0.file)] } ?? []
    let follow: @Sendable () -> Void = { followsEdits ? desk.followEdit() : desk.followLibrary() }
    do throws(SystemError) {
      let watch = try FolderWatch(suffix: suffix) {
        let folders = desk.library.folders + own
        return folders + targets(in: folders)
      } changed: {
        follow()
      }
      // A change since the start was not seen.
      follow()
      return watch
    } catch {
      console.tell("multiroute: changes of presets are not noticed: \(error.reason)")
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
