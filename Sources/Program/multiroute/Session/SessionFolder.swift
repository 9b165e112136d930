import Commands
import KeptState
import NSM
import Presets
import SystemCalls

/// The folder of the router's project in a session of a session manager.
struct SessionFolder: Equatable, Sendable {
  let project: NSMProject

  /// The name that the router must have at the audio server.
  var clientName: String { project.client }
  /// The settings that were saved last.
  var settings: String { "\(project.path)/session.json" }
  /// The state that is kept against a crash.
  var kept: String { "\(project.path)/kept.json" }
  /// The presets of the session.
  var presets: String { "\(project.path)/presets" }

  /// Makes the folder, and the one of its presets.
  /// - Throws: `NSMFailure` createFailed.
  func make() throws(NSMFailure) {
    do throws(SystemError) { try System.makeFolders(presets, permissions: 0o700) } catch {
      throw NSMFailure(.createFailed, "\(error.subject ?? presets): \(error.reason)")
    }
  }

  /// Reads the settings that were saved last; nil if nothing was saved yet.
  /// - Throws: `NSMFailure` badProject.
  func read() throws(NSMFailure) -> KeptDocument? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.document(settings, limit: KeptDocument.sizeLimit)
    } catch {
      if error.number == .noSuchFile { return nil }
      throw NSMFailure(.badProject, "\(settings): \(error.reason)")
    }
    guard let saved = KeptDocument(bytes, file: settings) else {
      throw NSMFailure(.badProject, "\(settings) is damaged, or was written by an older version")
    }
    return saved
  }

  /// Presets of the session come before those of the user.
  func library(over folders: [String]) -> PresetLibrary {
    PresetLibrary(folders: [presets] + folders, isRemembering: true)
  }

  /// The preset that was in force when settings were saved, if it has not been edited since; otherwise the settings themselves as a preset.
  func preset(of saved: KeptDocument, in library: PresetLibrary) -> Preset {
    // The session's own copy first: the folder may have moved since.
    for name in [saved.head.preset, saved.head.path] where !name.isEmpty {
      guard let preset = (try? library.examine(name))?.preset, !preset.isKept else { continue }
      if !KeptPreset(preset).isEdited(since: saved.head) { return preset }
    }
    return Preset(saved)
  }
}
