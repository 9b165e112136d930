internal import EffectKernel
internal import MediaKernel
internal import VoiceKernel

/// Keeps the players, recorders, voice processings and effects of a structure, until the audio thread has given back the last plan with that structure.
final class MediaHold {
  private let decks: [DeckPairStore]
  private let taps: [RecorderTapStore]
  private let voices: [VoiceNodeStore]
  private let effects: [EffectNodeStore]

  init(_ layout: MediaLayout) {
    (decks, taps) = (layout.decks, layout.taps)
    (voices, effects) = (layout.voices, layout.effects.stores)
    for store in decks { store.beginUse() }
  }

  deinit { for store in decks { store.endUse() } }
}
