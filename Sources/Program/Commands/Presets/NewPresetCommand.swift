import Effects
import EffectsHost
import JSON5
import Parameters
import Presets
import SessionModel
import SessionPolicy
import SystemCalls

/// `multiroute presets new`: writes a preset from the devices and programs that are connected. It needs no router.
enum NewPresetCommand {
  /// The id of a new preset.
  /// - Throws: `CommandFailure` usage for a text that is no id, or that is a word of addresses.
  static func id(_ text: String) throws(CommandFailure) -> PresetID {
    guard let id = PresetID(text) else {
      throw .usage(of: .presets, ["'\(text)' is no id; write 1 to 32 of a-z, 0-9, - and _, such as my-show"])
    }
    guard !Table.reservedNames(below: "/preset").contains(text), text != "none" else {
      throw .usage(of: .presets, ["'\(text)' is a word of addresses; choose another id"])
    }
    return id
  }

  /// Writes the preset into the user's own folder; never in the place of an existing one.
  /// - Throws: `CommandFailure` failure if the preset exists or cannot be written.
  static func perform(
    _ id: PresetID, title: String?, _ equipment: Equipment, _ installed: InstalledEffects,
    _ folders: Folders, _ context: Context
  ) throws(CommandFailure) {
    let schema = folders.share.map { "\($0)/presets/schema/preset.json" }.flatMap {
      Files.isFile($0) ? $0 : nil
    }
    let text = NewPreset(id, title: title ?? id.name, schema: schema, equipment).text
    let source = PresetSource(id: id, file: id.name, bytes: Array(text.utf8))
    let (preset, problems) = PresetReader(policy: Policy.reduce).read(source) {
      id throws(PresetLibraryError) in throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    guard preset != nil else {
      throw CommandFailure(
        .internalError,
        ["multiroute: the preset would have mistakes, so it was not written:"] + problems.map(\.description))
    }
    do throws(SessionError) { try PresetStore(folders.library).create(id, text) } catch {
      throw CommandFailure(.failure, "multiroute: \(error.sentence)")
    }
    let path = folders.presets.first.map { "\($0)/\(id).json" } ?? id.name
    context.console.tell("multiroute: wrote \(path); read it, and then: multiroute run \(id)")
    guard let list = try? installed.list() else { return }
    for (package, names) in EffectName.missing(in: list) {
      let names = names.map(\.name).joined(separator: ", ")
      context.console.tell("multiroute: not installed: effects \(names); for these \(package.advice())")
    }
  }
}
