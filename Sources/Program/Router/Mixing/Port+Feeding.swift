import SessionModel

extension Port {
  /// The channel of an input that feeds a stream's channel; nil if none does. Channels count from 1.
  ///
  /// A single channel feeds all channels of the stream. Of several, the k-th feeds channel k.
  /// - Parameter range: the input's channels that the stream takes; nil is all.
  func channel(feeding channel: Int, of range: ClosedRange<Int>?) -> Int? {
    guard channels > 0 else { return nil }
    let available = range ?? 1...channels
    let fed = available.count == 1 ? available.lowerBound : available.lowerBound + channel - 1
    return available.contains(fed) && fed <= channels ? fed : nil
  }
}
