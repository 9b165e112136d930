import Presets
import SessionModel

/// `multiroute presets`: the library, with titles. A preset that `check` refuses is marked.
enum PresetsCommand {
  static func perform(_ options: LibraryOptions, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(options, context)
    var table = TextTable([("PRESET", .left), ("TITLE", .left), ("FILE", .left)])
    for entry in folders.library.list() {
      let isRefused = (try? folders.library.examine(entry.file))?.preset == nil
      let title = isRefused ? "refused; see: multiroute check \(entry.id.name)" : entry.title
      table.append([.init(entry.id.name, .bold), .init(title), .init(entry.file, .dim)])
    }
    guard !table.isEmpty else {
      return context.console.tell("There is no preset in \(folders.presets.joined(separator: ", ")).")
    }
    for line in table.lines(context.console) { context.console.print(line) }
  }
}
