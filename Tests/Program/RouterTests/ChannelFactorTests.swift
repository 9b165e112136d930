import MixEngine
import MixKernel
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// The constant factor of a crosspoint follows the channel map of the destination.
@Suite struct ChannelFactorTests {
  @Test("A stereo stream summed to mono is summed at full level once its map says so")
  func mapped() throws {
    var state = RouterState()
    let mono = Port(id: "mono", name: "Mono", type: .lineOut, globs: [], channels: 1)
    func happen(_ events: Event...) throws {
      for event in events { _ = try Policy.reduce(&state, event, at: 0) }
    }
    try happen(
      .declarePort(.output, mono), .portsPresent([PortPresence(.output, "mono", members: ["Mono:in"])]),
      .createSession("show", SessionConfiguration(category: .multiRoute)),
      .createStream("show", "band", channels: 2, placed: false),
      .destination("show", "band", "mono", .on(true)))
    #expect(try amplitude(state) == Float(0.5).squareRoot())
    let before = state
    try happen(.destination("show", "band", "mono", .channels(.map([.init(stream: 1, port: 1)]))))
    #expect(try amplitude(before, state) == 1)
  }

  /// The level at the output after one state and then another, if all samples of the first channel are 0.5.
  private func amplitude(_ states: RouterState...) throws -> Float {
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    var liveness = Liveness()
    liveness.outputs = ["mono"]
    liveness.streams = [StreamAddress(session: "show", stream: "band")]
    var handles: [PortKey: PortHandle] = [:]
    var last: Float = 0
    for var state in states {
      state.sessions["show"]?.setActive(true)
      _ = keeper.update(state, liveness, at: 0, margin: 0) { ports in
        for key in ports where handles[key] == nil {
          handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
        }
        return handles
      }
      let (halves, heard) = (
        UnsafeMutablePointer<Float>.allocate(capacity: 1_000),
        UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
      )
      halves.initialize(repeating: 0.5, count: 1_000)
      keeper.engine.process(frames: 1_000, sources: [UnsafePointer(halves), nil], sinks: [heard])
      last = heard[999] * 2
      halves.deallocate()
      heard.deallocate()
    }
    return last
  }
}
