import ControlInterface
import MixEngine
import MixKernel
import SessionModel
import Testing

@testable import Router

/// Meters must be assigned to the ports of the structure with which they were measured.
@Suite struct MeterReaderTests {
  @Test("Meters and load are those of the engine's own structure and frames")
  func read() {
    var (reader, counts) = (MeterReader(), MeterReader.Counts())
    let engine = MixEngine(sampleRate: 48_000)
    let sinks = [1, 2].map { MixStructure.Sink(.port(PortHandle(rawValue: $0)), output: nil, stages: []) }
    engine.publish(structure: MixStructure(sinks: sinks), levels: [:])
    reader.follow([.port(.output("usb", 1)), .port(.capture("talk", 1))], from: engine.structureSerial)
    engine.process(frames: 480, sources: [], sinks: [nil, nil])
    let hasRead = reader.read(engine, of: RouterState(), rate: 48_000, at: 0, counting: &counts)
    #expect(hasRead)
    #expect(reader.levels.outputs["usb"] == [0])
    #expect(reader.levels.captures["talk"] == [0])
    // The load is relative to the time of the frames that the engine has processed.
    #expect(reader.load > 0 && counts.longest > 0)
  }
}
