import TestKit
import Testing

extension House {
  /// Measures a latency with `jack_iodelay`.
  ///
  /// - Parameters:
  ///   - source: the port that it hears.
  ///   - sink: the port to which it plays.
  /// - Returns: what it measures and what JACK reports, there and back, in frames.
  func latency(from source: String, to sink: String) throws -> (measured: Double, reported: Double) {
    let meter = try ChildProcess(
      "stdbuf", ["-oL", "jack_iodelay"], environment: ["JACK_DEFAULT_SERVER": server.name])
    try stage.do("await-port jack_delay:out")
    try connect("jack_delay:out", to: sink)
    try connect(source, to: "jack_delay:in")
    // The meter tells twice a second what its filters say; they are settled when it tells the same again.
    var (before, measured) = (0.0, -1.0)
    while abs(measured - before) > 0.01 {
      before = measured
      let line = try #require(meter.output.line(containing: "total roundtrip"), "\(meter.output.text)")
      measured = try #require(Double(line.split(separator: " ")[0]), "\(line)")
    }
    let out = try stage.value("maximum", of: "latency jack_delay:out playback")
    let back = try stage.value("maximum", of: "latency jack_delay:in capture")
    return (measured, out + back)
  }
}
