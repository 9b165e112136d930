import ControlInterface
import SessionModel

extension MeterLevels {
  /// Adds the peaks of device inputs to the streams that they feed. This sound does not pass a JACK port of the stream.
  mutating func addInputs(to sessions: Registry<SessionID, Session>, from ports: Registry<PortID, Port>) {
    guard !inputs.isEmpty else { return }
    sessions.forEachValue { session in
      for stream in session.streams.values {
        for case .input(let id, let range) in stream.sources {
          guard let peaks = inputs[id], let port = ports[id] else { continue }
          for channel in 1...stream.channels {
            guard let fed = port.channel(feeding: channel, of: range), fed <= peaks.count else { continue }
            raise(session.id, stream.id, channel, peaks[fed - 1])
          }
        }
      }
    }
  }

  /// Raises the peak of a stream's channel, unless the present peak is greater. Channels count from 1.
  mutating func raise(_ session: SessionID, _ stream: StreamID, _ channel: Int, _ peak: Float) {
    Self.raise(&streams[session, default: [:]][stream, default: []], channel, peak)
  }

  /// Raises the peak of a channel, unless the present peak is greater. Channels count from 1.
  static func raise(_ peaks: inout [Float], _ channel: Int, _ peak: Float) {
    while peaks.count < channel { peaks.append(0) }
    peaks[channel - 1] = max(peaks[channel - 1], peak)
  }
}
