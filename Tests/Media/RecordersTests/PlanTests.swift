import AwaitedEvents
import Encoders
import MediaKernel
import MixEngine
import Players
import Recorders
import SessionModel
import SoundFiles
import TemporaryFolders
import Testing
import Threads

/// Players and recorders in the plan of one engine, from file to file.
@Suite struct PlanTests {
  @Test(
    "What players play is recorded bit for bit, from a frame within a period on",
    arguments: [64, 1_000, 8_192])
  func fileToFile(period: Int) throws {
    let folder = try TemporaryFolder()
    let (reader, writer) = (PlayerReader(), RecorderWriter())
    reader.setFreewheel(true)
    writer.setFreewheel(true)
    let path = folder.file("music.flac")
    try CountedSound.sound(0..<100_000).write(path: path)
    let players = (0..<3).map { _ in Player(reader, channels: 2, sampleRate: 48_000) { _ in } }
    let events = AwaitedEvents<RecorderEvent>()
    let recorders = (0..<3).map { index in
      Recorder(
        writer, id: "r\(index)", channels: 2, sampleRate: 48_000,
        settings: RecorderSettings(folder: folder.path)
      ) { events.add($0) }
    }
    defer {
      for player in players { player.close() }
      for recorder in recorders { recorder.close() }
    }
    let engine = MixEngine(sampleRate: 48_000)
    let mix = Self.straight(players, recorders)
    let unity = StageLevel(target: 1, ramp: Ramp(.linear, frames: 1), revision: 1)
    engine.publish(structure: mix, levels: [.panic: unity])
    Self.run(engine, mix, 1_500, period)
    let start = Int(engine.framesProcessed) + 777
    var orders = MediaOrders()
    for player in players {
      player.setItems([PlayerItem(id: 1, path: path)])
      orders[player.store] = player.play(at: start)
    }
    for recorder in recorders { orders[recorder.store] = recorder.record(at: start) }
    engine.publish(changing: [:], orders: orders)
    Self.run(engine, mix, 777 + 100_000, period)
    orders = MediaOrders()
    for recorder in recorders { orders[recorder.store] = recorder.stop() }
    engine.publish(changing: [:], orders: orders)
    Self.run(engine, mix, 1, 1)
    for index in 0..<3 {
      let path = events.first { event -> String? in
        if case .finished(let path, _, _) = event, path.contains("r\(index)") { path } else { nil }
      }
      let isExact = try SoundFile(path: try #require(path)) == CountedSound.sound(0..<100_000)
      #expect(isExact)
      #expect(recorders[index].lost == 0 && players[index].store.underruns == 0)
    }
  }

  private static func straight(_ players: [Player], _ recorders: [Recorder]) -> MixStructure {
    let channels = (0..<6).map { ($0 / 2, $0 % 2) }
    return MixStructure(
      sources: channels.map { .init(.deck(DeckChannel(players[$0].store, channel: $1))) },
      sinks: channels.map {
        .init(.tap(TapChannel(recorders[$0].store, channel: $1)), output: nil, stages: [])
      },
      rows: channels.indices.map { .init(source: $0, stages: []) },
      cells: channels.indices.map { .init(row: $0, sink: $0, stage: .panic) })
  }

  private static func run(_ engine: MixEngine, _ mix: MixStructure, _ frames: Int, _ period: Int) {
    var left = frames
    while left > 0 {
      engine.process(
        frames: min(period, left), sources: mix.sources.map { _ in nil }, sinks: mix.sinks.map { _ in nil })
      left -= min(period, left)
    }
  }
}
