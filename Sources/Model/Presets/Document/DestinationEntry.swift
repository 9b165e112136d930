import Parameters
import SessionModel

/// The entry of one destination of a stream. All is behind one reference, because a recall copies thousands of entries.
struct DestinationEntry: Sendable {
  private let content: Content

  private final class Content: Sendable {
    let place: Place
    let channels: ChannelSelection
    let leaves: [Leaf]
    let steps: [Step?]
    /// The positions of the leaves `gain`, `pan`, `tap`, `on` and `map`. A recall asks for them at each of thousands of destinations.
    let gain, pan, tap, on, map: Int?

    init(_ place: Place, _ channels: ChannelSelection, _ leaves: [Leaf], _ steps: [Step?]) {
      (self.place, self.channels, self.leaves, self.steps) = (place, channels, leaves, steps)
      func position(_ key: String) -> Int? { leaves.firstIndex { $0.key == key } }
      (gain, pan, tap) = (position("gain"), position("pan"), position("tap"))
      (on, map) = (position("on"), position("map"))
    }
  }

  var place: Place { content.place }
  /// The channels in its key; the key `map` may have them instead.
  var channels: ChannelSelection { content.channels }
  var leaves: [Leaf] { content.leaves }

  init(place: Place, channels: ChannelSelection, leaves: [Leaf] = []) {
    content = Content(place, channels, leaves, [])
  }

  /// An entry with the steps with which a recall sets its leaves. To make thousands of them takes a third of the time of a recall.
  ///
  /// - Parameter target: the destination that the steps set.
  private init(_ entry: DestinationEntry, withStepsAt target: Target) {
    let steps = entry.leaves.map { leaf in
      Table.parameter(leaf.key, of: .destination).flatMap { Step(leaf, $0, at: target, storing: true) }
    }
    content = Content(entry.place, entry.channels, entry.leaves, steps)
  }

  fileprivate mutating func makeSteps(at target: Target) {
    self = DestinationEntry(self, withStepsAt: target)
  }
}

// MARK: Steps

extension DestinationEntry {
  /// The settings that a destination lacks to be as an entry says.
  struct Needs: OptionSet {
    let rawValue: UInt8
    static let channels = Needs(rawValue: 1)
    static let gain = Needs(rawValue: 2)
    static let tap = Needs(rawValue: 4)
    static let on = Needs(rawValue: 8)
    static let pan = Needs(rawValue: 16)
  }

  private static let usual = Destination()
  /// Stands for a destination that the state does not have.
  private static let absent = Destination(isOn: false)

  /// What a destination lacks.
  ///
  /// - Parameters:
  ///   - former: the destinations of the stream in the state before; nil for a new stream.
  ///   - cursor: where the search in these goes on.
  ///   - isWhole: whether keys that the entry does not name return to their defaults.
  ///   - time: router time in seconds.
  ///   - isStored: whether `/reset` returns to the value from now on.
  func needs(
    among former: Registry<PortID, Destination>?, _ port: PortID,
    at cursor: inout Registry<PortID, Destination>.Cursor, isWhole: Bool, time: Double, storing isStored: Bool
  ) -> Needs {
    let named = named(isWhole)
    guard let former else { return named.union(.channels) }
    return former.read(port, at: &cursor) { lacks($0, of: named, at: time, storing: isStored) }
      ?? lacks(Self.absent, of: named, at: time, storing: isStored).union(.channels)
  }

  /// The settings that the entry names, or that it returns to their defaults.
  private func named(_ isWhole: Bool) -> Needs {
    var named: Needs = .on
    if isWhole || content.gain != nil { named.insert(.gain) }
    if isWhole || content.pan != nil { named.insert(.pan) }
    if isWhole || content.tap != nil { named.insert(.tap) }
    return named
  }

  private func lacks(
    _ destination: Destination, of named: Needs, at time: Double, storing isStored: Bool
  ) -> Needs {
    var needs: Needs = []
    // A map is compared when its step is made.
    if content.map != nil || destination.channels != content.channels { needs.insert(.channels) }
    if named.contains(.gain),
      !holds(content.gain, destination.gain, Self.usual.gain, at: time, storing: isStored)
    {
      needs.insert(.gain)
    }
    if named.contains(.pan), !holds(content.pan, destination.pan, Self.usual.pan, at: time, storing: isStored)
    {
      needs.insert(.pan)
    }
    if named.contains(.tap), !holds(content.tap, destination.tap, Self.usual.tap) { needs.insert(.tap) }
    let isOn = content.on.map { content.leaves[$0].value == .flag(destination.isOn) } ?? destination.isOn
    if !isOn { needs.insert(.on) }
    return needs
  }

  private func holds(
    _ index: Int?, _ control: Control, _ usual: Control, at time: Double, storing isStored: Bool
  ) -> Bool {
    control.holds(
      index.map { content.leaves[$0].value } ?? .number(usual.target), at: time, storing: isStored)
  }

  private func holds(_ index: Int?, _ tap: Tap, _ usual: Tap) -> Bool {
    index.map { content.leaves[$0].value == .text(tap.rawValue) } ?? (tap == usual)
  }

  /// Appends the steps that a destination needs. The channels come first, so that all further steps are judged by them. The destination is switched
  /// on last.
  func appendSteps(_ needs: Needs, to list: inout StepList, at target: () -> Target) {
    if needs.contains(.channels) { appendChannels(to: &list, at: target()) }
    func append(_ need: Needs, _ key: String, _ index: Int?, usual: @autoclosure () -> Value) {
      guard needs.contains(need) else { return }
      if list.isStored, let index, content.steps.indices.contains(index), let step = content.steps[index] {
        return list.append(step)
      }
      guard let parameter = Table.parameter(key, of: .destination) else { return }
      let leaf = index.map { content.leaves[$0] } ?? Leaf(key, usual(), at: place)
      list.append(changed: leaf, parameter, at: target())
    }
    append(.gain, "gain", content.gain, usual: .number(Self.usual.gain.target))
    append(.pan, "pan", content.pan, usual: .number(Self.usual.pan.target))
    append(.tap, "tap", content.tap, usual: .text(Self.usual.tap.rawValue))
    append(.on, "on", content.on, usual: .flag(true))
  }

  private func appendChannels(to list: inout StepList, at target: Target) {
    if let map = content.map { return list.append(content.leaves[map], of: .destination, at: target) }
    guard let session = target.session, let stream = target.stream, let port = target.output else { return }
    list.append(.destination(session, stream, port, .channels(channels)), about: target, at: place)
  }
}

extension PresetDocument {
  /// Makes the steps of all destinations, for recalls.
  mutating func makeSteps() {
    for (session, entry) in sessions {
      for (stream, streamEntry) in entry.streams {
        var destinations = streamEntry.destinations
        for port in destinations.keys {
          let target = Target(session: session, stream: stream, output: port)
          destinations.update(port) { $0.makeSteps(at: target) }
        }
        sessions.update(session) { $0.streams.update(stream) { $0.destinations = destinations } }
      }
    }
  }
}
