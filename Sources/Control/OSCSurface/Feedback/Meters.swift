import ControlInterface
import Effects
import OSC
import Parameters
import Patterns
import SessionModel

/// The present values of the meters: peaks in dBFS by address.
struct MeterBoard: Sendable {
  private(set) var peaks: [String: [Float]] = [:]
  /// Peak and average power of players and recorders, in dBFS by address.
  private(set) var powers: [String: [Float]] = [:]
  /// What the meters show that outputs ask for, by address.
  private(set) var readings: [String: (value: MeterValue, levels: [Float])] = [:]
  /// What plugins show, by address.
  private(set) var shown: [String: Float] = [:]
  /// Changes whenever a meter comes or goes, or has another number of channels.
  private(set) var layout = 1
  /// The addresses of meters that reached 0 dBFS since their clip lamps were reset.
  private var clipped: Set<String> = []

  /// The meters of strips, as addresses of their targets' meters by number.
  private var strips: [Int: String] = [:]
  /// Strips that have lost their target or got another one since their meters were held last.
  private var changedStrips: Set<Int> = []

  /// The value of a meter for digital silence, in dBFS.
  static let floor: Float = -160

  /// Takes the targets of strips.
  mutating func follow(_ strips: Strips) {
    let former = self.strips
    self.strips = Dictionary(
      uniqueKeysWithValues: strips.assigned.compactMap { number, target in
        target.meter.map { (number, $0) }
      })
    changedStrips.formUnion(Strips.numbers.filter { former[$0] != self.strips[$0] })
  }

  /// The meters of the members of each group, by the address of the group's meter.
  private var groups: [(meter: String, members: [String])] = []

  /// Takes the members of groups.
  mutating func followGroups(of state: RouterState) {
    groups = state.groups.values.map { group in
      ("/meter/group/\(group.id)", state.members(of: group).map(\.meter))
    }
  }

  /// Ends the notice of changed strips, after all subscriptions have held it.
  mutating func noteHeld() { changedStrips = [] }

  mutating func take(_ levels: MeterLevels) {
    let former = self
    (peaks, powers, readings, shown) = ([:], [:], [:], [:])
    for (meter, value) in levels.effects {
      shown["\(meter.place.address)/effect/\(meter.effect)/meter/\(meter.symbol)"] = value
    }
    for (port, values) in levels.readings {
      for (value, levels) in values { readings["/meter/output/\(port)/\(value.rawValue)"] = (value, levels) }
    }
    for (player, power) in levels.players { take(power, at: "/player/\(player)") }
    for (recorder, power) in levels.recorders { take(power, at: "/recorder/\(recorder)") }
    for (port, values) in levels.inputs { peaks["/meter/input/\(port)"] = values.map(Self.decibels) }
    for (port, values) in levels.outputs { peaks["/meter/output/\(port)"] = values.map(Self.decibels) }
    for (session, values) in levels.captures {
      peaks["/meter/capture/\(session)"] = values.map(Self.decibels)
    }
    for (session, streams) in levels.streams {
      var widest: [Float] = []
      for (stream, values) in streams {
        let levels = values.map(Self.decibels)
        peaks["/meter/stream/\(session)/\(stream)"] = levels
        widest = Self.louder(widest, levels)
      }
      peaks["/meter/session/\(session)"] = widest
    }
    for (meter, members) in groups {
      peaks[meter] = members.reduce([]) { Self.louder($0, peaks[$1] ?? powers[$1] ?? []) }
    }
    for (address, values) in peaks where values.contains(where: { $0 >= 0 }) { clipped.insert(address) }
    if !hasMeters(of: former) { layout += 1 }
  }

  /// Has all meters fall to silence, because nothing measures any more. Plugins show nothing.
  mutating func fallSilent() {
    peaks = peaks.mapValues { $0.map { _ in Self.floor } }
    powers = powers.mapValues { $0.map { _ in Self.floor } }
    readings = readings.mapValues { value, levels in (value, levels.map { _ in value.silence }) }
    guard !shown.isEmpty else { return }
    shown = [:]
    layout += 1
  }

  /// Whether there are the same meters with the same channels.
  private func hasMeters(of other: Self) -> Bool {
    let hasSameCounts =
      peaks.count == other.peaks.count && powers.count == other.powers.count
      && readings.count == other.readings.count && shown.count == other.shown.count
    return hasSameCounts && peaks.allSatisfy { other.peaks[$0.key]?.count == $0.value.count }
      && powers.keys.allSatisfy { other.powers[$0] != nil }
      && readings.allSatisfy { other.readings[$0.key]?.levels.count == $0.value.levels.count }
      && shown.keys.allSatisfy { other.shown[$0] != nil }
  }

  private mutating func take(_ power: MeterLevels.Power, at address: String) {
    (powers["\(address)/peak"], powers["\(address)/average"]) = (power.peaks, power.averages)
  }

  /// Resets the clip lamp to which a reset address belongs.
  mutating func resetClip(at match: Match) {
    clipped.remove(match.address.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" })
  }

  /// The answer to a `/get`.
  func read(_ match: Match, _ state: RouterState) -> [OSCArgument]? {
    guard match.parameter.isMeter, match.missingMeter(in: state) == nil else { return nil }
    if let meter = state.meter(at: match.target) { return peak(match) ?? [.float(meter.standard)] }
    if let value = match.parameter.meterValue {
      return peak(match) ?? value.silence(of: match.target.output.flatMap { state.outputs[$0] })
    }
    if let number = match.target.strip {
      return levels(of: match, state.strips.target(of: number)?.meter.map { peaks(at: $0) })
    }
    return peak(match)
      ?? Placeholder.channel.names(in: state, at: match.target).map { _ in .float(Self.floor) }
  }

  /// The last reading of a meter; nil for one of all channels that has no levels.
  func peak(_ match: Match) -> [OSCArgument]? {
    if let number = match.target.strip { return levels(of: match, strips[number].map { peaks(at: $0) }) }
    if match.target.meter != nil { return shown[match.address].map { [.float($0)] } }
    if match.parameter.meterValue != nil { return readings[match.address]?.levels.map(OSCArgument.float) }
    if case .meter(channels: true) = match.parameter.kind {
      return (peaks[match.address] ?? powers[match.address])?.map(OSCArgument.float)
    }
    guard let slash = match.address.lastIndex(of: "/") else { return nil }
    let meter = String(match.address[..<slash])
    let values = peaks[meter] ?? readings[meter]?.levels ?? []
    guard let channel = match.target.channel else {
      let isLit = match.address.hasSuffix("/clip") ? clipped.contains(meter) : Self.hasSignal(values)
      return Value.flag(isLit).arguments
    }
    return [.float(values.indices.contains(channel - 1) ? Self.position(values[channel - 1]) : 0)]
  }

  /// The reading of a strip's meter.
  private func levels(of match: Match, _ peaks: [Float]?) -> [OSCArgument] {
    let values = peaks ?? [Self.floor]
    guard case .meter(channels: true) = match.parameter.kind else {
      return [.float(Self.position(values.max() ?? Self.floor))]
    }
    return values.map(OSCArgument.float)
  }

  /// The peaks of a meter; silence if it has none.
  private func peaks(at address: String) -> [Float] {
    let values = peaks[address] ?? powers[address] ?? []
    return values.isEmpty ? [Self.floor] : values
  }

  /// Keeps the highest peak of strips until the next message of a subscription to them. A strip without its former target falls to silence.
  private func holdStrips(in subscription: inout Subscription) {
    let wanted = subscription.wantedMeters.strips
    guard !wanted.isEmpty else { return }
    let isFirst = !subscription.hasHeldStrips
    subscription.hasHeldStrips = true
    for strip in wanted {
      let isChanged = isFirst || changedStrips.contains(strip.number)
      let target = strips[strip.number]
      guard isChanged || target != nil else { continue }
      let values = target.map { peaks(at: $0) } ?? [Self.floor]
      let levels = strip.isPosition ? [Self.position(values.max() ?? Self.floor)] : values
      let held = isChanged ? [] : subscription.heldMeters[strip.address] ?? []
      subscription.heldMeters[strip.address] = Self.louder(held, levels)
    }
  }

  /// Keeps the highest peak until the next message of each subscription.
  func hold(in subscription: inout Subscription) {
    if subscription.wantedMeters.layout != layout {
      subscription.wantedMeters = WantedMeters(of: subscription, among: self)
    }
    holdStrips(in: &subscription)
    let wanted = subscription.wantedMeters
    func hold(_ levels: [Float], at address: String) {
      subscription.heldMeters[address] = Self.louder(subscription.heldMeters[address] ?? [], levels)
    }
    for address in wanted.shown { subscription.heldMeters[address] = shown[address].map { [$0] } }
    for address in wanted.levels { hold(peaks[address] ?? powers[address] ?? [], at: address) }
    for address in wanted.readings {
      guard let reading = readings[address] else { continue }
      if reading.value.isHeld {
        hold(reading.levels, at: address)
      } else {
        subscription.heldMeters[address] = reading.levels
      }
    }
    for channel in wanted.channels {
      let levels = peaks[channel.meter] ?? readings[channel.meter]?.levels ?? []
      hold([Self.position(levels[channel.index])], at: channel.address)
    }
    for lamp in wanted.lamps {
      let isLit = lamp.isClip ? clipped.contains(lamp.meter) : Self.hasSignal(peaks[lamp.meter] ?? [])
      subscription.heldLamps[lamp.address] = isLit || subscription.heldLamps[lamp.address] ?? false
    }
  }

  private static func hasSignal(_ peaks: [Float]) -> Bool { peaks.contains { $0 > -60 } }

  private static func louder(_ left: [Float], _ right: [Float]) -> [Float] {
    let (long, short) = left.count >= right.count ? (left, right) : (right, left)
    return long.enumerated().map { index, value in index < short.count ? max(value, short[index]) : value }
  }

  private static func decibels(_ amplitude: Float) -> Float {
    amplitude > 0 ? max(floor, Float(Decibels.exact(amplitude: Double(amplitude)))) : floor
  }

  /// Maps -60...0 dBFS to 0...1.
  private static func position(_ decibels: Float) -> Float { min(max((decibels + 60) / 60, 0), 1) }
}

extension StripTarget {
  /// The address of the meter that shows the target; that of its stream for a send, and nil for a control.
  fileprivate var meter: String? {
    switch self {
    case .session(let id): "/meter/session/\(id)"
    case .stream(let id, let stream), .send(let id, let stream, _): "/meter/stream/\(id)/\(stream)"
    case .output(let id): "/meter/output/\(id)"
    case .input(let id): "/meter/input/\(id)"
    case .player(let id): "/player/\(id)/peak"
    case .group(let id): "/meter/group/\(id)"
    case .control: nil
    }
  }
}

extension GroupMember {
  /// The address of the meter that shows the member.
  fileprivate var meter: String {
    if case .capture(let id) = self { return "/meter/capture/\(id)" }
    return strip?.meter ?? ""
  }
}
