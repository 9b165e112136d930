public import ControlInterface

extension Router {
  /// The state and the counts of this moment.
  public var reading: RouterReading {
    var reading = RouterReading()
    (reading.state, reading.audio) = (state, counters.audio.totals)
    reading.load = (connection?.meters.load ?? 0) / 100
    reading.longest = Double(counters.audio.longest) * 1e-9
    return reading
  }
}
