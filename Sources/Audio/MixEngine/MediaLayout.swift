internal import MediaKernel
internal import MixKernel
internal import MixLoops
internal import VoiceKernel

/// The table of a structure's players, recorders, voice processings and effects, while the table is made.
struct MediaLayout {
  /// The stores in the order of the table, which is also that of their orders in a plan.
  private(set) var decks: [DeckPairStore] = []
  private(set) var taps: [RecorderTapStore] = []
  private(set) var voices: [VoiceNodeStore] = []
  private(set) var effects: EffectsLayout
  private var deckLines: [ObjectIdentifier: [DeckLine]] = [:]
  private var tapLines: [TapChannel: SinkLine] = [:]
  private var voiceSources: [VoiceChannel: Int] = [:]
  private var voiceLines: [VoiceChannel: SinkLine] = [:]
  private var deckSources: [Int] = []
  /// The watched sinks, each with its group, in the order of the telemetry: channels of taps, then copies into taps. Those for meters, voice
  /// processing and side chains follow, which are not measured.
  private var watches: [(group: Int, watch: SinkWatch)] = []
  private let groupCount: Int

  init(_ mix: MixStructure) {
    groupCount = wholeGroups(mix.sinks.count) / groupSinks
    effects = EffectsLayout(mix)
    for (index, source) in mix.sources.enumerated() {
      precondition(source.endpoint.tap == nil, "a recorder's tap is no source")
      if let channel = source.endpoint.deck { add(channel, source: index) }
      if let channel = source.endpoint.voice { add(channel, source: index) }
    }
    for (index, sink) in mix.sinks.enumerated() {
      precondition(sink.endpoint.deck == nil, "a player's deck is no sink")
      if let channel = sink.endpoint.voice { add(channel, SinkLine(sink: index)) }
      guard let channel = sink.endpoint.tap else { continue }
      precondition(sink.output == nil, "a recorder's tap belongs to no output; use `copies` to record one")
      add(channel, SinkLine(sink: index))
      watch(index)
    }
    // The audio thread finds watches by their group, so a line must know where its watch ends up.
    for copy in mix.copies {
      precondition(mix.sinks.indices.contains(copy.sink), "a copy of a sink that is not there")
      watch(copy.sink)
    }
    for copy in mix.metered { watch(copy.sink, isMeasured: false) }
    for copy in mix.loudspeakers { watch(copy.sink, isMeasured: false) }
    for key in mix.keys { watch(key.sink, isMeasured: false, share: key.share) }
    let order = watches.indices.sorted { (watches[$0].group, $0) < (watches[$1].group, $1) }
    var places = Array(repeating: 0, count: order.count)
    for (place, watch) in order.enumerated() { places[watch] = place }
    let copies = mix.copies + mix.metered
    effects.take(places.suffix(mix.keys.count), of: mix.keys)
    let loudspeakerPlaces = places.dropLast(mix.keys.count).suffix(mix.loudspeakers.count)
    let copyPlaces = places.dropLast(mix.keys.count + mix.loudspeakers.count).suffix(copies.count)
    for (copy, place) in zip(copies, copyPlaces) {
      add(copy.tap, SinkLine(copy: place))
    }
    for (copy, place) in zip(mix.loudspeakers, loudspeakerPlaces) {
      add(copy.channel, SinkLine(copy: place))
    }
    watches = order.map { watches[$0] }
  }

  private mutating func add(_ channel: DeckChannel, source: Int) {
    let store = ObjectIdentifier(channel.store)
    if deckLines[store] == nil { decks.append(channel.store) }
    deckLines[store, default: []].append(DeckLine(source: source, channel: channel.channel))
    deckSources.append(source)
  }

  private mutating func add(_ channel: TapChannel, _ line: SinkLine) {
    if !taps.contains(where: { $0 === channel.store }) { taps.append(channel.store) }
    precondition(
      tapLines.updateValue(line, forKey: channel) == nil, "two sinks write one channel of a recorder's tap")
  }

  private mutating func add(_ channel: VoiceChannel, source: Int) {
    note(channel.store)
    precondition(voiceSources.updateValue(source, forKey: channel) == nil, "two sources have one voice")
  }

  private mutating func add(_ channel: VoiceChannel, _ line: SinkLine) {
    note(channel.store)
    precondition(
      voiceLines.updateValue(line, forKey: channel) == nil,
      "two sinks write one channel of a voice processing"
    )
  }

  private mutating func note(_ store: VoiceNodeStore) {
    if !voices.contains(where: { $0 === store }) { voices.append(store) }
  }

  private mutating func watch(_ sink: Int, isMeasured: Bool = true, share: Float? = nil) {
    let square = isMeasured ? deckSources.count + watches.count : -1
    watches.append((sink / groupSinks, SinkWatch(lane: sink % groupSinks, square: square, share: share)))
  }

  /// Makes the table; nil if there is nothing for it.
  func place(in arena: Arena) -> UnsafeMutablePointer<MediaUse>? {
    guard !decks.isEmpty || !taps.isEmpty || !voices.isEmpty || !effects.stores.isEmpty else { return nil }
    let deckUses = decks.map { store in
      let lines = deckLines[ObjectIdentifier(store), default: []]
      return DeckUse(pair: store.pair, lines: arena.make(lines), lineCount: lines.count)
    }
    let tapUses = taps.map { store in
      let lines = (0..<store.channelCount).map { tapLines[TapChannel(store, channel: $0)] ?? SinkLine() }
      return TapUse(tap: store.tap, lines: arena.make(lines), lineCount: lines.count)
    }
    let starts = (0...groupCount).map { group in watches.count { $0.group < group } }
    let squareCount = deckSources.count + watches.count { $0.watch.square >= 0 }
    let voiceUses = voices.map { store in
      let loudspeakers = (0..<store.loudspeakers).map {
        voiceLines[VoiceChannel(store, .loudspeaker($0))] ?? SinkLine()
      }
      return VoiceUse(
        node: store.node, source: voiceSources[VoiceChannel(store, .processed)] ?? -1,
        microphone: voiceLines[VoiceChannel(store, .microphone)] ?? SinkLine(),
        loudspeakers: arena.make(loudspeakers), loudspeakerCount: loudspeakers.count)
    }
    let effectUses = effects.place(in: arena)
    return arena.make([
      MediaUse(
        deckCount: decks.count, decks: arena.make(deckUses), tapCount: taps.count,
        taps: arena.make(tapUses), voiceCount: voices.count, voices: arena.make(voiceUses),
        effectCount: effectUses.count, effects: arena.make(effectUses),
        deckSourceCount: deckSources.count,
        deckSources: arena.make(deckSources), watchStart: arena.make(starts),
        watches: arena.make(watches.map(\.watch)), squareCount: squareCount,
        squares: arena.make(squareCount, of: 0))
    ])
  }
}

extension MixStructure.Endpoint {
  fileprivate var deck: DeckChannel? { if case .deck(let channel) = self { channel } else { nil } }
  fileprivate var tap: TapChannel? { if case .tap(let channel) = self { channel } else { nil } }
  fileprivate var voice: VoiceChannel? { if case .voice(let channel) = self { channel } else { nil } }
}
