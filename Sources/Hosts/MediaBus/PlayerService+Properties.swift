import Queues

extension PlayerService {
  /// Answers Get, GetAll and Set.
  func properties(_ call: PlayerCall, at time: Double, _ ask: (RemoteRequest) -> Void) -> PlayerAnswer {
    let texts = call.arguments.prefix(2).map { $0.text ?? "" }
    guard let interface = PlayerInterface(rawValue: texts[0]) else {
      return .refusal(.unknownInterface, "there is no interface \(texts[0])")
    }
    let values = values(of: interface, at: time)
    if call.member == "GetAll" { return .values([.table(values)]) }
    guard let property = interface.property(texts[1]), let value = values[property.name] else {
      return .refusal(.unknownProperty, "\(interface.rawValue) has no property \(texts[1])")
    }
    if call.member == "Get" { return .values([.variant(value)]) }
    guard property.isWritable else { return .refusal(.readOnly, "\(property.name) can only be read") }
    guard case .variant(let wanted)? = call.arguments.last, wanted.signature == property.type else {
      return .refusal(.badArguments, "\(property.name) is of the type '\(property.type)'")
    }
    return set(property.name, wanted, ask)
  }

  private func values(of interface: PlayerInterface, at time: Double) -> [String: BusValue] {
    switch interface {
    case .root:
      return [
        "CanQuit": .bool(false), "CanRaise": .bool(false), "HasTrackList": .bool(false),
        "Identity": .string(identity), "SupportedUriSchemes": .strings([]),
        "SupportedMimeTypes": .strings([]),
      ]
    case .player:
      var values = NowPlaying.properties(now)
      values["Position"] = NowPlaying.microseconds(now?.position(at: time) ?? 0)
      return values
    case .properties, .introspectable: return [:]
    }
  }

  private func set(_ name: String, _ value: BusValue, _ ask: (RemoteRequest) -> Void) -> PlayerAnswer {
    guard let now else { return .refusal(.failed, "\(identity) has no player that plays") }
    switch (name, value) {
    case ("LoopStatus", .string(let text)):
      guard let mode = RepeatMode.allCases.first(where: { $0.loopStatus == text }) else {
        let all = RepeatMode.allCases.map(\.loopStatus).joined(separator: ", ")
        return .refusal(.badArguments, "LoopStatus is one of \(all), not \(text)")
      }
      ask(.repeats(mode))
    case ("Shuffle", .bool(let isOn)): ask(.shuffle(isOn))
    case ("Rate", .double(let rate)):
      // MPRIS: a rate of 0 is a pause.
      if rate == 0, now.canPause {
        ask(.verb(.pause))
      } else if now.rates.contains(rate) {
        ask(.rate(rate))
      } else {
        let range = "\(now.rates.lowerBound) to \(now.rates.upperBound)"
        return .refusal(.badArguments, "Rate is \(range), not \(rate)")
      }
    case ("Volume", .double(let volume)):
      guard volume.isFinite else { return .refusal(.badArguments, "Volume is 0 to 1, not \(volume)") }
      ask(.gain(NowPlaying.gain(volume: volume)))
    default: break
    }
    return .done
  }
}
