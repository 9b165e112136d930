import Commands
import KeptState
import Presets
import Router
import SessionModel

/// What the router begins with: the preset of the command line, or what the last run left when it crashed.
struct Beginning {
  /// The preset that comes into force; nil for a router without sessions.
  let preset: Preset?
  let crashed: CrashedRun?

  private init(_ preset: Preset?, _ crashed: CrashedRun? = nil) {
    (self.preset, self.crashed) = (preset, crashed)
  }

  /// Decides, and says what is restored.
  ///
  /// - Parameters:
  ///   - named: the preset of the command line. A kept state is resumed.
  ///   - left: what the last run left; nil if it ended cleanly, or is not to be restored.
  ///   - library: reads the scene that was in force.
  init(_ named: Preset?, _ left: KeptDocument?, _ library: PresetLibrary, _ console: Console) {
    if let left, Self.continues(named, left.head) {
      self = Self.resuming(left, named, library, console)
    } else if let named, let own = KeptDocument(named) {
      self = Self.resuming(own, named, library, console)
    } else if let named, let left {
      self.init(named, CrashedRun(left, .levels))
      let owner = left.head.start ?? left.head.path
      Self.tell(
        "its settings belong to \(owner), so only levels that are lower than those of this preset were restored",
        console)
    } else {
      self.init(named)
    }
  }

  /// Begins with the project of a session: what was saved, or what the last run left when it crashed.
  ///
  /// - Parameter named: the preset of the command line, with which a new project begins.
  init(_ session: SessionBeginning, _ named: Preset?, _ library: PresetLibrary, _ console: Console) {
    guard let kept = session.kept else {
      self.init(named)
      return
    }
    if session.left != nil { Self.tell("its settings were restored, and are not saved yet", console) }
    self.init(session.folder.preset(of: kept, in: library), CrashedRun(kept, .everything))
  }

  /// Whether the run continues the one that crashed: it begins with the same preset, or with the scene that was in force.
  private static func continues(_ named: Preset?, _ head: KeptHead) -> Bool {
    guard let named = named.map({ KeptPreset($0) }) else { return head.start == nil }
    return named.path == head.start || named.isOwner(of: head)
  }

  /// Begins with the scene that was in force, as it was left.
  private static func resuming(
    _ kept: KeptDocument, _ named: Preset?, _ library: PresetLibrary, _ console: Console
  ) -> Beginning {
    let isNamed = named.map { KeptPreset($0).isOwner(of: kept.head) } ?? false
    guard let scene = isNamed ? named : scene(of: kept.head, library, console) else {
      tell("its settings were restored, and stand for the preset \(kept.head.preset)", console)
      return Beginning(Preset(kept), CrashedRun(kept, .everything))
    }
    let isEdited = KeptPreset(scene).isEdited(since: kept.head)
    tell(
      isEdited
        ? "its settings were restored as far as the preset, which was edited since, still has them, and none louder than the preset says"
        : "its settings were restored", console)
    return Beginning(scene, CrashedRun(kept, isEdited ? .quieter : .everything))
  }

  private static func scene(of head: KeptHead, _ library: PresetLibrary, _ console: Console) -> Preset? {
    do throws(CommandFailure) { return try library.read(head.path, telling: console) } catch {
      for line in error.lines { console.tell(line) }
      return nil
    }
  }

  private static func tell(_ effect: String, _ console: Console) {
    console.tell(
      "multiroute: the last run crashed or was restarted; \(effect) (--fresh starts from the preset)")
  }
}
