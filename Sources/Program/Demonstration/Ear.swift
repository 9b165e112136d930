import StageKit

/// The last four seconds that a simulated device received, by the server's frame time.
final class Ear {
  private let client: SimulatedClient
  private var listener: Listener
  private var channels: [[Float]]
  /// The number of oldest frames that were dropped.
  private var forgotten = 0
  /// The frame time after the last received frame; nil before the first.
  private(set) var end: Int?
  /// How often the server or the reader lost frames.
  private(set) var losses = 0

  /// The frames that are kept: four seconds at 48 kHz.
  private static let memory = 4 * 48_000

  /// - Throws: `StageError` if the device is not plugged in.
  init(_ client: SimulatedClient) throws(StageError) {
    self.client = client
    listener = try Listener(client, room: Self.memory)
    channels = Array(repeating: [], count: listener.channelCount)
  }

  var channelCount: Int { channels.count }

  /// Reads what the device has received since the last call.
  func listen() {
    let samples = listener.take()
    // After a gap the frame times are unknown, so that listening starts anew.
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

  /// The samples of `count` frames from a frame time, one array per channel; nil if a part of them is not kept.
  func samples(from start: Int, count: Int) -> [[Float]]? {
    guard let first = listener.startTime else { return nil }
    let offset = start - Int(first) - forgotten
    guard offset >= 0, let heard = channels.first?.count, offset + count <= heard else { return nil }
    return channels.map { Array($0[offset..<offset + count]) }
  }

  func stop() { listener.stop() }
}
