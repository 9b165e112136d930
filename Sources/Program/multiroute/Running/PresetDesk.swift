import Commands
import EffectsHost
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

/// Does all work with the files of presets, one job after the other, on a thread of its own: the disk may be slow.
final class PresetDesk: Sendable {
  var library: PresetLibrary { shelf.withLock { $0 } }
  var store: PresetStore { PresetStore(library) }
  private let shelf: Mutex<PresetLibrary>
  /// The order of the show, as the configuration gives it.
  private let order: [PresetID]
  /// The folder of the shipped presets, with a slash behind. They are examples, and no GO at the end of a show may recall one.
  private let examples: String?
  private let reloads: ReloadCommands
  let console: Console
  private let state = Mutex(State())
  /// Counts the errands that wait, and the end.
  private let bell = Semaphore()

  /// The broken edit that was reported last.
  let complaint = Mutex<Complaint?>(nil)

  /// A piece of work.
  private enum Job {
    case errand(Surface.Errand)
    /// Read the preset in force again for clients or a signal.
    case reload([Surface.Errand], mistake: SessionError?, apply: @Sendable () -> Void)
    /// Read it again if its file was edited.
    case followEdit
    /// Look which presets there are.
    case followLibrary
    /// Read the preset on standby, and perhaps decide on its recall.
    case prepare(Preparation)
  }

  /// The preset on standby.
  private struct Preparation {
    let preset: PresetID
    /// Called on the policy thread if a fade keeps the recall from being decided ahead, with the time of its end; nil if the preset is only to be
    /// read.
    let postpone: (@Sendable (Double) -> Void)?
  }

  private struct State {
    var waiting: [Job] = []
    /// What is to be prepared when nothing else waits.
    var ahead: Preparation?
    /// The recall that was decided ahead last.
    var last: Preparation?
    var isEnded = false
    var thread: OwnThread?
  }

  /// Greatest number of errands that wait.
  private static let mostWaiting = 64

  /// - Parameters:
  ///   - share: the folder of the shipped presets; nil if there is none.
  ///   - reloads: takes the commands to read the preset in force again, which another thread carries out.
  init(
    _ library: PresetLibrary, examples share: String?, order: [PresetID], _ reloads: ReloadCommands,
    _ console: Console
  ) {
    shelf = Mutex(library)
    examples = share.map { "\($0)/presets/" }
    (self.order, self.reloads, self.console) = (order, reloads, console)
  }

  /// Takes other folders from now on.
  func change(to library: PresetLibrary) { shelf.withLock { $0 = library } }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many errands wait, or as `ReloadCommands` says.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    if case .reload = errand.job { return try reloads.add(errand) }
    let isAccepted = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting else { return false }
      state.waiting.append(.errand(errand))
      return true
    }
    guard isAccepted else {
      throw SessionError(
        .full, "too many commands about presets wait for the disk; send the command again later")
    }
    bell.signal()
  }

  /// Has the preset in force read again. Never waits. Any thread may call.
  ///
  /// - Parameters:
  ///   - clients: the commands that ask for it.
  ///   - mistake: what is wrong with another file that was read again, so that nothing may change.
  ///   - apply: called on the policy thread if the preset is in force, to apply the other file.
  func reload(
    for clients: [Surface.Errand], _ mistake: SessionError?, apply: @escaping @Sendable () -> Void
  ) { add(.reload(clients, mistake: mistake, apply: apply)) }

  /// Has the preset in force read again if its file, or one that it extends, was edited. Never waits. Any thread may call.
  func followEdit() { add(.followEdit) }

  /// Has the folders read again, because a preset may have come or gone. Never waits. Any thread may call.
  func followLibrary() { add(.followLibrary) }

  /// Has a preset read, so that its recall need not wait for that. Never waits. Any thread may call.
  func readAhead(_ id: PresetID) { prepare(Preparation(preset: id, postpone: nil)) }

  /// Has the recall of a preset decided ahead of GO. Never waits. Any thread may call.
  ///
  /// - Parameter postpone: called on the policy thread if the recall cannot be decided before a time, in seconds of the router's time.
  func decideAhead(_ id: PresetID, postpone: @escaping @Sendable (Double) -> Void) {
    prepare(Preparation(preset: id, postpone: postpone))
  }

  private func prepare(_ preparation: Preparation) {
    state.withLock { $0.ahead = preparation }
    bell.signal()
  }

  private func add(_ job: Job) {
    state.withLock { $0.waiting.append(job) }
    bell.signal()
  }

  /// Tells the router which presets there are, and begins to carry out errands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    tellLibrary(service)
    let known = library.list().map(\.id)
    for id in order where !known.contains(id) {
      console.tell(
        "multiroute: the order of the show (scenes) names the preset \(id), which does not exist; GO passes it by; \(NearestName.hint(for: id.name, among: known.map(\.name)))"
      )
    }
    let thread = OwnThread("mr-presets") { [self] in
      while let job = nextJob() {
        switch job {
        case .errand(let errand): perform(errand, service, surface)
        case .reload(let clients, let mistake, let apply):
          reload(service, mistake) { refusal in
            if refusal == nil { apply() }
            surface.answer(clients, refusal)
          }
        case .followEdit:
          tellLibrary(service)
          followEdit(service)
          // The preset on standby may be the one that was edited.
          let standby = service.wait { await $0.snapshot.presets.standby }
          state.withLock { if $0.last?.preset == standby { $0.ahead = $0.ahead ?? $0.last } }
          bell.signal()
        case .followLibrary: tellLibrary(service)
        case .prepare(let preparation): prepare(preparation, service)
        }
      }
    }
    state.withLock { $0.thread = thread }
  }

  /// Waits for the next job; nil at the end.
  private func nextJob() -> Job? {
    while true {
      bell.wait()
      let (job, isEnded) = state.withLock { state -> (Job?, Bool) in
        if state.isEnded { return (nil, true) }
        guard state.waiting.isEmpty else { return (state.waiting.removeFirst(), false) }
        guard let ahead = state.ahead.take() else { return (nil, false) }
        if ahead.postpone != nil { state.last = ahead }
        return (.prepare(ahead), false)
      }
      if isEnded { return nil }
      // A later preset on standby takes the place of an earlier one.
      if let job { return job }
    }
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

  private func prepare(_ preparation: Preparation, _ service: RouterService) {
    guard let preset = try? library.examine(preparation.preset.name).preset,
      let postpone = preparation.postpone
    else { return }
    let (recall, state, time) = service.wait { await $0.plan(preset) }
    do throws(PreparedRecall.Obstacle) {
      let prepared = try PreparedRecall(recall, of: state, at: time, law: Policy.reduce)
      service.post { await $0.keep(prepared) }
    } catch {
      service.post { await $0.keep(nil) }
      if case .fade(let end) = error { service.post { _ in postpone(end) } }
    }
  }

  private func perform(_ errand: Surface.Errand, _ service: RouterService, _ surface: SurfaceService) {
    switch errand.job {
    case .reload, .recover, .process, .media, .metrics, .routers, .effects, .token, .code:
      break  // Others carry it out.
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
    case .check(let id): report(on: id, errand, Self.check, service, surface, more: compare)
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

  /// Reads a preset of the library.
  ///
  /// - Parameter effect: what a mistake in the preset means, as a clause.
  private func read(
    _ id: PresetID, _ effect: String, use: (Preset) -> Void, orElse refuse: (SessionError) -> Void
  ) {
    do throws(PresetLibraryError) { _ = try library.file(of: id) } catch {
      return refuse(SessionError(.notFound, "\(effect): \(error)"))
    }
    do throws(CommandFailure) { use(try library.read(id.name, telling: console)) } catch {
      for line in error.lines { console.tell(line) }
      refuse(error.reason(effect))
    }
  }

  // MARK: Reports

  /// The rows of a report about a recall at a state and a time.
  private typealias Report = (Recall, RouterState, Double) throws(RecallRefusal) -> [[OSCArgument]]

  /// - Parameter more: takes the rows to answer, and answers them with others behind them.
  private func report(
    on id: PresetID, _ errand: Surface.Errand, _ rows: Report, _ service: RouterService,
    _ surface: SurfaceService,
    more: (Preset, [[OSCArgument]], @escaping @Sendable ([[OSCArgument]]) -> Void) -> Void = { $2($1) }
  ) {
    read(id, "nothing is known about it") { preset in
      let (recall, state, time) = service.wait { await $0.plan(preset) }
      do throws(RecallRefusal) {
        more(preset, try rows(recall, state, time)) { rows in
          service.post { _ in surface.answer(errand, rows: rows) }
        }
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

  /// Adds what is wrong with the plugins of a preset, on a thread of its own: a recall must not wait until plugins are read.
  private func compare(
    _ preset: Preset, _ rows: [[OSCArgument]], _ answer: @escaping @Sendable ([[OSCArgument]]) -> Void
  ) {
    guard !preset.effectChains.isEmpty else { return answer(rows) }
    do throws(OwnThread.Failure) {
      try OwnThread.start("mr-plugins") {
        var unknown: [[OSCArgument]] = []
        var plugins = PluginComparison(InstalledEffects(program: InstalledEffects.usualProgram)) {
          unknown.append([.string("/effects"), .string($0)])
        }
        let problems = plugins.problems(of: preset).map { chain, problem in
          [OSCArgument.string(chain.address), .string("\(problem.what); \(problem.fix)")]
        }
        answer(rows + unknown + problems)
      }.detach()
    } catch {
      answer(rows + [[.string("/effects"), .string("the system has no thread left to look for plugins")]])
    }
  }
}
