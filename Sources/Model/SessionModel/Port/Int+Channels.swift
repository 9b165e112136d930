extension Int {
  /// This number of channels, for a sentence: "1 channel", "2 channels".
  package var channelsText: String { self == 1 ? "1 channel" : "\(self) channels" }
}
