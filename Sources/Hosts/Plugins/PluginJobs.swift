import CLilv
import EffectBlocks

/// The work that one plugin puts off (`worker:schedule`): requests of its run go to the worker thread, and answers come back into the run.
///
/// Unchecked: `interface` is set before the plugin runs; the rings have one reader and one writer each.
final class PluginJobs: @unchecked Sendable {
  private let requests = MessageRing()
  private let answers = MessageRing()
  private let bell: @Sendable () -> Void
  let place: EffectPlace
  private var interface: UnsafePointer<LV2_Worker_Interface>?
  private var handle: LV2_Handle?

  /// - Parameter bell: wakes the worker thread.
  init(_ place: EffectPlace, bell: @escaping @Sendable () -> Void) { (self.place, self.bell) = (place, bell) }

  /// Says whose work it is. Before the plugin runs.
  func begin(_ interface: UnsafePointer<LV2_Worker_Interface>, _ handle: LV2_Handle) {
    (self.interface, self.handle) = (interface, handle)
  }

  /// The feature that the plugin gets. The jobs must outlive it.
  var schedule: LV2_Worker_Schedule {
    LV2_Worker_Schedule(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, size, data in
      guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
      let jobs = Unmanaged<PluginJobs>.fromOpaque(handle).takeUnretainedValue()
      guard jobs.requests.push(data, size: Int(size)) else { return LV2_WORKER_ERR_NO_SPACE }
      jobs.bell()
      return LV2_WORKER_SUCCESS
    }
  }

  /// Does what was asked for. The worker thread alone.
  func work() {
    guard let interface, let handle else { return }
    let own = Unmanaged.passUnretained(self).toOpaque()
    while requests.pop({ size, message in
      _ = interface.pointee.work(
        handle,
        { own, size, data in
          guard let own else { return LV2_WORKER_ERR_UNKNOWN }
          let jobs = Unmanaged<PluginJobs>.fromOpaque(own).takeUnretainedValue()
          return jobs.answers.push(data, size: Int(size)) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
        }, own, size, message)
    }) {}
  }

  /// Gives the plugin its answers, after each run. The thread of the run alone.
  func answer() {
    guard let interface, let handle else { return }
    while answers.pop({ size, message in _ = interface.pointee.work_response(handle, size, message) }) {}
    if let end = interface.pointee.end_run { _ = end(handle) }
  }
}
