import MixEngine
import MixKernel
import SessionModel
import Testing
import VoiceKernel

@testable import Router

/// Where voice processing stands in the mix of a mix-minus.
@Suite struct VoiceTopologyTests {
  private let store = VoiceNodeStore(VoiceTiming(rate: 48_000, period: 256, algorithm: 0), loudspeakers: 2)

  /// The host's microphone and a record of music, both in what the guest hears. The guest is heard at the headphones.
  private static func podcast(_ more: Event...) throws -> RouterState {
    try Show.state(
      Show.ports + [
        .createSession("host", SessionConfiguration(category: .multiRoute)),
        .createStream("host", "mic", channels: 1, placed: false),
        .stream("host", "mic", .sources([.input("mic", channels: nil)])),
        .destination("host", "mic", "usb", .on(true)),
        .createSession("music", SessionConfiguration(category: .multiRoute)),
        .createStream("music", "record", channels: 1, placed: false),
        .destination("music", "record", "usb", .on(true)),
        .createSession("guest", SessionConfiguration(category: .playAndRecord, mode: .voiceChat)),
        .session("guest", .captureChannels(2)), .session("guest", .captureRoute(false)),
        .captureSession("guest", "host", .on(true)), .captureSession("guest", "music", .on(true)),
        Show.present,
      ] + more)
  }

  private var media: MixMedia {
    var media = MixMedia()
    media.voices["guest"] = MixVoice(
      store: store, number: 1, loudspeakers: [.output("usb", 1), .output("usb", 2)])
    return media
  }

  private func sources(
    _ state: RouterState, at sink: MixPoint, _ media: MixMedia
  ) -> Set<MixPoint> {
    Set(TopologyBuilder.topology(of: state, media).cells.filter { $0.key.sink == sink }.map(\.key.row.source))
  }

  @Test("The host's microphone reaches the guest through the processing, all else directly")
  func capture() throws {
    let state = try Self.podcast()
    let (guest, voice) = (
      MixPoint.port(.capture("guest", 1)), MixPoint.voice("guest", VoiceChannel(store, .microphone))
    )
    let (music, mic) = (MixPoint.port(.stream("music", "record", 1)), MixPoint.port(.input("mic", 1)))
    let program = MixPoint.port(.stream("host", "mic", 1))
    let processed = MixPoint.voice("guest", VoiceChannel(store, .processed))
    #expect(sources(state, at: guest, media) == [music, program, processed])
    #expect(sources(state, at: voice, media) == [mic])
    #expect(sources(state, at: guest, MixMedia()) == [music, program, mic])
    // The host's mute and faders are before the processing.
    let cell = TopologyBuilder.topology(of: state, media).cells.first { $0.key.sink == voice }
    #expect(cell?.send == .captureSession("guest", "host"))
    #expect(cell?.key.row.stages.contains(.sessionMute("host")) == true)
    #expect(cell?.key.row.stages.contains(.captureGate("guest")) == false)
  }

  @Test("A loudspeaker that plays the microphone is known without it; another one as its device gets it")
  func reinforcement() throws {
    let known = MixPoint.loudspeaker("usb", VoiceChannel(store, .loudspeaker(0)))
    let reinforced = try Self.podcast()
    #expect(TopologyBuilder.topology(of: reinforced, media).loudspeakers.isEmpty)
    #expect(
      sources(reinforced, at: known, media) == [
        .port(.stream("music", "record", 1)), .port(.stream("host", "mic", 1)),
      ])
    let dry = try Self.podcast(.destination("host", "mic", "usb", .on(false)))
    let topology = TopologyBuilder.topology(of: dry, media)
    #expect(topology.loudspeakers.map(\.sink) == [.output("usb", 1), .output("usb", 2)])
    #expect(!topology.sinks.contains(known))
  }

  @Test(
    "While the microphone comes to a loudspeaker and leaves it, the mix has each channel of the processing once"
  )
  func changes() throws {
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    var handles: [PortKey: PortHandle] = [:]
    func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }
    for isOn in [true, false, true, false] {
      let state = try Self.podcast(.destination("host", "mic", "usb", .on(isOn)))
      _ = keeper.update(state, Liveness(), at: 0, margin: 0, media: media, provide: provide)
      let known = keeper.points.filter { if case .loudspeaker = $0 { true } else { false } }
      // Until the sinks have faded out they stay beside the copies that are wanted.
      #expect(known.count == 2)
      if isOn { continue }
      let points = keeper.points
      keeper.engine.process(
        frames: 4_800, sources: points.filter(\.isSource).map { _ in nil },
        sinks: points.filter { !$0.isSource }.map { _ in nil })
      let hasReleased = keeper.release(at: 0.1, provide: provide)
      #expect(hasReleased)
      #expect(!keeper.points.contains(known[0]))
    }
  }
}
