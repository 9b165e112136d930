import CBenchReference
import OSC

/// Measures the mute of a group with 64 members beside the mute of one session, at 256 frames per period.
enum GroupBench {
  private static let members = 64

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let source = try BareClient(server, "Source", bare_level, outputs: 1)
    let device = try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    let port = try router.waitUntilReady()
    func mutes(_ address: String) throws(BenchError) -> [Double] {
      try LatencyBench.measure(
        plan.trials, device, port: port, what: "groups         \(address)"
      ) { OSCMessage(address, .int32($0 ? 1 : 0)) }
    }
    let period = Double(LatencyBench.period) / 48
    func share(_ times: [Double]) -> Double {
      Double(100 * times.filter { $0 <= period }.count) / Double(times.count)
    }
    let (single, group) = (try mutes("/session/s0/mute"), try mutes("/group/all/mute"))
    let (one, all) = try answers(plan.trials, port)
    withExtendedLifetime((source, router)) {}
    // What is in force just before a period ends is heard in the next one.
    table.note("one mute, heard within \(period.text) ms", share(single), " %")
    table.note("mute of a group of \(members), heard within \(period.text) ms", share(group), " %")
    table.add("the same, in force within \(period.text) ms", share(all), " %", atLeast: 99)
    table.add("mute of a group of \(members) to one mute, carried out", all.median / one.median, atMost: 2)
  }

  /// The milliseconds from a mute until the router answers what comes after it, of one session and of the group, in turns.
  private static func answers(_ trials: Int, _ port: UInt16) throws(BenchError) -> ([Double], [Double]) {
    var (one, all): ([Double], [Double]) = ([], [])
    do throws(SocketError) {
      let client = try OSCClient(port: port)
      func time(_ address: String, _ isOn: Bool) throws(SocketError) -> Double {
        let sent = BareClient.now
        try client.send(OSCMessage(address, .int32(isOn ? 1 : 0)))
        try client.ping()
        return (BareClient.now - sent) / 1_000
      }
      for trial in 0..<trials {
        let isOn = trial.isMultiple(of: 2)
        one.append(try time("/session/s0/mute", isOn))
        all.append(try time("/group/all/mute", isOn))
      }
    } catch { throw BenchError("\(error)") }
    tell(
      "groups         one mute \(one.median.text), a group's \(all.median.text) ms until the router goes on")
    return (one, all)
  }

  private static var preset: String {
    let sessions = (0..<members).map { index in
      """
      s\(index): { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', gain: -40, streams: {
        main: { channels: 1, from: ['Source:out_*'], to: { device: 0 } } } }
      """
    }
    return """
      { multiroute: 1, ports: { device: { type: 'usbAudio', outputs: ['Device:playback_*'], channels: 2 } },
      groups: { all: { members: ['session:s*'] } }, sessions: { \(sessions.joined(separator: ",\n")) } }
      """
  }
}
