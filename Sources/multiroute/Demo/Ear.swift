import StageKit

/// What a simulated device has heard in the last seconds, by the server's frame time.
final class Ear {
  private let client: SimulatedClient
  private var listener: Listener
  private var channels: [[Float]]
  /// Frames that were dropped from the front.
  private var forgotten = 0
  /// The frame time after the last frame heard; nil before the first.
  private(set) var end: Int?
  /// How often the server or the reader lost frames.
  private(set) var losses = 0

  /// Seconds that are kept, in frames at 48 kHz.
  private static let memory = 4 * 48_000

  /// - Throws: `StageError` when the device is not plugged in.
  init(_ client: SimulatedClient) throws(StageError) {
    self.client = client
    listener = try Listener(client, room: Self.memory)
    channels = Array(repeating: [], count: listener.channelCount)
  }

  var channelCount: Int { channels.count }

  /// Takes what has come.
  func listen() {
    let samples = listener.take()
    // Behind a gap nobody knows which frame is which; it begins anew.
    guard listener.jumps + listener.dropped == 0 else { return restart() }
    let count = channels.count
    for channel in channels.indices {
      channels[channel] += stride(from: channel, to: samples.count, by: count).lazy.map { samples[$0] }
    }
    guard let start = listener.startTime, let frames = channels.first?.count else { return }
    end = Int(start) + forgotten + frames
    guard frames > 2 * Self.memory else { return }
    for channel in channels.indices { channels[channel].removeFirst(frames - Self.memory) }
    forgotten += frames - Self.memory
  }

  private func restart() {
    losses += 1
    guard let fresh = try? Listener(client, room: Self.memory) else { return }
    listener.stop()
    listener = fresh
    channels = Array(repeating: [], count: channels.count)
    forgotten = 0
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
