import Commands
import KeptState
import NSM
import Presets
import Router
import SessionModel
import Synchronization
import SystemCalls
import Threads

extension SessionDesk {
  /// Carries out an order, and answers it.
  func perform(_ order: NSMOrder, _ house: House) {
    do throws(NSMFailure) {
      switch order {
      case .save:
        try save(house.service)
        link.finish(.success("Saved."))
        link.tell(isDirty: false)
      case .open(let project): try change(to: project, house)
      }
    } catch {
      refuse(order, error)
    }
  }

  func refuse(_ order: NSMOrder, _ failure: NSMFailure) {
    let what = if case .open = order { "opened" } else { "saved" }
    console.tell("multiroute: the session could not be \(what): \(failure.reason)")
    link.finish(.failure(failure))
  }

  // MARK: Saving

  /// Writes the present settings into the folder of the project that is open.
  /// - Throws: `NSMFailure` general.
  private func save(_ service: RouterService) throws(NSMFailure) {
    guard let folder = state.withLock(\.folder) else { return }
    let present = settings(of: service, folder)
    do throws(SystemError) { try present.write(to: folder.settings) } catch {
      throw NSMFailure(.general, "\(folder.settings): \(error.reason)")
    }
    state.withLock { $0.saved = present.settings }
  }

  // MARK: Opening

  /// Puts another project in the place of the one that is open.
  /// - Throws: `NSMFailure`; the present project then stays open.
  private func change(to project: NSMProject, _ house: House) throws(NSMFailure) {
    var beginning = try SessionBeginning(project, console)
    let folder = beginning.folder
    let isSame = state.withLock(\.folder) == folder
    let library = folder.library(over: house.folders)
    // The state that is kept for the project that is open says nothing about what was saved.
    let file = isSame ? nil : StateFile(path: folder.kept)
    if let refusal = file?.refusal { console.tell("multiroute: crash recovery is off: \(refusal)") }
    if case .state(let left)? = file?.read() { beginning.left = left }
    guard let kept = beginning.kept ?? SavedSettings.none(in: folder) else { return }
    let preset = folder.preset(of: kept, in: library)
    link.tell(progress: 0.5)
    let next = RouterProject(clientName: project.client, preset: preset, kept: kept)
    if let refusal = house.service.wait(for: { await $0.replace(by: next, keeping: file) }) {
      throw NSMFailure(.badProject, refusal.sentence)
    }
    house.presets.change(to: library)
    house.presets.tellLibrary(house.service)
    if beginning.kept == nil, let start = house.start {
      house.service.wait { _ = await $0.recall(start, fade: 0) }
    }
    waitForServer(house.service)
    settle(beginning, house)
  }

  /// Seconds until a project counts as open although the audio server does not answer.
  private static let patience = 10.0

  /// Waits until the settings are in force, unless there is no audio server.
  private func waitForServer(_ service: RouterService) {
    let end = MonotonicTime.now + Self.patience
    while MonotonicTime.now < end, !state.withLock(\.isEnded) {
      if service.wait(within: 0.1, for: { await $0.isReady }) == true { return }
      OwnThread.sleep(seconds: 0.01)
    }
    console.tell("multiroute: the session is open, but no JACK server answers yet")
    link.tell("no JACK server answers yet; the session is heard as soon as one does", priority: 2)
  }

  /// Notes that a project's settings are in force, and answers the order to open it. A new project is saved at once.
  func settle(_ beginning: SessionBeginning, _ house: House) {
    let folder = beginning.folder
    state.withLock { ($0.folder, $0.saved) = (folder, nil) }
    if beginning.kept == nil {
      do throws(NSMFailure) { try save(house.service) } catch {
        state.withLock { $0.folder = nil }
        return refuse(.open(folder.project), NSMFailure(.createFailed, error.reason))
      }
      standForItself(folder, house)
    }
    if beginning.left == nil {
      let present = settings(of: house.service, folder).settings
      state.withLock { $0.saved = present }
    }
    let (name, path) = (folder.project.name, folder.project.path)
    console.tell("multiroute: the session '\(name)' is open in \(path)")
    link.finish(.success("Loaded."))
    publishDirt(beginning)
  }

  /// A router without a preset has its session as its preset, so that its state is kept, too.
  private func standForItself(_ folder: SessionFolder, _ house: House) {
    guard house.service.wait(for: { await $0.presetInForce }) == nil,
      let own = (try? house.presets.library.examine(folder.settings))?.preset
    else { return }
    house.service.wait { router in
      _ = await router.readToStore()
      await router.noteStored(own)
    }
  }

  private func publishDirt(_ beginning: SessionBeginning) {
    guard beginning.left != nil else { return link.tell(isDirty: false) }
    link.tell("the last run crashed; its settings were restored and are not saved yet", priority: 2)
    link.tell(isDirty: true)
  }
}

extension SavedSettings {
  /// The settings of a router to which nothing was done yet.
  fileprivate static func none(in folder: SessionFolder) -> KeptDocument? {
    SavedSettings(RouterState(), of: nil, file: folder.settings, at: 0).kept(in: folder.settings)
  }
}
