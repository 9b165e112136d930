public import SessionModel

/// Makes random events of every kind about a few sessions, streams and ports.
///
/// Half of them are about sessions that play, interrupt and duck each other (`LawEvents`); the rest set and move everything else.
public struct RandomEvents {
  private var law: LawEvents
  /// Whether solos, monitor outputs and talkbacks are among the events.
  private let hasMonitoring: Bool
  public init(seed: UInt64, monitoring hasMonitoring: Bool = false) {
    (law, self.hasMonitoring) = (LawEvents(seed: seed), hasMonitoring)
  }

  private static let streams: [StreamID] = ["main", "click"]
  private static let globs = ["Band:*", "Band:out_1", "Click:*", "*:out_2", "usb:*"].compactMap {
    PortGlob($0)
  }
  private static let entries =
    globs.map { ProgramPorts($0) }
    + ["1=Band:*", "{application=Band}", "2={node=x}Band:*"].compactMap { ProgramPorts($0) }

  /// A number from 0 up to a limit, for decisions of the test itself.
  public mutating func number(below limit: Int) -> Int { law.number(below: limit) }

  /// The next event in a state.
  public mutating func next(_ state: RouterState) -> Event {
    let (id, stream) = (law.pick(LawEvents.sessions), law.pick(Self.streams))
    if hasMonitoring, number(below: 6) == 0 { return law.monitoring(id) }
    switch number(below: 29) {
    case 25, 26: return law.group(state)
    case 27, 28: return law.effects(id, state)
    case 0...9: return law.next(state)
    case 23: return law.voice(id)
    case 10: return .session(id, sessionSetting())
    case 11: return .session(id, duckerSetting())
    case 12:
      return law.chance()
        ? .createStream(id, stream, channels: number(below: 5), placed: law.chance())
        : .removeStream(id, stream)
    case 13, 14: return .stream(id, stream, streamSetting())
    case 15, 16: return .destination(id, stream, law.pick(LawEvents.outputs), destinationSetting())
    case 17: return .captureSession(id, law.pick(LawEvents.sessions), captureSetting())
    case 18: return .captureInput(id, law.pick(LawEvents.inputs), captureSetting())
    case 19, 20: return port()
    case 21: return .channel(law.pick(LawEvents.inputs), number(below: 3), channelSetting())
    case 22: return .router(routerSetting())
    default: return world(id, stream)
    }
  }

  // MARK: Settings

  /// A move of a level or number that lies in a range.
  private mutating func move(_ range: ClosedRange<Double>) -> ControlMove {
    let value = range.lowerBound + (range.upperBound - range.lowerBound) * Double(number(below: 9)) / 8
    return law.pick([.set(value), .set(value, over: 3), .stop, .store(value)])
  }
  private mutating func level() -> ControlMove { move(-90...10) }

  private mutating func sessionSetting() -> SessionSetting {
    switch number(below: 18) {
    case 0: .name(law.pick(["A", "B"]))
    case 1, 2: .gain(level())
    case 3: .maximum(Double(number(below: 20) - 9))
    case 4: .muted(law.chance())
    case 5: .policy(law.pick([.default, .longFormAudio]))
    case 6: .notifiesOthers(law.chance())
    case 7: .permission(law.pick(RecordPermission.allCases))
    case 8: .captureExclusive(law.chance())
    case 9: .signalThreshold(move(-80...0))
    case 10: .signalHold(move(0...60))
    case 11: .lease(move(0...10))
    case 12, 13: .captureChannels(number(below: 4))
    case 14: .captureDestinations(law.chance() ? [] : [law.pick(Self.entries)])
    case 15: .captureRoute(law.chance())
    case 16: .captureSole(law.chance())
    default: .preferredRate(Double(number(below: 3)) * 44_100)
    }
  }

  private mutating func duckerSetting() -> SessionSetting {
    switch number(below: 4) {
    case 0: .duckLevel(law.chance() ? nil : move(-60...0))
    case 1: .duckAttack(law.chance() ? nil : move(0.001...10))
    case 2: .duckRelease(law.chance() ? nil : move(0.001...10))
    default: .duckExempt(law.chance())
    }
  }

  private mutating func streamSetting() -> StreamSetting {
    switch number(below: 11) {
    case 8: .inverted(inverted())
    case 9: .width(move(0...2))
    case 0, 1: .sources(law.chance() ? [.ports(law.pick(Self.entries))] : [input()])
    case 2: .gain(level())
    case 3: .muted(law.chance())
    case 4: .pan(move(-1...1))
    case 5: law.chance() ? .exclusive(law.chance()) : .loop(law.chance())
    case 6: .duckExempt(law.chance())
    case 7: .never(law.chance() ? [] : [law.pick(LawEvents.outputs)])
    default: route()
    }
  }

  private mutating func inverted() -> [ChannelNumber] {
    law.pick([[], [1], [2], [1, 2]]).compactMap { ChannelNumber($0) }
  }

  /// Some meters, in their order.
  private mutating func meters() -> [OutputMeter] {
    OutputMeter.allCases.filter { _ in law.chance() }
  }

  private mutating func sectionSetting() -> SectionSetting {
    switch number(below: 5) {
    case 0: .dim(law.chance())
    case 1: .dimLevel(Double(-number(below: 61)))
    case 2: .mono(law.chance())
    case 3: .swap(law.chance())
    default: .balance(move(-1...1))
    }
  }

  private mutating func input() -> StreamSource {
    .input(law.pick(LawEvents.inputs), channels: law.chance() ? nil : 1...2)
  }

  private mutating func route() -> StreamSetting {
    let (first, second) = (law.pick(LawEvents.outputs), law.pick(LawEvents.outputs))
    let text = law.pick([
      "\(first)", "\(first)=-6", "\(first):1-2", "\(first):2,\(second)", "none", "nowhere",
    ])
    // A text that names one output twice is no route.
    return (try? StreamRoute(text)).map { .route($0) } ?? .muted(false)
  }

  private mutating func destinationSetting() -> DestinationSetting {
    switch number(below: 5) {
    case 0: .on(law.chance())
    case 1: .gain(level())
    case 2: .pan(move(-1...1))
    case 3: .channels(law.pick([.default, .range(1...2), .range(2...2)]))
    default: .tap(law.pick(Tap.allCases))
    }
  }

  private mutating func captureSetting() -> CaptureSetting {
    law.chance() ? .on(law.chance()) : .gain(level())
  }
  private mutating func channelSetting() -> ChannelSetting {
    law.chance() ? .muted(law.chance()) : .gain(level())
  }

  private mutating func routerSetting() -> RouterSetting {
    switch number(below: 8) {
    case 0: .ramp(move(0.005...1))
    case 1: .fadeCurve(law.pick(FadeCurve.allCases))
    case 2: .panic(law.chance())
    case 3: .lock(law.chance())
    case 4: .meterRate(move(1...50))
    case 5: .duckLevel(move(-60...0))
    case 6: .duckAttack(move(0.001...10))
    default: .duckRelease(move(0.001...10))
    }
  }

  // MARK: Ports and the world

  private mutating func port() -> Event {
    let direction: Direction = law.chance() ? .output : .input
    let id = law.pick(direction == .output ? LawEvents.outputs : LawEvents.inputs)
    let setting: PortSetting =
      switch number(below: 14) {
      case 0: .name(law.pick(["A", "B"]))
      case 13:
        direction == .output
          ? law.pick([.meters(meters()), .meters(meters()), .resetMeters])
          : .echo(law.pick([nil, [], [law.pick(LawEvents.outputs)]]))
      case 1, 2: .gain(level())
      case 3: .maximum(Double(number(below: 20) - 9))
      case 4: .muted(law.chance())
      case 5: .automatic(law.chance())
      case 6: .plugged(law.chance())
      case 7: direction == .output ? .delay(move(0...2)) : .source(law.pick([nil, "front"]))
      case 8: .alignmentGroup(law.pick([nil, "stage"]))
      case 9: .ceiling(move(-30...0))
      case 10: direction == .output ? .section(sectionSetting()) : .trim(move(-18...18))
      case 11: law.chance() ? .width(move(0...2)) : .inverted(inverted())
      default: direction == .output ? .duckLimit(move(-60...0)) : .hardwareMuted(law.chance())
      }
    return .port(direction, id, setting)
  }

  /// A movement in the desktop's mixer.
  private mutating func mixer(
    _ id: SessionID, _ stream: StreamID, _ direction: Direction, _ port: PortID
  ) -> Event {
    let volume = DesktopVolume(percent: law.pick([0, 30, 100]), isMuted: law.chance())
    let programs = [ProgramVolume("Browser", volume)]
    return switch number(below: 3) {
    case 0: .desktopVolume(direction, port, volume)
    case 1: .programVolumes(id, stream, programs)
    default: .recorderVolumes(id, programs)
    }
  }

  private mutating func world(_ id: SessionID, _ stream: StreamID) -> Event {
    let direction: Direction = law.chance() ? .output : .input
    let port = law.pick(direction == .output ? LawEvents.outputs : LawEvents.inputs)
    switch number(below: 14) {
    case 13:
      let gaps =
        law.chance()
        ? ChannelGaps() : ChannelGaps(channels: [2], ports: ["mpv:out_3"], isFolded: law.chance())
      return .channelGaps(id, law.chance() ? stream : nil, gaps)
    case 8: return .receivesDirectly(id, law.chance() ? [] : ["mic:in"])
    case 9:
      return .directPrograms(law.chance() ? [] : [DirectProgram(client: "Game", sinks: ["usb:1"])])
    case 10: return .vanishing(id, law.chance())
    case 11:
      return law.chance()
        ? .quiet(id, law.chance()) : .streamSilence(id, stream, law.pick([nil, .quiet, .unconnected]))
    case 12: return mixer(id, stream, direction, port)
    case 0: return .heardDirectly(id, stream, law.chance() ? [] : ["usb:1"])
    case 1: return .alive(id)
    case 2: return .align(LawEvents.outputs)
    case 3:
      return .measured(
        direction, port, latency: Double(number(below: 3)) / 100,
        isLimiting: direction == .output && law.chance())
    case 4: return .bridge(direction, port, law.pick([.resting, .running, .failed("it ended", retry: 2)]))
    case 5: return law.chance() ? .forgetPort(direction, port) : declaration(direction, port)
    default: return declaration(direction, port)
    }
  }

  private mutating func declaration(_ direction: Direction, _ id: PortID) -> Event {
    var port = LawEvents.port(id, direction)
    port.isNamedByPreset = number(below: 4) > 0
    if direction == .input, law.chance() {
      let modes: [Mode] = law.chance() ? [] : [.default, .voiceChat]
      port.sources = [Port.DataSource(id: "front", globs: [law.pick(Self.globs)], modes: modes)]
    }
    if law.chance() { port.globs.append(law.pick(Self.globs)) }
    if number(below: 6) == 0 { port.declaredChannels += 1 }
    return .declarePort(direction, port)
  }
}
