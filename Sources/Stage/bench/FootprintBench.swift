import CBenchReference
import Glibc

/// Measures the memory of `multiroute run` with a shipped preset, and the time from its start to the first sound.
enum FootprintBench {
  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let band = try BareClient(server, "Band", bare_level, outputs: 2)
    let metronome = try BareClient(server, "Metronome", bare_level, outputs: 1)
    let usb = try BareClient(server, "USB Interface", bare_watching, inputs: 4, outputs: 2, isDevice: true)
    let others = [
      try BareClient(server, "Headphones", bare_watching, inputs: 2, isDevice: true),
      try BareClient(server, "Speaker", bare_watching, inputs: 2, isDevice: true),
      try BareClient(server, "Microphone", bare_level, outputs: 1, isDevice: true),
    ]
    var starts: [Double] = []
    for _ in 0..<plan.starts {
      usb.watch(for: 0)
      let router = try ChildClient.router(preset: "usb-and-headphones", server: server)
      starts.append(
        try withExtendedLifetime(router, { () throws(BenchError) in try Self.awaitSound(usb) - router.began })
      )
    }
    let router = try ChildClient.router(preset: "usb-and-headphones", server: server)
    _ = try router.waitUntilReady()
    usleep(2_000_000)
    let memory = router.process.megabytes
    withExtendedLifetime((band, metronome, others)) {}
    tell("starts         \(starts.map { ($0 / 1_000).text }.joined(separator: ", ")) ms")
    table.add("memory, RssAnon + RssFile", memory, " MB", atMost: 32)
    table.add("start to first sound, median", starts.median / 1_000, " ms", atMost: 150)
  }

  private static func awaitSound(_ device: BareClient) throws(BenchError) -> Double {
    for _ in 0..<5_000 {
      if let time = device.heard { return time }
      usleep(1_000)
    }
    throw BenchError("nothing is heard five seconds after the start")
  }
}
