import SessionModel

extension Parameter {
  /// The address, with names in place of the placeholders.
  public func address(at target: Target) -> String {
    parts.map { part in "/" + (Placeholder(rawValue: String(part))?.name(in: target) ?? String(part)) }
      .joined()
  }
}

extension Placeholder {
  /// The name that a target has for this placeholder.
  fileprivate func name(in target: Target) -> String? {
    switch self {
    case .session: target.session?.name
    case .stream: target.stream?.name
    case .output: target.output?.name
    case .input: target.input?.name
    case .other: target.other?.name
    case .source: target.source?.name
    case .capture: target.capture?.name
    case .preset: target.preset?.name
    case .player: target.player?.name
    case .recorder: target.recorder?.name
    case .group: target.group?.name
    case .channel: target.channel.map { "\($0)" }
    case .strip: target.strip.map { "\($0)" }
    case .bank: target.bank.map { "\($0)" }
    case .talkback: target.talkback?.name
    case .effect: target.effect.map { "\($0)" }
    case .control: target.control
    case .meter: target.meter
    }
  }
}
