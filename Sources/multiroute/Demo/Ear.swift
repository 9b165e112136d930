import StageKit

/// What a simulated device has heard in the last seconds, by the server's frame time.
final class Ear {
  private let listener: Listener
  private var channels: [[Float]]
  /// Frames that were dropped from the front.
  private var forgotten = 0
  /// The server's jumps so far; what was heard before one does not line up with what comes after.
  private var jumps = 0

  /// Seconds that are kept, in frames at 48 kHz.
  private static let memory = 4 * 48_000

  /// - Throws: `StageError` when the device is not plugged in.
  init(_ client: SimulatedClient) throws(StageError) {
    listener = try Listener(client, room: Self.memory)
    channels = Array(repeating: [], count: listener.channelCount)
  }

  var channelCount: Int { channels.count }
  /// How often the server or the reader lost frames.
  var losses: Int { listener.jumps + listener.dropped }

  /// Takes what has come.
  func listen() {
    let samples = listener.take()
    let count = channels.count
    for channel in channels.indices {
      channels[channel] += stride(from: channel, to: samples.count, by: count).lazy.map { samples[$0] }
    }
    guard let frames = channels.first?.count, frames > 2 * Self.memory else { return }
    for channel in channels.indices { channels[channel].removeFirst(frames - Self.memory) }
    forgotten += frames - Self.memory
  }

  /// The frame time after the last frame heard; nil before the first.
  var end: Int? {
    listener.startTime.map { Int($0) + forgotten + (channels.first?.count ?? 0) }
  }

  /// The samples of a stretch of frame time, channel by channel; nil if not all of it was heard.
  func samples(from start: Int, count: Int) -> [[Float]]? {
    guard let first = listener.startTime else { return nil }
    let offset = start - Int(first) - forgotten
    guard offset >= 0, let heard = channels.first?.count, offset + count <= heard else { return nil }
    return channels.map { Array($0[offset..<offset + count]) }
  }

  func stop() { listener.stop() }
}
