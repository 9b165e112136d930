extension VoiceTiming {
  /// - Parameters:
  ///   - rate: frames per second, a multiple of 100.
  ///   - period: frames per period of the audio server.
  ///   - algorithm: frames by which the library delays the microphone.
  public init(rate: Int, period: Int, algorithm: Int) {
    let block = rate / 100
    // The last block that is ready ends up to a block before the microphone, in steps of the greatest common divisor. The period whose
    // samples the worker gets last is over only with the next one. The worker has so many periods as fit 2 ms for its work, at least one.
    let worker = max(1, (rate / 500 + period - 1) / period)
    self.init(
      block: block, transport: block - Self.greatestCommonDivisor(period, block) + worker * period,
      algorithm: algorithm, entry: rate / 50, change: rate / 200)
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
  }
}
