import Presets

/// `multiroute check`: every problem of presets.
enum CheckCommand {
  /// - Throws: `CommandFailure` badPreset when one of them has an error, else unreadableFile when one is not there.
  static func perform(
    _ presets: [String], _ options: LibraryOptions, _ context: Context
  ) throws(CommandFailure) {
    let library = try Folders(options, context).library
    var exitCode = ExitCode.success
    // Two presets may extend the same one; what is wrong with that is said once.
    var said: Set<Problem> = []
    for name in presets {
      do throws(CommandFailure) {
        let (preset, problems) = try library.examine(name)
        for problem in problems where said.insert(problem).inserted { context.console.tell("\(problem)") }
        if preset == nil { exitCode = .badPreset }
      } catch {
        for line in error.lines { context.console.tell(line) }
        if exitCode == .success { exitCode = error.exitCode }
      }
    }
    // Everything is said already.
    if exitCode != .success { throw CommandFailure(exitCode) }
  }
}
