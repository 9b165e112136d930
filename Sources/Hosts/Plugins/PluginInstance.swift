import CLilv
import CPlugins
import EffectBlocks
import Threads

/// One running copy of a plugin. Not for several threads at once.
final class PluginInstance {
  private let world: PluginWorld
  private let host: HostFeatures
  private let worker: PluginWorker
  private let jobs: PluginJobs
  private let instance: UnsafeMutablePointer<LilvInstance>
  private let run: @convention(c) (LV2_Handle?, UInt32) -> Void
  private let connect: @convention(c) (LV2_Handle?, UInt32, UnsafeMutableRawPointer?) -> Void
  private let handle: LV2_Handle?
  private let answers: Bool
  // What the plugin may keep pointers to.
  private let name: UnsafeMutablePointer<CChar>
  private let source: UnsafeMutablePointer<mr_plugin_log_source>
  private let log: UnsafeMutablePointer<LV2_Log_Log>
  private let schedule: UnsafeMutablePointer<LV2_Worker_Schedule>
  private let own: UnsafeMutablePointer<LV2_Feature>
  private let uris: [UnsafeMutablePointer<CChar>]
  private let features: [UnsafePointer<LV2_Feature>?]

  /// Loads a plugin's file and makes a copy of it.
  ///
  /// - Throws: `PluginError` if the file cannot be loaded, or the plugin refuses.
  init(
    _ plugin: OpaquePointer, named label: String, _ world: PluginWorld, _ host: HostFeatures,
    _ worker: PluginWorker, place: EffectPlace
  ) throws(PluginError) {
    let bell = worker.bell
    let jobs = PluginJobs(place) { bell.ring() }
    (self.world, self.host, self.worker, self.jobs) = (world, host, worker, jobs)
    name = copy(label)
    source = .allocate(capacity: 1)
    source.initialize(to: mr_plugin_log_source(name: name, trace: host.urids[LV2.trace]))
    log = .allocate(capacity: 1)
    log.initialize(to: mr_plugin_log(source))
    schedule = .allocate(capacity: 1)
    schedule.initialize(to: jobs.schedule)
    own = .allocate(capacity: 2)
    uris = [copy(LV2.log), copy(LV2.schedule)]
    own.initialize(to: LV2_Feature(URI: uris[0], data: log))
    (own + 1).initialize(to: LV2_Feature(URI: uris[1], data: schedule))
    features = host.all + [UnsafePointer(own), UnsafePointer(own + 1), nil]
    let made = features.withUnsafeBufferPointer {
      world.calls.lilv_plugin_instantiate(plugin, host.settings.rate, $0.baseAddress)
    }
    guard let made else {
      for memory in uris + [name] { memory.deallocate() }
      source.deallocate()
      log.deallocate()
      schedule.deallocate()
      own.deallocate()
      throw .broken(label)
    }
    instance = made
    handle = made.pointee.lv2_handle
    run = made.pointee.lv2_descriptor.pointee.run
    connect = made.pointee.lv2_descriptor.pointee.connect_port
    let data = lilv_instance_get_extension_data(made, LV2.workerInterface)
    answers = data != nil
    if let data, let handle {
      jobs.begin(data.assumingMemoryBound(to: LV2_Worker_Interface.self), handle)
      worker.add(jobs)
    }
  }

  deinit {
    worker.remove(jobs)
    lilv_instance_deactivate(instance)
    world.calls.lilv_instance_free(instance)
    for memory in uris + [name] { memory.deallocate() }
    source.deallocate()
    log.deallocate()
    schedule.deallocate()
    own.deallocate()
  }

  func activate() { lilv_instance_activate(instance) }

  func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) { connect(handle, UInt32(port), memory) }

  func run(frames: Int) {
    run(handle, UInt32(frames))
    if answers { jobs.answer() }
  }

  /// Gives the plugin a saved state; the values of its controls go to `set`.
  func restore(_ state: OpaquePointer, set: (_ symbol: String, _ value: Float) -> Void) {
    withoutActuallyEscaping(set) { set in
      var receiver = StateReceiver(urids: host.urids, set: set)
      features.withUnsafeBufferPointer { features in
        withUnsafeMutablePointer(to: &receiver) { receiver in
          world.calls.lilv_state_restore(
            state, instance, StateReceiver.receive, receiver, 0, features.baseAddress)
        }
      }
    }
  }
}

/// Takes the values of a state.
private struct StateReceiver {
  let urids: URIDMap
  let set: (String, Float) -> Void

  static let receive: LilvSetPortValueFunc = { symbol, receiver, value, size, type in
    guard let symbol, let receiver, let value else { return }
    let own = receiver.assumingMemoryBound(to: StateReceiver.self).pointee
    let number: Float
    switch (type, size) {
    case (own.urids[LV2.float], 4): number = value.loadUnaligned(as: Float.self)
    case (own.urids[LV2.double], 8): number = Float(value.loadUnaligned(as: Double.self))
    case (own.urids[LV2.int], 4), (own.urids[LV2.bool], 4):
      number = Float(value.loadUnaligned(as: Int32.self))
    case (own.urids[LV2.long], 8): number = Float(value.loadUnaligned(as: Int64.self))
    default: return
    }
    own.set(String(cString: symbol), number)
  }
}
