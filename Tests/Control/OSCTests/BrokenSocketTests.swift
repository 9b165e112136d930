import Foundation
import OSC
import Synchronization
import Testing

@Suite("A socket that always fails")
struct BrokenSocketTests {
  /// A socket whose every call fails at once.
  private final class BrokenSocket: DatagramSocket {
    /// The times of all calls.
    let calls: AsyncStream<ContinuousClock.Instant>
    private let noted: AsyncStream<ContinuousClock.Instant>.Continuation
    private let ended = Atomic<Bool>(false)

    init() { (calls, noted) = AsyncStream.makeStream() }

    func receive(
      into buffer: UnsafeMutableRawBufferPointer
    ) throws(SocketError) -> (size: Int, sender: Int) {
      noted.yield(ContinuousClock.now)
      throw .system(call: "recvfrom", number: EBADF, address: nil)
    }

    func endReceiving() { ended.store(true, ordering: .relaxed) }
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    /// Waits for the first ten calls and returns the times between them.
    func pauses() async -> [Duration] {
      var times: [ContinuousClock.Instant] = []
      for await time in calls {
        times.append(time)
        if times.count == 10 { break }
      }
      return zip(times.dropFirst(), times).map { $0 - $1 }
    }
  }

  /// Whether each pause is at least as long as required: 1, 2, 4, ... ms.
  private func areLongEnough(_ pauses: [Duration]) -> Bool {
    pauses.indices.allSatisfy { pauses[$0] >= .milliseconds(1 << $0) }
  }

  @Test("The receiver waits twice as long after each failure, and ends promptly during a wait")
  func pauses() async throws {
    let socket = BrokenSocket()
    let receiver = try PacketReceiver(socket: socket) { _, _ in Issue.record("the handler was called") }
    let pauses = await socket.pauses()
    #expect(pauses.count == 9 && areLongEnough(pauses), "\(pauses)")
    #expect(receiver.counters.socketErrors > 0)
    // The present wait takes 512 ms.
    let start = ContinuousClock.now
    receiver.stop()
    #expect(ContinuousClock.now - start < .milliseconds(400))
  }

  @Test("Calls of the same socket without waits between them are found: the check can fail")
  func control() async {
    let socket = BrokenSocket()
    var buffer = [UInt8](repeating: 0, count: 16)
    buffer.withUnsafeMutableBytes { bytes in
      for _ in 0..<10 { _ = try? socket.receive(into: bytes) }
    }
    let pauses = await socket.pauses()
    #expect(pauses.count == 9 && !areLongEnough(pauses), "\(pauses)")
  }
}
