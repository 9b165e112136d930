/// `multiroute presets`: the library.
enum PresetsCommand {
  static func perform(_ options: LibraryOptions, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(options, context)
    for (id, path) in folders.presetFiles { context.console.print("\(id)  \(path)") }
  }
}
