import Presets
import SessionModel

/// `multiroute presets`: the library with titles, or one preset as text or as a script for WirePlumber. A preset that `check` refuses is marked.
enum PresetsCommand {
  struct Options {
    var library: LibraryOptions
    /// The preset to print; nil prints the list.
    var shown: String?
    var isForWirePlumber: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      library = LibraryOptions(arguments)
      isForWirePlumber = arguments.has(.wirePlumber)
      let words = arguments.positionals
      guard words.isEmpty || words.count == 2 && words[0] == "show" else {
        throw .usage(
          of: .presets,
          ["\(words.joined(separator: " ")) is not understood; write: multiroute presets show PRESET"])
      }
      shown = words.last
      if isForWirePlumber, shown == nil {
        throw .usage(of: .presets, ["--wireplumber belongs to show PRESET"])
      }
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(options.library, context)
    guard let shown = options.shown else { return list(folders, context) }
    guard options.isForWirePlumber else { return try context.console.write(folders.library.text(of: shown)) }
    let preset = try folders.library.read(shown, telling: context.console)
    context.console.write(WirePlumberScript(preset).text)
  }

  private static func list(_ folders: Folders, _ context: Context) {
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
