import MediaKernel
import SessionModel

extension TopologyBuilder {
  /// Adds what the meters of outputs measure: what their devices get.
  mutating func addMeters(_ media: MixMedia) {
    for output in state.outputs.values {
      guard let tap = media.meters[output.id] else { continue }
      topology.metered += (0..<min(tap.channelCount, output.channels)).map {
        MixTopology.Metered(sink: .output(output.id, $0 + 1), tap: TapChannel(tap, channel: $0))
      }
    }
  }
}
