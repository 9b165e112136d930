public import KeptState
public import Presets
public import SessionModel

/// All settings of a router, and the place where they are kept.
public struct RouterProject: Sendable {
  /// The name that the router has at the audio server.
  public let clientName: String
  /// The preset in force.
  public let preset: Preset
  /// The settings.
  public let kept: KeptDocument

  public init(clientName: String, preset: Preset, kept: KeptDocument) {
    (self.clientName, self.preset, self.kept) = (clientName, preset, kept)
  }
}

extension Router {
  /// Puts the settings of another project in the place of all present ones. The router stays the same client of the audio server, unless the
  /// project wants another name; then it fades out and joins the server again.
  ///
  /// What is neither in the project nor in its preset goes to its default, and there is nothing to undo.
  /// - Parameter file: keeps the state from now on, and what the file before has kept is removed; nil for the same file.
  /// - Returns: the setting that the law refuses, so that nothing has changed; nil if the settings are in force, or wait for the audio server.
  public func replace(by project: RouterProject, keeping file: StateFile?) async -> SessionError? {
    let isRenamed = project.clientName != settings.clientName
    if isRenamed, let connection { _ = await silence(connection) }
    // Nothing may bring the sound back while the router fades out to stop.
    guard !isStopping else { return nil }
    departure = .none
    let (before, keeper) = (presets, keeper)
    // The new settings are none of the old file's business.
    self.keeper = nil
    presets = PresetsInForce()
    // A preset that names everything: what its successor does not name goes to its default.
    let everything = Preset(of: state, id: before.inForce?.whole.id ?? "none", at: now)
    presets.inForce = PresetInForce(everything, after: nil, isLeft: true)
    if let refusal = apply(project.preset, restoring: CrashedRun(project.kept, .everything)) {
      (presets, self.keeper) = (before, keeper)
      return refusal
    }
    if before.fading != nil { happen(.preset(.ended)) }
    self.keeper = file.map { newKeeper(of: $0) } ?? keeper
    if let file {
      keeper?.forget()
      (settings.stateFile, settings.start) = (file, nil)
    }
    guard isRenamed else { return nil }
    settings.clientName = project.clientName
    leave()
    seekServer()
    return nil
  }

  private func newKeeper(of file: StateFile) -> StateKeeper {
    StateKeeper(file, start: nil) { [executor, weak self] sentence in
      guard let router = self else { return }
      _ = executor.post(limit: .max) {
        router.assumeIsolated { $0.tell(.error(client: 0, address: "", SessionError(.io, sentence))) }
      }
    }
  }
}
