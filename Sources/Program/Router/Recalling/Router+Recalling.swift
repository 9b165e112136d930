import ControlInterface
import MixEngine
import Parameters
public import Presets
public import Scenes
public import SessionModel

extension Router {
  /// Notes which presets the library has.
  ///
  /// - Parameter order: the order of the show; empty for the order of the library.
  public func note(_ library: Registry<PresetID, PresetEntry>, order: [PresetID]) {
    let presets = state.presets
    guard library != presets.library || order != presets.order else { return }
    happen(.preset(.library(library, order: order)))
  }

  /// Recalls a preset as one change.
  ///
  /// Settings that are in force already stay untouched. If the preset changes no setting, clients get no message. The first preset of a run
  /// waits for an audio server, so that devices have its names from the start.
  /// - Parameter fade: seconds; nil for the fade of the preset or of the router.
  /// - Returns: the setting that the law refuses, so that nothing has changed; nil if the preset is in force, or waits.
  @discardableResult
  public func recall(_ preset: Preset, fade: Double? = nil) -> SessionError? {
    guard connection != nil || presets.inForce != nil && presets.waiting == nil else {
      apply(preset)
      return nil
    }
    let recall = planned(preset, fade: fade)
    let origin = RecallOrigin(state: state, inForce: presets.inForce, unfinished: presets.unfinished)
    let result = begin(recall, { .began(preset.id, fade: $0) }) {
      $0.presets.current == preset.id && !$0.presets.isModified
    }
    guard result.error == nil, result.isChange else { return result.error }
    presets.origin = origin
    presets.inForce = PresetInForce(preset, after: recall.predecessor?.preset, isBounded: recall.isBounded)
    return nil
  }

  /// Brings into force what differs between the preset in force as it was read and as it is now, with the fade of `/preset/fade`. One that
  /// waits for an audio server goes on waiting, as it is now.
  ///
  /// - Parameter preset: the same preset, read again; another one is ignored.
  /// - Returns: the setting that the law refuses, so that nothing has changed; nil if the preset is in force, or waits.
  @discardableResult
  public func reload(_ preset: Preset) -> SessionError? {
    if let waiting = presets.waiting {
      if waiting.preset.id == preset.id { wait(for: preset, restoring: waiting.crashed) }
      return nil
    }
    guard let inForce = presets.inForce, inForce.whole.id == preset.id else { return nil }
    connection?.exclusives.retry()
    let edited = PresetInForce(preset, after: inForce.base, isBounded: inForce.isBounded)
    let predecessor = Predecessor(inForce.whole, isEarlierVersion: true)
    let recall = planned(edited.whole, replacing: predecessor, fade: state.presets.fade)
    let error = begin(recall, { .reloaded(preset.id, fade: $0) }) { _ in true }.error
    if error == nil { presets.inForce = edited }
    return error
  }

  /// A recall as `recall` carries it out now, with the state that it starts from, for a preview or a decision ahead on another thread.
  public func plan(_ preset: Preset) -> (recall: Recall, state: RouterState, time: Double) {
    (planned(preset, fade: nil), state, now)
  }

  /// Takes a recall that was decided ahead on another thread, from what `plan` told; nil if none could be.
  public func keep(_ prepared: PreparedRecall?) { presets.prepared = prepared }

  private func planned(_ preset: Preset, fade: Double?) -> Recall {
    planned(preset, replacing: predecessor, fade: fade)
  }

  /// The preset in force, as the one that a recall replaces.
  private var predecessor: Predecessor? { presets.inForce?.predecessor }

  private func planned(_ preset: Preset, replacing predecessor: Predecessor?, fade: Double?) -> Recall {
    var recall = Recall(preset, replacing: predecessor)
    recall.fade = fade ?? preset.fade ?? state.presets.fade
    recall.scope = state.presets.scope.intersection(preset.scope)
    recall.isSafe = SafePatterns.matcher(of: state.presets.safes + preset.safes)
    recall.touched = publishing.touchedAddresses
    recall.pending = presets.fading?.endings ?? []
    // An edit moves only what differs in the files, and a preset that only adds only what it names; the rest of the fade goes on.
    if predecessor?.isEarlierVersion != true, !preset.onlyAdds { recall.unfinished = unfinished }
    return recall
  }

  /// The levels that earlier recalls have not brought to their ends.
  private var unfinished: [MarkedLevel] {
    // A property would be copied for each of thousands of levels.
    let (state, time) = (state, now)
    return (presets.fading?.moving ?? []).filter { $0.isMoving(in: state, at: time) }
      + presets.unfinished.filter { $0.isUntouched(in: state) }
  }

  /// The preset in force; nil if there is none.
  public var presetInForce: Preset? { presets.inForce?.whole }

  /// The preset that a reload reads again: the one in force, or the one that waits for the audio server.
  public var reloadable: Preset? { presets.waiting?.preset ?? presetInForce }

  /// The state whose settings are stored as a preset. `noteStored` follows.
  public func readToStore() -> RouterState {
    happen(.preset(.read))
    return state
  }

  /// Notes that the settings that `readToStore` told were written as a preset, which is now the one in force. What has changed meanwhile
  /// stays, also a fade, whose end the file has. An undo returns to where it did.
  public func noteStored(_ preset: Preset) {
    presets.inForce = PresetInForce(
      preset, after: predecessor?.preset, isBounded: preset.scope.count < Scope.allCases.count)
    if presets.fading?.isAborted ?? true { presets.unfinished = [] }
    happen(.preset(.stored(preset.id)))
  }

  /// Brings back the settings from before the last recall.
  ///
  /// - Returns: the reason if that is impossible.
  public func undoRecall() -> SessionError? {
    guard let origin = presets.origin else {
      return SessionError(.notFound, "there is nothing to undo: no preset was recalled since the last undo")
    }
    guard connection != nil else {
      return SessionError(.mediaServicesFailed, "there is no audio server; undo again when it is back")
    }
    let was = origin.state.presets
    let before = Preset(of: origin.state, id: was.current ?? "none", at: now)
    var recall = Recall(before, replacing: predecessor)
    recall.origin = origin.state
    recall.fade = state.presets.fade
    recall.isSafe = SafePatterns.matcher(of: state.presets.safes)
    recall.touched = publishing.touchedAddresses
    recall.pending = presets.fading?.endings ?? []
    recall.unfinished = unfinished
    let error = begin(
      recall, { .returned(was.current, standby: was.standby, isModified: was.isModified, fade: $0) },
      isInForce: { _ in false }
    ).error
    if let error { return error }
    (presets.origin, presets.inForce) = (nil, origin.inForce)
    let returned = state
    presets.unfinished += origin.unfinished.map { $0.marked(in: returned) }
    return nil
  }

  /// Stops the fade: levels stay where they are. Streams that come or go still do so.
  ///
  /// - Returns: the reason if no fade runs.
  public func abortRecall() -> SessionError? {
    guard var fading = presets.fading, !fading.isAborted else {
      return SessionError(.notFound, "no fade of a recall runs, so there is nothing to stop")
    }
    let time = now
    var (next, told) = (state, [Notification]())
    var halted: [MarkedLevel] = []
    for level in fading.moving {
      guard let event = level.halt(in: next, at: time) else { continue }
      told += (try? Self.law(&next, event, time)) ?? []
      halted.append(level)
    }
    presets.unfinished += halted.map { $0.marked(in: next) }
    told += (try? Self.law(&next, .preset(.ended), time)) ?? []
    if let preset = fading.preset { told.append(.preset(preset, .aborted, fade: fading.fade)) }
    fading.isAborted = true
    presets.fading = fading
    adopt(next, told, at: time)
    return nil
  }

  /// Decides on a recall and puts it into force. What it leaves alone of an earlier fade goes on as a part of its own.
  ///
  /// - Parameters:
  ///   - event: of a recall with a fade in seconds.
  ///   - isInForce: whether the recall is in force already, if it changes no setting.
  private func begin(
    _ recall: Recall, _ event: (Double) -> PresetEvent, isInForce: (RouterState) -> Bool
  ) -> (error: SessionError?, isChange: Bool) {
    let time = now
    let unfinished = unfinished
    let outcome: RecallOutcome
    let prepared = presets.prepared?.outcome(of: recall, on: state, at: time)
    do throws(RecallRefusal) {
      if let prepared {
        outcome = prepared
      } else {
        outcome = try recall.outcome(of: state, at: time, law: Self.law)
      }
    } catch {
      let reason = SessionError(error.error.code, error.sentence)
      happen(.preset(.failed))
      tell(.error(client: 0, address: "", reason))
      return (reason, false)
    }
    if outcome.state == state, isInForce(state) { return (nil, false) }
    presets.prepared = nil
    var (next, told) = (outcome.state, outcome.notifications)
    let left = unfinished.filter { $0.isUntouched(in: next) }
    let goingOn = left.filter { $0.isMoving(in: next, at: time) }
    let fade = max(recall.fade, goingOn.compactMap { $0.end(in: next) }.max().map { $0 - time } ?? 0)
    if goingOn.isEmpty, let fading = presets.fading, let earlier = fading.preset, !fading.isAborted {
      told.append(.preset(earlier, .aborted, fade: fading.fade))
    }
    told = ((try? Self.law(&next, .preset(event(fade)), time)) ?? []) + told
    presets.fading = FadingRecall(
      preset: next.presets.current, fade: fade, end: fade > 0 ? time + fade + endMargin : time,
      sound: soundEnd(after: fade), isPartial: !outcome.waiting.isEmpty, moving: outcome.moving + goingOn,
      endings: outcome.endings)
    adopt(next, told, at: time, fading: recall.fade)
    presets.postponed = outcome.postponed
    presets.unfinished = left.filter { !$0.isMoving(in: next, at: time) }
    finishRecall()
    return (nil, true)
  }

  /// Does what the last recall could not do without an audio server, or without the channels of a device.
  func carryOutPostponed() {
    guard !presets.postponed.isEmpty else { return }
    func isDue(_ event: Event) -> Bool {
      guard case .channel(let input, let number, _) = event else { return true }
      return state.inputs[input].map { $0.channelStrips.count >= number } ?? false
    }
    let due = presets.postponed.filter(isDue)
    presets.postponed.removeAll(where: isDue)
    guard !due.isEmpty else { return }
    let time = now
    var (next, told) = (state, [Notification]())
    next.isRecalling = true
    for event in due {
      do throws(SessionError) { told += try Self.law(&next, event, time) } catch {
        told.append(.error(client: 0, address: "", error))
      }
    }
    next.isRecalling = false
    adopt(next, told, at: time)
  }

  /// Seconds after a fade until the audio thread has surely ended it.
  private var endMargin: Double {
    guard let connection else { return 0 }
    return state.ramp.target + Double(connection.margin) / connection.mix.rate
  }

  /// The frame of the engine at which a fade that begins now has surely ended; nil without a fade or a server.
  private func soundEnd(after fade: Double) -> (engine: MixEngine, end: UInt64)? {
    guard let connection, fade > 0 else { return nil }
    let engine = connection.mix.engine
    return (engine, engine.framesProcessed + UInt64((fade + endMargin) * connection.mix.rate))
  }

  /// Ends a fade that is over: removes sessions and streams that have fallen silent, and sets the levels of closed streams.
  func finishRecall() {
    guard let fading = presets.fading, fading.isOver(at: now, engine) else { return }
    let time = now
    presets.fading = nil
    var (next, told) = Ending.conclude(fading.endings, on: state, at: time, law: Self.law)
    told += (try? Self.law(&next, .preset(.ended), time)) ?? []
    if let preset = fading.preset, !fading.isAborted {
      told.append(.preset(preset, fading.isPartial ? .partial : .done, fade: fading.fade))
    }
    adopt(next, told, at: time)
  }
}
