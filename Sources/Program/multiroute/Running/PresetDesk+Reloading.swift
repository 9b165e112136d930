import Commands
import JSON5
import Presets
import Router
import SessionModel
import Synchronization
import SystemCalls

extension PresetDesk {
  /// A broken edit: its problems, and the file at that time.
  struct Complaint: Equatable {
    let lines: [String]
    let file: FileStatus?
  }

  /// Reads the preset in force again, and has what differs move.
  ///
  /// - Parameters:
  ///   - mistake: why nothing may change, because of another file. The preset's own mistakes are told nevertheless.
  ///   - finish: called on the policy thread, with the reason if nothing was changed.
  func reload(
    _ service: RouterService, _ mistake: SessionError?, finish: @escaping @Sendable (SessionError?) -> Void
  ) {
    guard let inForce = service.wait(for: { await $0.reloadable }) else {
      return service.post { _ in finish(mistake) }
    }
    do throws(CommandFailure) {
      let preset = try library.read(inForce.file, telling: console)
      if let mistake { return service.post { _ in finish(mistake) } }
      renew(preset, service, finish)
    } catch {
      refuse(error, inForce.file)
      let reason = error.reason(Self.effect)
      service.post { _ in finish(reason) }
    }
  }

  /// Reads the preset in force again if its file, or one that it extends, was edited.
  ///
  /// Surfaces get the problem of a broken edit as an error without a request. Each writing of the file is reported once.
  func followEdit(_ service: RouterService) {
    guard let inForce = service.wait(for: { await $0.reloadable }) else { return }
    do throws(CommandFailure) {
      let (preset, problems) = try library.examine(inForce.file)
      guard let preset else { throw CommandFailure(.badPreset, problems.map(\.description)) }
      complaint.withLock { $0 = nil }
      guard preset.hash != inForce.hash else { return }
      for problem in problems { console.tell("\(problem)") }
      renew(preset, service) { _ in }
    } catch {
      let next = Complaint(lines: error.lines, file: try? System.stat(inForce.file))
      let isKnown = complaint.withLock { complaint in
        defer { complaint = next }
        return complaint == next
      }
      guard !isKnown else { return }
      refuse(error, inForce.file)
      let reason = error.reason(Self.effect)
      service.post { await $0.tell(.error(client: 0, address: "", reason)) }
    }
  }

  static let effect = "nothing was changed"

  private func renew(
    _ preset: Preset, _ service: RouterService, _ finish: @escaping @Sendable (SessionError?) -> Void
  ) {
    service.post { [self] router in
      let refusal = await router.reload(preset)
      tell(preset.file, isReloaded: refusal == nil)
      finish(refusal)
    }
  }

  private func refuse(_ failure: CommandFailure, _ file: String) {
    for line in failure.lines { console.tell(line) }
    tell(file, isReloaded: false)
  }

  private func tell(_ file: String, isReloaded: Bool) {
    console.tell(
      isReloaded
        ? "multiroute: reloaded \(file)" : "multiroute: \(file) could not be reloaded; \(Self.effect)")
  }
}
