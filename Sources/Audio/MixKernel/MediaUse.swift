package import EffectKernel
package import MediaKernel
package import VoiceKernel

/// The players, recorders, voice processings and effects of a structure. A structure without any has no such table.
package struct MediaUse: BitwiseCopyable {
  package var deckCount: Int
  package var decks: UnsafeMutablePointer<DeckUse>
  package var tapCount: Int
  package var taps: UnsafeMutablePointer<TapUse>
  package var voiceCount: Int
  package var voices: UnsafeMutablePointer<VoiceUse>
  package var effectCount: Int
  package var effects: UnsafeMutablePointer<EffectUse>

  // MARK: Power since the last telemetry record
  /// The sources that are channels of decks, in the order of the structure.
  package var deckSourceCount: Int
  package var deckSources: UnsafeMutablePointer<Int>
  /// The watched sinks of group g are `watches[watchStart[g]..<watchStart[g + 1]]`.
  package var watchStart: UnsafeMutablePointer<Int>
  package var watches: UnsafeMutablePointer<SinkWatch>
  package var squareCount: Int
  /// Sums of squared samples: first of the sources that are channels of decks, then of the watched sinks.
  package var squares: UnsafeMutablePointer<Double>
  /// Frames that the sums are about.
  package var frames = 0

  package init(
    deckCount: Int, decks: UnsafeMutablePointer<DeckUse>, tapCount: Int, taps: UnsafeMutablePointer<TapUse>,
    voiceCount: Int, voices: UnsafeMutablePointer<VoiceUse>,
    effectCount: Int, effects: UnsafeMutablePointer<EffectUse>,
    deckSourceCount: Int, deckSources: UnsafeMutablePointer<Int>, watchStart: UnsafeMutablePointer<Int>,
    watches: UnsafeMutablePointer<SinkWatch>, squareCount: Int, squares: UnsafeMutablePointer<Double>
  ) {
    (self.deckCount, self.decks, self.tapCount, self.taps) = (deckCount, decks, tapCount, taps)
    (self.voiceCount, self.voices) = (voiceCount, voices)
    (self.effectCount, self.effects) = (effectCount, effects)
    (self.deckSourceCount, self.deckSources) = (deckSourceCount, deckSources)
    (self.watchStart, self.watches) = (watchStart, watches)
    (self.squareCount, self.squares) = (squareCount, squares)
  }
}

/// A player's decks, and the sources that are their channels.
package struct DeckUse: BitwiseCopyable {
  package var pair: UnsafeMutablePointer<DeckPair>
  package var lines: UnsafeMutablePointer<DeckLine>
  package var lineCount: Int

  package init(
    pair: UnsafeMutablePointer<DeckPair>, lines: UnsafeMutablePointer<DeckLine>, lineCount: Int
  ) {
    (self.pair, self.lines, self.lineCount) = (pair, lines, lineCount)
  }
}

/// A source of the mix that is a channel of a player's decks.
package struct DeckLine: BitwiseCopyable {
  package var source: Int
  package var channel: Int

  package init(source: Int, channel: Int) { (self.source, self.channel) = (source, channel) }
}

/// A recorder's tap, with a line for each of its channels, in their order.
package struct TapUse: BitwiseCopyable {
  package var tap: UnsafeMutablePointer<RecorderTap>
  package var lines: UnsafeMutablePointer<SinkLine>
  package var lineCount: Int

  package init(
    tap: UnsafeMutablePointer<RecorderTap>, lines: UnsafeMutablePointer<SinkLine>, lineCount: Int
  ) {
    (self.tap, self.lines, self.lineCount) = (tap, lines, lineCount)
  }
}

/// What a channel of a tap, or one to a voice processing, receives: the mix of a sink of its own, a copy of another sink, or silence.
package struct SinkLine: BitwiseCopyable {
  /// The sink that is mixed into the channel; -1 for none.
  package var sink: Int
  /// Index of the watch that copies another sink into the channel; -1 for none.
  package var copy: Int

  package init(sink: Int = -1, copy: Int = -1) { (self.sink, self.copy) = (sink, copy) }
}

/// The voice processing of a capture, and its channels of the mix.
package struct VoiceUse: BitwiseCopyable {
  package var node: UnsafeMutablePointer<VoiceNode>
  /// The source that is the processed microphone; -1 for none.
  package var source: Int
  package var microphone: SinkLine
  /// The channels of the loudspeakers, in their order.
  package var loudspeakers: UnsafeMutablePointer<SinkLine>
  package var loudspeakerCount: Int

  package init(
    node: UnsafeMutablePointer<VoiceNode>, source: Int, microphone: SinkLine,
    loudspeakers: UnsafeMutablePointer<SinkLine>, loudspeakerCount: Int
  ) {
    (self.node, self.source, self.microphone) = (node, source, microphone)
    (self.loudspeakers, self.loudspeakerCount) = (loudspeakers, loudspeakerCount)
  }
}

/// A channel of a chain of effects that a sink goes through.
package struct InsertUse: BitwiseCopyable {
  package var node: UnsafeMutablePointer<EffectNode>
  package var channel: Int
  /// The stages behind the chain, which are multiplied.
  package var stages: UnsafeMutablePointer<Int32>
  package var stageCount: Int
  /// Their gain at the end of the block, at the end of the last one, and in the block's middle while a stage of a row or a sink moves.
  var (gain, lastGain, middleGain): (Float, Float, Float) = (0, 0, 0)

  package init(
    node: UnsafeMutablePointer<EffectNode>, channel: Int, stages: UnsafeMutablePointer<Int32>, stageCount: Int
  ) {
    (self.node, self.channel) = (node, channel)
    (self.stages, self.stageCount) = (stages, stageCount)
  }
}

/// A chain of effects, and its channels of the mix.
package struct EffectUse: BitwiseCopyable {
  package var node: UnsafeMutablePointer<EffectNode>
  /// The source that is each channel of the processed sound; -1 for none.
  package var sources: UnsafeMutablePointer<Int>
  package var sourceCount: Int
  /// The sink that is mixed into each input, and then those of the side chain if it hears anything; -1 for none.
  package var sinks: UnsafeMutablePointer<Int>
  package var sinkCount: Int
  /// The copies of sinks that the side chain hears.
  package var keys: UnsafeMutablePointer<KeyLine>
  package var keyCount: Int
  /// Whether it is the last chain of its program, after which the program is asked for all of them.
  package var asks: Bool

  package init(
    node: UnsafeMutablePointer<EffectNode>, sources: UnsafeMutablePointer<Int>, sourceCount: Int,
    sinks: UnsafeMutablePointer<Int>, sinkCount: Int, keys: UnsafeMutablePointer<KeyLine>, keyCount: Int,
    asks: Bool
  ) {
    (self.node, self.asks) = (node, asks)
    (self.keys, self.keyCount) = (keys, keyCount)
    (self.sources, self.sourceCount) = (sources, sourceCount)
    (self.sinks, self.sinkCount) = (sinks, sinkCount)
  }
}

/// A copy of a sink that a side chain hears.
package struct KeyLine: BitwiseCopyable {
  /// Index of the watch that copies the sink.
  package var copy: Int
  /// The channel of the chain, counted from 0; those of the side chain follow the others.
  package var channel: Int

  package init(copy: Int, channel: Int) { (self.copy, self.channel) = (copy, channel) }
}

/// A sink that is recorded or copied: its power is measured, or its samples are copied, or both.
package struct SinkWatch: BitwiseCopyable {
  /// The sink's place in its group of four.
  package var lane: Int
  /// Index of its sum of squares; -1 if its power is not measured.
  package var square: Int
  /// Where a copy of this period goes; nil where the sink is the tap's own, or where nothing takes it.
  package var copy: UnsafeMutablePointer<Float>?
  /// The factor of a copy that is added to others; nil for one that stands alone.
  package var share: Float?

  package init(lane: Int, square: Int, share: Float? = nil) {
    (self.lane, self.square, self.share) = (lane, square, share)
  }
}
