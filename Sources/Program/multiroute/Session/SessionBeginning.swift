import Commands
import KeptState
import NSM
import Presets

/// What a project of a session begins with.
struct SessionBeginning: Sendable {
  let folder: SessionFolder
  /// The settings that were saved last; nil for a new project.
  let saved: KeptDocument?
  /// What the last run left in the project's folder because it crashed.
  var left: KeptDocument?

  /// Makes the folder of a project, and reads what was saved in it.
  /// - Throws: `NSMFailure`.
  init(_ project: NSMProject, _ console: Console) throws(NSMFailure) {
    folder = SessionFolder(project: project)
    try folder.make()
    saved = try folder.read()
    for problem in saved?.problems ?? [] { console.tell("multiroute: \(problem)") }
  }

  /// The settings to bring into force; nil for a new project.
  var kept: KeptDocument? { left ?? saved }
}
