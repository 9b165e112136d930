import JSON5
import OSCSurface
import Presets
import Router
import SessionModel
import SessionPolicy

extension PresetDesk {
  /// Carries out an errand that writes presets.
  /// - Throws: `SessionError` as `PresetStore` says, badValue for settings that no preset can have, denied for a guard that gets lost.
  func write(_ job: Surface.Errand.Job, _ service: RouterService) throws(SessionError) {
    switch job {
    case .store(let id, let title):
      let text = try text(of: service.wait { await $0.readToStore() }, id, title: title, replacing: nil)
      try store.create(id, text)
      noteStored(id, service)
    case .update(let id, let dropsComments, let mayLoosenGuards):
      let (state, inForce) = service.wait { (await $0.readToStore(), await $0.presetInForce) }
      let former = present(id)
      if let former, !mayLoosenGuards { try Self.checkGuards(of: former, in: state) }
      let text = try text(of: state, id, title: nil, replacing: former)
      // An editor or another router may write the file meanwhile, too.
      let known = inForce.flatMap { $0.id == id ? $0.hash : nil } ?? former?.hash
      try store.update(id, text, dropsComments: dropsComments) { present(id)?.hash == known }
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

  /// A preset as its file is now; nil if it is missing or broken.
  private func present(_ id: PresetID) -> Preset? {
    (try? library.read(id.name, with: PresetReader(policy: Policy.reduce)))?.preset
  }

  private func noteStored(_ id: PresetID, _ service: RouterService) {
    guard let preset = present(id) else { return }
    service.post { await $0.noteStored(preset) }
  }
}
