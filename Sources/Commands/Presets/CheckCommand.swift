/// `multiroute check`: every problem of presets.
enum CheckCommand {
  static func perform(
    _ presets: [String], _ options: LibraryOptions, _ context: Context
  ) throws(CommandFailure) {
    let folders = try Folders(options, context)
    for preset in presets { _ = try Files.read(try folders.presetPath(preset)) }
  }
}
