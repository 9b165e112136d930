internal import EffectKernel
internal import MixKernel

/// The part of a structure's table that is about chains of effects, while the table is made.
struct EffectsLayout {
  /// The chains in the order of the table: those of one program next to each other.
  let stores: [EffectNodeStore]
  private let sources, sinks: [EffectChannel: Int]
  /// The copies of sinks that each side chain hears.
  private var keys: [ObjectIdentifier: [KeyLine]] = [:]

  init(_ mix: MixStructure) {
    var (sources, sinks): ([EffectChannel: Int], [EffectChannel: Int]) = ([:], [:])
    var stores: [EffectNodeStore] = []
    func note(_ store: EffectNodeStore) {
      if !stores.contains(where: { $0 === store }) { stores.append(store) }
    }
    for (index, source) in mix.sources.enumerated() {
      guard case .effect(let channel) = source.endpoint else { continue }
      note(channel.store)
      precondition(
        sources.updateValue(index, forKey: channel) == nil, "two sources have one channel of a chain")
    }
    for (index, sink) in mix.sinks.enumerated() {
      if let insert = sink.insert { note(insert.store) }
      guard case .effect(let channel) = sink.endpoint else { continue }
      note(channel.store)
      precondition(sinks.updateValue(index, forKey: channel) == nil, "two sinks write one channel of a chain")
    }
    var programs: [ObjectIdentifier: [EffectNodeStore]] = [:]
    for store in stores { programs[ObjectIdentifier(store.blocks), default: []].append(store) }
    (self.sources, self.sinks) = (sources, sinks)
    self.stores = stores.flatMap { programs.removeValue(forKey: ObjectIdentifier($0.blocks)) ?? [] }
  }

  /// Takes the watches that copy sinks for side chains.
  mutating func take(_ watches: some Sequence<Int>, of keys: [MixStructure.Key]) {
    for (key, watch) in zip(keys, watches) {
      guard case .side(let number) = key.channel.kind else { preconditionFailure("a key is a side chain's") }
      precondition(sinks[key.channel] == nil, "a sink and a copy write one channel of a side chain")
      let store = key.channel.store
      self.keys[ObjectIdentifier(store), default: []].append(
        KeyLine(copy: watch, channel: store.channels + number))
    }
  }

  func place(in arena: Arena) -> [EffectUse] {
    stores.indices.map { index in
      let store = stores[index]
      let outputs = (0..<store.channels).map { sources[EffectChannel(store, .output($0))] ?? -1 }
      let sides = (0..<store.sideChannels).map { sinks[EffectChannel(store, .side($0))] ?? -1 }
      let keys = keys[ObjectIdentifier(store)] ?? []
      let hearsSide = !keys.isEmpty || sides.contains { $0 >= 0 }
      let inputs =
        (0..<store.channels).map { sinks[EffectChannel(store, .input($0))] ?? -1 } + (hearsSide ? sides : [])
      let isLast = index + 1 == stores.count || stores[index + 1].blocks !== store.blocks
      return EffectUse(
        node: store.node, sources: arena.make(outputs), sourceCount: outputs.count, sinks: arena.make(inputs),
        sinkCount: inputs.count, keys: arena.make(keys), keyCount: keys.count, asks: isLast)
    }
  }
}
