import CJack
import MixKernel
import Synchronization

/// A latency map in flat memory. The control thread makes it; the latency callback reads it.
struct LatencyTable: ~Copyable {
  struct Rule {
    var port: PortHandle
    var fixed: UInt32
    var firstPath: Int
    var pathCount: Int
  }
  struct Path {
    var port: PortHandle
    var extra: UInt32
  }

  private let rules: UnsafeMutablePointer<Rule>
  private let ruleCount: Int
  /// Number of rules for the capture direction. The rules after them are for the playback direction.
  private let captureCount: Int
  private let paths: UnsafeMutablePointer<Path>
  private let pathCount: Int

  init(_ map: JackLatencyMap) {
    let all = map.capture + map.playback
    (ruleCount, captureCount) = (all.count, map.capture.count)
    pathCount = all.reduce(0) { $0 + $1.paths.count }
    rules = .allocate(capacity: max(1, ruleCount))
    paths = .allocate(capacity: max(1, pathCount))
    var next = 0
    for (index, rule) in all.enumerated() {
      (rules + index).initialize(
        to: Rule(
          port: rule.port, fixed: UInt32(clamping: rule.fixed), firstPath: next, pathCount: rule.paths.count))
      for path in rule.paths {
        (paths + next).initialize(to: Path(port: path.from, extra: UInt32(clamping: path.extra)))
        next += 1
      }
    }
  }

  deinit {
    rules.deallocate()
    paths.deallocate()
  }

  /// Sets the latency of every port with a rule in this direction.
  @_noLocks func apply(_ mode: jack_latency_callback_mode_t) {
    let isCapture = mode == JackCaptureLatency
    var index = isCapture ? 0 : captureCount
    let end = isCapture ? captureCount : ruleCount
    while index < end {
      JackCalls.setLatency(of: rules[index].port, mode, to: range(of: rules[index], mode))
      index += 1
    }
  }

  @_noLocks private func range(
    of rule: Rule, _ mode: jack_latency_callback_mode_t
  ) -> jack_latency_range_t {
    guard rule.pathCount > 0 else { return jack_latency_range_t(min: rule.fixed, max: rule.fixed) }
    var result = jack_latency_range_t(min: .max, max: 0)
    for index in rule.firstPath..<(rule.firstPath + rule.pathCount) {
      let along = JackCalls.latency(of: paths[index].port, mode)
      result.min = min(result.min, along.min &+ paths[index].extra)
      result.max = max(result.max, along.max &+ paths[index].extra)
    }
    return result
  }
}

/// Passes latency tables to the callback and takes old ones back. Neither side waits.
struct LatencyExchange: ~Copyable {
  private let pending = Atomic<UnsafeMutablePointer<LatencyTable>?>(nil)
  private let retired = Atomic<UnsafeMutablePointer<LatencyTable>?>(nil)
  /// The table in use; while the client lives, only the callback touches it.
  private let current = Atomic<UnsafeMutablePointer<LatencyTable>?>(nil)

  init() {}

  deinit {
    free(pending.load(ordering: .acquiring))
    free(retired.load(ordering: .acquiring))
    free(current.load(ordering: .acquiring))
  }

  /// Publishes a table; the control thread only.
  func publish(_ map: JackLatencyMap) {
    let table = UnsafeMutablePointer<LatencyTable>.allocate(capacity: 1)
    table.initialize(to: LatencyTable(map))
    free(pending.exchange(table, ordering: .acquiringAndReleasing))
    free(retired.exchange(nil, ordering: .acquiring))
  }

  /// Adopts the newest table, once the last one has been taken back, and applies it. The notification thread
  /// only.
  @_noLocks func apply(_ mode: jack_latency_callback_mode_t) {
    if retired.load(ordering: .acquiring) == nil,
      let fresh = pending.exchange(nil, ordering: .acquiring)
    {
      retired.store(current.exchange(fresh, ordering: .relaxed), ordering: .releasing)
    }
    if let table = current.load(ordering: .relaxed) { table.pointee.apply(mode) }
  }

  private func free(_ table: UnsafeMutablePointer<LatencyTable>?) {
    guard let table else { return }
    table.deinitialize(count: 1)
    table.deallocate()
  }
}
