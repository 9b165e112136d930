internal import MixKernel
internal import Rings

/// The table of a ring that a structure reads or writes, while the table is made.
struct RingLayout {
  let store: RingStore
  private let isSource: Bool
  private let lines: [RingLine]

  /// The rings that the sources of a mix read, and then those that its sinks write.
  static func uses(of mix: MixStructure) -> [RingLayout] {
    uses(of: mix.sources.map(\.endpoint), isSource: true)
      + uses(of: mix.sinks.map(\.endpoint), isSource: false)
  }

  private static func uses(of endpoints: [MixStructure.Endpoint], isSource: Bool) -> [RingLayout] {
    var stores: [RingStore] = []
    var lines: [ObjectIdentifier: [RingLine]] = [:]
    for (index, endpoint) in endpoints.enumerated() {
      guard case .ring(let channel) = endpoint else { continue }
      let ring = ObjectIdentifier(channel.store)
      if lines[ring] == nil { stores.append(channel.store) }
      lines[ring, default: []].append(RingLine(index: index, channel: channel.channel))
    }
    return stores.map { store in
      RingLayout(store, lines: lines[ObjectIdentifier(store), default: []], isSource: isSource)
    }
  }

  private init(_ store: RingStore, lines: [RingLine], isSource: Bool) {
    (self.store, self.isSource) = (store, isSource)
    let used = Set(lines.map(\.channel))
    precondition(isSource || used.count == lines.count, "two sinks write one channel of a ring")
    // The memory of a channel that no sink writes would still hold old samples.
    let unused = isSource ? [] : (0..<store.channelCount).filter { !used.contains($0) }
    self.lines = lines + unused.map { RingLine(index: -1, channel: $0) }
  }

  func place(in arena: Arena) -> RingUse {
    RingUse(ring: store.ring, isSource: isSource, lines: arena.make(lines), lineCount: lines.count)
  }
}

extension MixStructure.Endpoint {
  /// The number by which the process callback knows the port; 0 for any other endpoint.
  var handle: UInt {
    if case .port(let port) = self { port.rawValue } else { 0 }
  }
}
