import CBenchReference
import Glibc
import JackClient
import Numbers
import ServerInterface
import SoundFiles
import StageKit
import SystemCalls
import Threads

/// Measures for how long a player that connects itself is heard at the wrong device, until the router has freed it, and how much of its
/// beginning is lost at the right one; beside a bare client that frees a player at the notice of the connection and does nothing else.
enum LeakBench {
  static let period = 256

  private static let preset = """
    { "multiroute": 1, "ports": {
      "headphones": { "type": "headphones", "outputs": ["Headphones:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": { "click": {
      "from": ["Player*:out_*"], "to": { "headphones": 0 }, "exclusive": true } } } } }
    """

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    do {
      let stage = try Stage(server: server.name)
      for device in ["Headphones", "Speaker"] { try stage.addDevice(device, playback: 2) }
      let file = try TemporaryFile(preset)
      let router = try ChildClient.router(preset: file.path, server: server)
      try router.waitUntilReady()
      try stage.record("Headphones", path: "\(server.folder)/attack.wav")
      let freed = try leaks(of: "Player", stage, server, starts: 2 * plan.starts)
      _ = try stage.stopRecording("Headphones")
      let lost = try begins(SoundFile(path: "\(server.folder)/attack.wav").channels[0])
      withExtendedLifetime(router) {}
      let bare = try Freer(server: server.name, client: "Bare")
      let reference = try leaks(of: "Bare", stage, server, starts: 2 * plan.starts)
      bare.stop()
      tell("leaks          \(freed.map(\.text).joined(separator: ", ")) periods")
      tell("lost beginnings \(lost.map(\.text).joined(separator: ", ")) periods")
      tell("bare client    \(reference.map(\.text).joined(separator: ", ")) periods")
      table.add("exclusive player at the wrong device, median", freed.median, " periods", atMost: 2.999)
      table.add("beginning of a new source that is lost, median", lost.median, " periods", atMost: 3)
      table.note("at the wrong device with a bare client, median", reference.median, " periods")
    } catch {
      throw BenchError("\(error)")
    }
  }

  /// The periods for which each start of a player is heard at the loudspeaker.
  private static func leaks(
    of name: String, _ stage: Stage, _ server: BenchServer, starts: Int
  ) throws -> [Double] {
    let file = "\(server.folder)/\(name).wav"
    try stage.record("Speaker", path: file)
    for start in 1...starts {
      let player = "\(name)\(start)"
      try stage.addPlayer(player, signals: [.ramp(start: 1), .ramp(start: 1)], at: "Speaker")
      for channel in 1...2 {
        try stage.awaitConnection("\(player):out_\(channel)", "Speaker:playback_\(channel)", present: false)
      }
      usleep(100_000)
      try stage.unplug(player)
      usleep(100_000)
    }
    _ = try stage.stopRecording("Speaker")
    let sound = try SoundFile(path: file).channels[0]
    let heard = lengths(of: sound).map { Double($0) / Double(period) }
    return heard + Array(repeating: 0, count: max(0, starts - heard.count))
  }

  /// How many periods each player had played before its first sample was heard. The player counts its frames, from 1.
  private static func begins(_ samples: [Float]) -> [Double] {
    var (lost, last): ([Double], Int) = ([], -10_000)
    for (frame, sample) in samples.enumerated() where sample != 0 {
      if frame - last > 2_000 { lost.append((Double(sample) * 16_777_216 - 1) / Double(period)) }
      last = frame
    }
    return lost
  }

  /// The lengths of the stretches with sound; between them are at least 2,000 frames of silence.
  private static func lengths(of samples: [Float]) -> [Int] {
    var (lengths, begin, last): ([Int], Int?, Int) = ([], nil, 0)
    for (frame, sample) in samples.enumerated() where sample != 0 {
      if let start = begin, frame - last > 2_000 {
        lengths.append(last - start + 1)
        begin = nil
      }
      (begin, last) = (begin ?? frame, frame)
    }
    if let start = begin { lengths.append(last - start + 1) }
    return lengths
  }

  /// A JACK client that removes each connection of a program at its notice.
  private final class Freer: @unchecked Sendable {
    private let client: JackClient
    private let program: String
    private var thread: OwnThread?
    private var isEnding = false

    init(server: String, client program: String) throws {
      self.program = program
      client = try JackClient(name: "Freer", server: server)
      try client.activate()
      thread = OwnThread("freer") { [self] in work() }
    }

    private func work() {
      while !isEnding {
        _ = try? System.poll(client.wakeDescriptor, milliseconds: 100)
        for case .connected(let link) in client.takeNotices() where link.source.hasPrefix(program) {
          client.disconnect(link.source, from: link.sink)
        }
      }
    }

    func stop() {
      isEnding = true
      thread?.join()
      client.close()
    }
  }
}
