import MixEngine
import SessionModel
import Surface
import Testing

@testable import Router

/// Meters belong to the ports of the structure that they were measured with.
@Suite struct MeterReaderTests {
  @Test(
    "After a restart of the server the meters follow the new engine, whose structures count from the start")
  func restart() {
    var reader = MeterReader()
    for serial in 100..<UInt64(120) { reader.follow([.output("usb", 1)], from: serial) }
    reader.restart()
    let engine = MixEngine(sampleRate: 48_000)
    let sink = MixStructure.Sink(port: PortHandle(rawValue: 1), output: nil, stages: [])
    engine.publish(structure: MixStructure(sinks: [sink]), levels: [:])
    reader.follow([.output("usb", 1)], from: engine.structureSerial)
    engine.process(frames: 480, sources: [], sinks: [nil])
    let hasRead = reader.read(engine, of: RouterState(), rate: 48_000, at: 0)
    #expect(hasRead)
    #expect(reader.levels.outputs["usb"] == [0])
    // The load is a share of the new engine's frames.
    #expect(reader.load > 0)
  }
}
