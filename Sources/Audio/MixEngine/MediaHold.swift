internal import MediaKernel

/// Keeps the players and recorders of a structure, until the audio thread has given back the last plan with that structure.
final class MediaHold {
  private let decks: [DeckPairStore]
  private let taps: [RecorderTapStore]

  init(_ layout: MediaLayout) {
    (decks, taps) = (layout.decks, layout.taps)
    for store in decks { store.beginUse() }
  }

  deinit { for store in decks { store.endUse() } }
}
