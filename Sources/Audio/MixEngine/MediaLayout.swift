internal import MediaKernel
internal import MixKernel
internal import MixLoops

/// The table of a structure's players and recorders, while the table is made.
struct MediaLayout {
  /// The stores in the order of the table, which is also that of their orders in a plan.
  private(set) var decks: [DeckPairStore] = []
  private(set) var taps: [RecorderTapStore] = []
  private var deckLines: [ObjectIdentifier: [DeckLine]] = [:]
  private var tapLines: [ObjectIdentifier: [TapLine]] = [:]
  private var deckSources: [Int] = []
  /// The recorded sinks, each with its group, in the order of the telemetry: channels of taps, then copies.
  private var watches: [(group: Int, watch: SinkWatch)] = []
  private let groupCount: Int

  init(_ mix: MixStructure) {
    groupCount = wholeGroups(mix.sinks.count) / groupSinks
    for (index, source) in mix.sources.enumerated() {
      precondition(source.endpoint.tap == nil, "a recorder's tap is no source")
      if let channel = source.endpoint.deck { add(channel, source: index) }
    }
    for (index, sink) in mix.sinks.enumerated() {
      precondition(sink.endpoint.deck == nil, "a player's deck is no sink")
      guard let channel = sink.endpoint.tap else { continue }
      precondition(sink.output == nil, "a recorder's tap belongs to no output; use `copies` to record one")
      add(channel, TapLine(channel: channel.channel, sink: index))
      watch(index)
    }
    // The audio thread finds watches by their group, so a line must know where its watch ends up.
    for copy in mix.copies {
      precondition(mix.sinks.indices.contains(copy.sink), "a copy of a sink that is not there")
      watch(copy.sink)
    }
    let order = watches.indices.sorted { (watches[$0].group, $0) < (watches[$1].group, $1) }
    var places = Array(repeating: 0, count: order.count)
    for (place, watch) in order.enumerated() { places[watch] = place }
    for (copy, place) in zip(mix.copies, places.suffix(mix.copies.count)) {
      add(copy.tap, TapLine(channel: copy.tap.channel, copy: place))
    }
    watches = order.map { watches[$0] }
    for store in taps { fill(store) }
  }

  private mutating func add(_ channel: DeckChannel, source: Int) {
    let store = ObjectIdentifier(channel.store)
    if deckLines[store] == nil { decks.append(channel.store) }
    deckLines[store, default: []].append(DeckLine(source: source, channel: channel.channel))
    deckSources.append(source)
  }

  private mutating func add(_ channel: TapChannel, _ line: TapLine) {
    let store = ObjectIdentifier(channel.store)
    if tapLines[store] == nil { taps.append(channel.store) }
    precondition(
      tapLines[store, default: []].allSatisfy { $0.channel != channel.channel },
      "two sinks write one channel of a recorder's tap")
    tapLines[store, default: []].append(line)
  }

  private mutating func watch(_ sink: Int) {
    let square = deckSources.count + watches.count
    watches.append((sink / groupSinks, SinkWatch(lane: sink % groupSinks, square: square)))
  }

  /// Adds the channels that no sink writes, which are silent: their memory would still hold old samples.
  private mutating func fill(_ store: RecorderTapStore) {
    let lines = tapLines[ObjectIdentifier(store), default: []]
    let used = Set(lines.map(\.channel))
    let unused = (0..<store.channelCount).filter { !used.contains($0) }
    tapLines[ObjectIdentifier(store)] = lines + unused.map { TapLine(channel: $0) }
  }

  /// Makes the table; nil if there are neither players nor recorders.
  func place(in arena: Arena) -> UnsafeMutablePointer<MediaUse>? {
    guard !decks.isEmpty || !taps.isEmpty else { return nil }
    let deckUses = decks.map { store in
      let lines = deckLines[ObjectIdentifier(store), default: []]
      return DeckUse(pair: store.pair, lines: arena.make(lines), lineCount: lines.count)
    }
    let tapUses = taps.map { store in
      let lines = tapLines[ObjectIdentifier(store), default: []]
      return TapUse(tap: store.tap, lines: arena.make(lines), lineCount: lines.count)
    }
    let starts = (0...groupCount).map { group in watches.count { $0.group < group } }
    let squareCount = deckSources.count + watches.count
    return arena.make([
      MediaUse(
        deckCount: decks.count, decks: arena.make(deckUses), tapCount: taps.count,
        taps: arena.make(tapUses), deckSourceCount: deckSources.count,
        deckSources: arena.make(deckSources), watchStart: arena.make(starts),
        watches: arena.make(watches.map(\.watch)), squareCount: squareCount,
        squares: arena.make(squareCount, of: 0))
    ])
  }
}

extension MixStructure.Endpoint {
  fileprivate var deck: DeckChannel? { if case .deck(let channel) = self { channel } else { nil } }
  fileprivate var tap: TapChannel? { if case .tap(let channel) = self { channel } else { nil } }
}
