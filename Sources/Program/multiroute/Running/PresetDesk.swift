import Commands
import JSON5
import OSC
import OSCSurface
import Parameters
import Presets
import Router
import Scenes
import SessionModel
import SessionPolicy
import Synchronization
import Threads

/// Carries out clients' errands about presets, one after the other, on a thread of its own: the disk may be slow.
final class PresetDesk: Sendable {
  private let library: PresetLibrary
  private let store: PresetStore
  /// The order of the show, as the configuration gives it.
  private let order: [PresetID]
  /// The folder of the shipped presets, with a slash behind. They are examples, and no GO at the end of a show may recall one.
  private let examples: String?
  private let reloads: ReloadCommands
  private let console: Console
  private let state = Mutex(State())
  /// Counts the errands that wait, and the end.
  private let bell = Semaphore()

  private struct State {
    var waiting: [Surface.Errand] = []
    var isEnded = false
    var thread: OwnThread?
  }

  /// Greatest number of errands that wait.
  private static let mostWaiting = 64

  /// - Parameter reloads: takes the commands to read the preset in force again, which another thread carries out.
  init(
    _ folders: Folders, order: [PresetID], _ reloads: ReloadCommands, _ console: Console
  ) {
    (library, examples) = (folders.library, folders.share.map { "\($0)/presets/" })
    (self.order, self.reloads, self.console) = (order, reloads, console)
    store = PresetStore(library)
  }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many errands wait, or as `ReloadCommands` says.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    if case .reload = errand.job { return try reloads.add(errand) }
    let isAccepted = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting else { return false }
      state.waiting.append(errand)
      return true
    }
    guard isAccepted else {
      throw SessionError(
        .full, "too many commands about presets wait for the disk; send the command again later")
    }
    bell.signal()
  }

  /// Tells the router which presets there are, and begins to carry out errands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    tellLibrary(service)
    let thread = OwnThread("mr-presets") { [self] in
      while true {
        bell.wait()
        let next = state.withLock { $0.isEnded || $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        guard let next else { return }
        perform(next, service, surface)
      }
    }
    state.withLock { $0.thread = thread }
  }

  /// Ends the thread after the errand that it carries out now. Does not wait, because a disk may hang.
  func close() {
    let thread = state.withLock { state in
      state.isEnded = true
      return state.thread.take()
    }
    thread?.detach()
    bell.signal()
  }

  /// Reads the folders, and tells the router which presets they have.
  func tellLibrary(_ service: RouterService) {
    let reserved = Table.reservedNames(below: "/preset").union(["none"])
    var entries = Registry<PresetID, PresetEntry>()
    var own: [PresetID] = []
    for entry in library.list() where !reserved.contains(entry.id.name) {
      entries[entry.id] = PresetEntry(title: entry.title, isLocked: store.isLocked(entry.id))
      if examples.map({ entry.file.hasPrefix($0) }) != true { own.append(entry.id) }
    }
    let show = order.isEmpty ? own : order.filter(entries.contains)
    service.post { [entries] router in await router.note(entries, order: show) }
  }

  private func perform(_ errand: Surface.Errand, _ service: RouterService, _ surface: SurfaceService) {
    switch errand.job {
    case .reload: break
    case .abort:
      service.post { router in surface.answer([errand], await router.abortRecall()) }
    case .undo:
      service.post { router in surface.answer([errand], await router.undoRecall()) }
    case .recall(let id, let fade):
      tellLibrary(service)
      read(id, "the show goes on as it is") { preset in
        service.post { router in surface.answer([errand], await router.recall(preset, fade: fade)) }
      } orElse: { reason in
        service.post { router in
          await router.happen(.preset(.failed))
          surface.answer([errand], reason)
        }
      }
    case .preview(let id): report(on: id, errand, Self.preview, service, surface)
    case .check(let id): report(on: id, errand, Self.check, service, surface)
    case .versions(let id):
      let rows: [[OSCArgument]] = store.versions(of: id).map {
        [.string(id.name), .int32(Int32($0.number)), .string($0.time)]
      }
      service.post { _ in surface.answer(errand, rows: rows) }
    case .store, .update, .restore, .delete, .lock:
      var failure: SessionError?
      do throws(SessionError) { try write(errand.job, service) } catch { failure = error }
      tellLibrary(service)
      service.post { [failure] _ in surface.answer([errand], failure) }
    }
  }

  // MARK: Writing

  private func write(_ job: Surface.Errand.Job, _ service: RouterService) throws(SessionError) {
    switch job {
    case .store(let id, let title):
      let text = try text(of: service.wait { await $0.snapshot }, id, title: title, replacing: nil)
      try store.create(id, text)
      noteStored(id, service)
    case .update(let id, let dropsComments, let mayLoosenGuards):
      let (state, inForce) = service.wait { (await $0.snapshot, await $0.presetInForce) }
      let former = (try? library.read(id.name, with: PresetReader(policy: Policy.reduce)))?.preset
      if let former, !mayLoosenGuards { try Self.checkGuards(of: former, in: state) }
      let text = try text(of: state, id, title: nil, replacing: former)
      try store.update(id, text, dropsComments: dropsComments) {
        guard let inForce, inForce.id == id else { return true }
        let present = (try? library.read(id.name, with: PresetReader(policy: Policy.reduce)))?.preset
        return present?.hash == inForce.hash
      }
      if inForce?.id == id { noteStored(id, service) }
    case .restore(let id, let number): try store.restore(id, number)
    case .delete(let id): try store.delete(id)
    case .lock(let id, let isLocked): try store.lock(id, isLocked)
    default: break
    }
  }

  /// The settings of a state as a preset, which `check` accepts.
  private func text(
    of state: RouterState, _ id: PresetID, title: String?, replacing former: Preset?
  ) throws(SessionError) -> String {
    let text = Preset.json(of: state, title: title, scope: state.presets.scope, replacing: former).text
    let source = PresetSource(id: id, file: id.name, bytes: Array(text.utf8))
    let (preset, problems) = PresetReader(policy: Policy.reduce).read(source) {
      id throws(PresetLibraryError) in throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    guard preset != nil else {
      let problem = problems.first { $0.severity == .error }
      throw SessionError(
        .badValue, "the present settings are no valid preset: \(problem.map { "\($0)" } ?? "unknown")")
    }
    return text
  }

  private static func checkGuards(of former: Preset, in state: RouterState) throws(SessionError) {
    for (session, stream, never) in former.guards {
      let present = state.sessions[session]?.streams[stream]?.never ?? []
      guard let lost = never.first(where: { !present.contains($0) }) else { continue }
      throw SessionError(
        .denied,
        "\(former.id) keeps \(session).\(stream) away from \(lost), and the present settings do not; to loosen a guard takes admin"
      )
    }
  }

  private func noteStored(_ id: PresetID, _ service: RouterService) {
    guard let preset = (try? library.read(id.name, with: PresetReader(policy: Policy.reduce)))?.preset else {
      return
    }
    service.post { await $0.noteStored(preset) }
  }

  /// Reads a preset of the library.
  ///
  /// - Parameter effect: what a mistake in the preset means, as a clause.
  private func read(
    _ id: PresetID, _ effect: String, use: (Preset) -> Void, orElse refuse: (SessionError) -> Void
  ) {
    do throws(PresetLibraryError) { _ = try library.find(id.name) } catch {
      if case .unknown = error { return refuse(SessionError(.notFound, "\(effect): \(error)")) }
    }
    do throws(CommandFailure) { use(try library.read(id.name, telling: console)) } catch {
      for line in error.lines { console.tell(line) }
      refuse(error.reason(effect))
    }
  }

  // MARK: Reports

  /// The rows of a report about a recall at a state and a time.
  private typealias Report = (Recall, RouterState, Double) throws(RecallRefusal) -> [[OSCArgument]]

  private func report(
    on id: PresetID, _ errand: Surface.Errand, _ rows: Report, _ service: RouterService,
    _ surface: SurfaceService
  ) {
    read(id, "nothing is known about it") { preset in
      let (recall, state, time) = service.wait { await $0.plan(preset) }
      do throws(RecallRefusal) {
        let rows = try rows(recall, state, time)
        service.post { _ in surface.answer(errand, rows: rows) }
      } catch {
        let reason = SessionError(error.error.code, error.sentence)
        service.post { _ in surface.answer([errand], reason) }
      }
    } orElse: { reason in
      service.post { _ in surface.answer([errand], reason) }
    }
  }

  private static func preview(
    _ recall: Recall, of state: RouterState, at time: Double
  ) throws(RecallRefusal) -> [[OSCArgument]] {
    try recall.differences(of: state, at: time, law: Policy.reduce).map {
      [.string($0.address), .string($0.now), .string($0.then), .string($0.effect)]
    }
  }

  private static func check(
    _ recall: Recall, of state: RouterState, at time: Double
  ) throws(RecallRefusal) -> [[OSCArgument]] {
    try recall.lacks(of: state, at: time, law: Policy.reduce).map {
      [.string($0.address), .string($0.problem)]
    }
  }
}
