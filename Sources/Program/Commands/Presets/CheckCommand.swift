import Effects
import EffectsHost
import JSON5
import Presets
import SessionModel

/// `multiroute check`: reports every problem in presets.
enum CheckCommand {
  /// - Parameters:
  ///   - graph: the ports and connections with which presets are compared; nil compares none.
  ///   - installed: tells the plugins with which effects are compared. It is asked only for a preset with effects.
  /// - Throws: `CommandFailure` badPreset if a preset has an error, otherwise unreadableFile if a preset cannot be read.
  static func perform(
    _ presets: [String], _ options: LibraryOptions, at graph: JackGraph?, _ installed: InstalledEffects,
    _ context: Context
  ) throws(CommandFailure) {
    let library = try Folders(options, context).library
    var exitCode = ExitCode.success
    // Two presets may extend the same one, whose problems are printed once.
    var said: Set<Problem> = []
    var plugins = PluginComparison(installed) { context.console.tell("multiroute: \($0)") }
    for name in presets {
      do throws(CommandFailure) {
        let (preset, problems) = try library.examine(name)
        let widths = preset.map { Array($0.unknownWidths.values) } ?? []
        for problem in problems + widths where said.insert(problem).inserted {
          context.console.tell("\(problem)")
        }
        if preset == nil { exitCode = .badPreset }
        let missing = graph.flatMap { preset?.problems(at: $0) } ?? []
        for problem in missing + plugins.problems(of: preset).map(\.problem)
        where said.insert(problem).inserted {
          context.console.tell("\(problem)")
        }
      } catch {
        for line in error.lines { context.console.tell(line) }
        if exitCode == .success { exitCode = error.exitCode }
      }
    }
    // All problems are printed already.
    if exitCode != .success { throw CommandFailure(exitCode) }
  }
}
