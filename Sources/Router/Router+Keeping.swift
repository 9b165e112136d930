import OSC
public import Presets
import SessionModel
import Surface

extension Router {
  /// Brings the router to what a preset names, in one step: one mix, one look at the cables.
  ///
  /// Without an audio server it waits for one, so that devices are known by the preset's names from the start.
  /// - Parameter kept: what was set since the preset was loaded, if the last run did not end in order.
  public func apply(_ preset: Preset, restoring kept: KeptState? = nil) {
    guard mix != nil else {
      waitingPreset = (preset, kept)
      return
    }
    self.preset = preset.id.name
    lane.forget()
    let time = now
    var outcome = Surface.Outcome()
    for event in preset.events(for: state) {
      do throws(SessionError) {
        outcome.merge(try surface.happen(event, &state, at: time))
      } catch {
        outcome.merge(surface.tell(.error(client: 0, address: "", error), state, at: time))
      }
    }
    settle(outcome, at: time)
    guard let kept, kept.preset == preset.id.name else { return }
    // Settings may name devices that no preset names; they have to be found first.
    wire()
    settle(surface.restore(kept.settings, &state, at: time), at: time)
  }

  /// Writes what was set, at most once a second, where the settings say so.
  func keep() {
    guard let file = settings.stateFile, let preset, now >= nextKeeping else { return }
    nextKeeping = now + 0.1
    let owed = owed
    guard state != keptOf || owed != lastKept?.taken else { return }
    nextKeeping = now + 1
    keptOf = state
    let kept = KeptState(preset: preset, settings: surface.settings(of: state, at: now), taken: owed)
    guard kept != lastKept else { return }
    lastKept = kept
    file.write(kept)
  }

  /// What exclusive streams took and others must get back; while there is no server, at the one before.
  var owed: TakenCables? {
    guard mix != nil else { return owedBefore }
    let links = exclusives.links
    return backend.serverIdentity.flatMap { links.isEmpty ? nil : TakenCables(server: $0, links: links) }
  }
}
