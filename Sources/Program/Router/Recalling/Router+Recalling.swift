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
  /// Settings that are in force already stay untouched. If the preset changes no setting, clients get no message. Without an audio server the
  /// preset waits.
  /// - Parameter fade: seconds; nil for the fade of the preset or of the router.
  /// - Returns: the setting that the law refuses, so that nothing has changed; nil if the preset is in force, or waits.
  @discardableResult
  public func recall(_ preset: Preset, fade: Double? = nil) -> SessionError? {
    guard connection != nil else {
      apply(preset)
      return nil
    }
    let recall = planned(preset, fade: fade)
    let origin = RecallOrigin(state: state, inForce: presets.inForce, unfinished: presets.unfinished)
    let result = begin(recall, .began(preset.id, fade: recall.fade)) {
      $0.presets.current == preset.id && !$0.presets.isModified
    }
    guard result.error == nil, result.isChange else { return result.error }
    presets.origin = origin
    presets.inForce = PresetInForce(preset, after: recall.predecessor?.preset)
    return nil
  }

  /// Brings into force what differs between the preset in force as it was read and as it is now, with the fade of `/preset/fade`. Without an
  /// audio server it waits.
  ///
  /// - Parameter preset: the same preset, read again; another one is ignored.
  /// - Returns: the setting that the law refuses, so that nothing has changed; nil if the preset is in force, or waits.
  @discardableResult
  public func reload(_ preset: Preset) -> SessionError? {
    guard connection != nil else {
      guard let id = reloadable?.id, id == preset.id else { return nil }
      let waiting = presets.waiting
      wait(for: preset, restoring: waiting?.crashed, isReload: waiting?.isReload ?? true)
      return nil
    }
    guard let inForce = presets.inForce, inForce.whole.id == preset.id else { return nil }
    connection?.exclusives.retry()
    let edited = PresetInForce(preset, after: inForce.base)
    let predecessor = Predecessor(inForce.whole, isEarlierVersion: true)
    let recall = planned(edited.whole, replacing: predecessor, fade: state.presets.fade)
    let error = begin(recall, .reloaded(preset.id, fade: recall.fade)) { _ in true }.error
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
    recall.pending = presets.fading?.endings ?? []
    // An edit moves only what differs in the files; the rest of the fade goes on.
    if predecessor?.isEarlierVersion != true { recall.unfinished = unfinished }
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

  /// Notes that the present settings were written as a preset, which is now the one in force. An undo returns to where it did.
  public func noteStored(_ preset: Preset) {
    let origin = presets.origin
    if let fading = presets.fading {
      // The file has the ends of the fade that runs, so nothing moves elsewhere.
      presets.inForce = PresetInForce(preset, after: predecessor?.preset)
      if fading.isAborted { presets.unfinished = [] }
      happen(.preset(.stored(preset.id)))
    } else {
      recall(preset, fade: 0)
    }
    if origin != nil { presets.origin = origin }
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
    recall.pending = presets.fading?.endings ?? []
    recall.unfinished = unfinished
    let event = PresetEvent.returned(
      was.current, standby: was.standby, isModified: was.isModified, fade: recall.fade)
    if let error = begin(recall, event, isInForce: { _ in false }).error { return error }
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

  /// Decides on a recall and puts it into force.
  ///
  /// - Parameter isInForce: whether the recall is in force already, if it changes no setting.
  private func begin(
    _ recall: Recall, _ event: PresetEvent, isInForce: (RouterState) -> Bool
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
    if let fading = presets.fading, let earlier = fading.preset, !fading.isAborted {
      told.append(.preset(earlier, .aborted, fade: fading.fade))
    }
    told = ((try? Self.law(&next, .preset(event), time)) ?? []) + told
    presets.fading = FadingRecall(
      preset: next.presets.current, fade: recall.fade,
      end: recall.fade > 0 ? time + recall.fade + endMargin : time, sound: soundEnd(after: recall.fade),
      isPartial: !outcome.waiting.isEmpty, moving: outcome.moving, endings: outcome.endings)
    adopt(next, told, at: time, fading: recall.fade)
    presets.unfinished = unfinished.filter { $0.isUntouched(in: next) }
    finishRecall()
    return (nil, true)
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
