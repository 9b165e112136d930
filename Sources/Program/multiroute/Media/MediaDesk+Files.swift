import MediaFolders
import MusicLibrary
import Queues
import SoundFiles

extension MediaDesk {
  /// The items that a word means, without the files that cannot be played. Blocks on the disk.
  func items(for word: String) -> QueueAddition {
    // Without a media folder there is nothing to find, and no library is made.
    guard hasFolder else {
      let places = folders.paths.joined(separator: ", ")
      return QueueAddition(
        problems: [
          "there is no \(word): no media folder is there (\(places)); make one, or say where with --media"
        ])
    }
    let found = library.items(for: word)
    var addition = QueueAddition(problems: found.problems)
    for item in found.items {
      if let problem = problem(of: item) {
        addition.problems.append(problem)
      } else {
        addition.items.append(item)
      }
    }
    return addition
  }

  /// Why a file that the library does not know cannot be played; nil if it can.
  private func problem(of item: QueueItem) -> String? {
    guard item.media.isEmpty else { return nil }
    do throws(MediaNameError) {
      let file = try folders.find(item.name)
      do throws(MediaError) {
        _ = try SoundFileReader(path: file.path)
        return nil
      } catch { return "\(error)" }
    } catch { return "\(error)" }
  }
}
