internal import MediaKernel
internal import VoiceKernel

/// Keeps the players, recorders and voice processings of a structure, until the audio thread has given back the last plan with that structure.
final class MediaHold {
  private let decks: [DeckPairStore]
  private let taps: [RecorderTapStore]
  private let voices: [VoiceNodeStore]

  init(_ layout: MediaLayout) {
    (decks, taps, voices) = (layout.decks, layout.taps, layout.voices)
    for store in decks { store.beginUse() }
  }

  deinit { for store in decks { store.endUse() } }
}
