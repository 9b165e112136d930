import ControlInterface
import KeptState
public import Presets
import Scenes
public import SessionModel

/// The state of a run that crashed.
public struct CrashedRun: Sendable {
  let kept: KeptDocument
  /// How much of it is restored.
  let scope: RestorationScope

  public init(_ kept: KeptDocument, _ scope: RestorationScope) { (self.kept, self.scope) = (kept, scope) }
}

extension Router {
  /// Applies a preset as one change. If the law refuses one setting, no setting changes.
  ///
  /// Without an audio server the preset waits for one, so that devices have the preset's names from the start.
  /// - Parameter crashed: an earlier run that crashed. If its state belongs to another or an edited preset, it makes nothing louder.
  /// - Returns: the refusal of the law with its place in the preset; nil if the preset is in force, or waits.
  @discardableResult
  public func apply(_ preset: Preset, restoring crashed: CrashedRun? = nil) -> SessionError? {
    guard connection != nil else {
      wait(for: preset, restoring: crashed)
      return nil
    }
    let time = now
    let predecessor = presets.inForce?.predecessor
    let outcome: RecallOutcome
    do throws(RecallRefusal) {
      outcome = try Recall(preset, replacing: predecessor).outcome(of: state, at: time, law: Self.law)
    } catch {
      let reason = SessionError(error.error.code, error.sentence)
      tell(.error(client: 0, address: "", reason))
      return reason
    }
    presets.inForce = PresetInForce(preset, after: predecessor?.preset)
    var (next, told) = (outcome.state, outcome.notifications)
    told = ((try? Self.law(&next, .preset(.began(preset.id, fade: 0)), time)) ?? []) + told
    told.append(.preset(preset.id, outcome.waiting.isEmpty ? .done : .partial, fade: 0))
    adopt(next, told, at: time)
    presets.postponed = outcome.postponed
    guard let crashed else { return nil }
    // Kept settings may belong to devices that no preset names. `wire` finds these devices.
    wire()
    restore(crashed)
    return nil
  }

  /// Has a preset wait for the audio server.
  func wait(for preset: Preset, restoring crashed: CrashedRun?) {
    presets.waiting = PresetsInForce.Waiting(preset: preset, crashed: crashed)
    happen(.presetWaits(preset.id.name))
  }

  /// Restores the settings from before a crash.
  private func restore(_ crashed: CrashedRun) {
    let time = now
    let restored = crashed.kept.restored(over: state, at: time, crashed.scope, law: Self.law)
    var next = restored.state
    // Other settings than those that were kept are no longer those of the scene.
    next.presets.isModified = crashed.scope == .everything ? crashed.kept.head.isModified : true
    adopt(next, restored.notifications, at: time)
    guard !restored.leftOut.isEmpty else { return }
    let names = restored.leftOut.joined(separator: ", ")
    tell(.error(client: 0, address: "", SessionError(.notFound, "not as before the crash: \(names)")))
  }

  /// Replaces the state by a copy on which the law has accepted a series of events.
  ///
  /// - Parameter fade: seconds of a recall's fade; nil if the change is no recall.
  func adopt(
    _ next: RouterState, _ notifications: [Notification], at time: Double, fading fade: Double? = nil
  ) {
    publishing.prepareForEvent()
    let before = state
    state = next
    settle(notifications, from: before, at: time, fading: fade)
  }

  /// Writes the state to a file, if the settings name one, so that the next run can restore it after a crash.
  func keep() {
    guard let preset = presetInForce else { return }
    keeper?.keep(state, of: KeptPreset(preset), taken: owed, at: now)
  }

  /// Writes the present state, which a stop then leaves: the next run goes on as after a crash. Waits for the disk, but at most 0.2 s.
  func keepForNextRun() {
    guard let keeper, let preset = presetInForce else { return }
    settings.isKeptForNextRun = true
    keeper.keepLast(state, of: KeptPreset(preset), taken: owed, at: now)
  }

  /// Connections that the router took away for exclusive streams and must give back, at the present server or, without one, at the
  /// last server.
  var owed: TakenConnections? { connection.map(\.owed) ?? between.owed }
}
