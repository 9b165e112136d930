import Chance
import Glibc
import Rings
import Testing
import Threads

@Suite struct SampleRingTests {
  /// Samples of two channels: a counter, and the counter's negative.
  private static func counter(_ frames: Range<Int>) -> [[Float]] {
    [frames.map { Float($0) }, frames.map { -Float($0) }]
  }

  @Test(
    "The capacity is the next power of two",
    arguments: [(1, 1), (2, 2), (3, 4), (8_192, 8_192), (8_193, 16_384)])
  func capacity(wanted: Int, capacity: Int) {
    #expect(RingStore(channels: 2, frames: wanted).capacity == capacity)
  }

  @Test(
    "Frames come out in their order, whatever the lengths of pieces", arguments: [1, 5, 100, 9_000, 40_000])
  func order(frames: Int) {
    let store = RingStore(channels: 2, frames: frames)
    var dice = SeededGenerator(seed: UInt64(frames))
    var (written, read) = (0, 0)
    for _ in 0..<60 {
      let offered = Int.random(in: 0...frames, using: &dice)
      let count = store.write(Self.counter(written..<written + offered))
      #expect(count == min(offered, store.capacity - (written - read)))
      written += count
      let limit = Int.random(in: 0...frames, using: &dice)
      let expected = read..<min(written, read + limit)
      // The two ways to take frames must agree about the place.
      if Bool.random(using: &dice) {
        #expect(store.take(limit: limit) == Self.counter(expected))
      } else {
        #expect(store.takeInterleaved(limit: limit) == expected.flatMap { [Float($0), -Float($0)] })
      }
      read = expected.upperBound
      #expect(store.framesWritten == written && store.framesRead == read)
    }
    #expect(read > 3 * store.capacity, "the ring went round")
    #expect(store.missing == 0 && store.dropped == 0)
  }

  @Test(
    "A period is in one piece for the reader and for the writer, also across the end of the ring",
    arguments: [(256, 256), (256, 100), (8_192, 8_192), (32_768, 8_192), (32_768, 8_191), (32_768, 1_000)])
  func onePiece(frames: Int, period: Int) {
    let store = RingStore(channels: 2, frames: frames)
    let ring = store.ring
    // The first period is short, so that later ones lie across the end of the ring.
    var (written, read) = (store.write(Self.counter(0..<37)), 0)
    #expect(ring.pointee.beginReading(frames: 37) == 37)
    ring.pointee.endReading(frames: 37)
    read = 37
    for _ in 0..<3 * (frames / period + 1) {
      #expect(store.begins(writing: period))
      for (channel, samples) in Self.counter(written..<written + period).enumerated() {
        ring.pointee.write(channel: channel, from: samples, frames: period)
      }
      ring.pointee.endWriting(frames: period)
      written += period
      #expect(ring.pointee.beginReading(frames: period) == period)
      for (channel, samples) in Self.counter(read..<read + period).enumerated() {
        let piece = UnsafeBufferPointer(start: ring.pointee.readPointer(channel: channel), count: period)
        #expect(Array(piece) == samples)
      }
      ring.pointee.endReading(frames: period)
      read += period
    }
    #expect(store.missing == 0 && store.dropped == 0)
  }

  @Test("A period that does not fit is dropped as a whole and counted, and changes nothing")
  func full() {
    let store = RingStore(channels: 2, frames: 64)
    #expect(store.ring.pointee.room() == 64)
    #expect(store.write(Self.counter(0..<50)) == 50)
    #expect(store.ring.pointee.room() == 14)
    #expect(!store.begins(writing: 15))
    #expect(store.dropped == 15)
    #expect(store.begins(writing: 14))
    #expect(!store.begins(writing: 64))
    #expect(store.dropped == 79)
    #expect(store.framesWritten == 50)
    #expect(store.take() == Self.counter(0..<50))
    #expect(store.begins(writing: 64))
    #expect(store.dropped == 79)
  }

  @Test("A thread that can wait writes what fits, and the rest does not count as dropped")
  func partialWrite() {
    let store = RingStore(channels: 2, frames: 64)
    #expect(store.write(Self.counter(0..<100)) == 64)
    #expect(store.write(Self.counter(64..<100)) == 0)
    #expect(store.dropped == 0)
    #expect(store.take(limit: 10) == Self.counter(0..<10))
    #expect(store.write(Self.counter(64..<100)) == 10)
    #expect(store.take() == Self.counter(10..<74))
  }

  @Test("Frames that an empty ring lacks are counted, and a patch continues with silence")
  func empty() {
    let store = RingStore(channels: 2, frames: 64)
    let ring = store.ring
    #expect(ring.pointee.beginReading(frames: 20) == 0)
    #expect(store.missing == 20)
    // The missing part would lie across the end of the ring.
    _ = store.write(Self.counter(0..<60))
    _ = store.take()
    _ = store.write(Self.counter(60..<66))
    #expect(ring.pointee.beginReading(frames: 20) == 6)
    #expect(store.missing == 34)
    for (channel, samples) in Self.counter(60..<66).enumerated() {
      let patch = ring.pointee.patch(channel: channel, there: 6, frames: 20)
      #expect(Array(UnsafeBufferPointer(start: patch, count: 20)) == samples + Array(repeating: 0, count: 14))
    }
    ring.pointee.endReading(frames: 6)
    #expect(store.framesRead == 66)
    #expect(store.take() == [[], []])
  }

  @Test("A patch may be as long as the longest period, even if the ring is shorter")
  func longPatch() {
    let store = RingStore(channels: 2, frames: 1)
    _ = store.write(Self.counter(7..<8))
    let longest = SampleRing.longestPiece
    #expect(store.ring.pointee.beginReading(frames: longest) == 1)
    let patches = (0..<2).map { store.ring.pointee.patch(channel: $0, there: 1, frames: longest) }
    #expect(patches[0][0] == 7 && patches[1][0] == -7)
    for patch in patches { #expect((1..<longest).allSatisfy { patch[$0] == 0 }) }
  }

  @Test("A period longer than any server's is neither read nor written")
  func tooLong() {
    let store = RingStore(channels: 1, frames: 40_000)
    let period = SampleRing.longestPiece + 1
    #expect(!store.begins(writing: period))
    #expect(store.dropped == period)
    #expect(store.write([Array(repeating: 1, count: 20_000)]) == 20_000)
    #expect(store.ring.pointee.beginReading(frames: period) == 0)
    #expect(store.missing == period && store.framesRead == 0)
  }

  @Test("Channels are equal if ring and number are")
  func channels() {
    let stores = [RingStore(channels: 2, frames: 1), RingStore(channels: 2, frames: 1)]
    #expect(RingChannel(stores[0], channel: 1) == RingChannel(stores[0], channel: 1))
    let different = stores.flatMap { [RingChannel($0, channel: 0), RingChannel($0, channel: 1)] }
    #expect(Set(different).count == 4)
  }

  @Test(
    "Two threads pass a million frames without a lost or changed one", arguments: [16, 1_000, 65_536])
  func twoThreads(frames: Int) {
    let total = 1_000_000
    let store = RingStore(channels: 2, frames: frames)
    let writer = OwnThread("ring-writer") { Self.write(total, to: store) }
    let sum = Self.checksum(reading: total, from: store)
    writer.join()
    #expect(sum == Self.checksum(of: 0..<total))
    // The order counts, so that the check would see two exchanged frames.
    #expect(sum != Self.checksum(of: 0..<total, swapped: true))
    #expect(store.framesWritten == total && store.framesRead == total)
    #expect(store.dropped == 0)
  }

  /// Writes whole periods as the audio thread does, of all lengths.
  private static func write(_ total: Int, to store: RingStore) {
    let ring = store.ring
    var dice = SeededGenerator(seed: 1)
    var written = 0
    while written < total {
      let longest = min(total - written, store.capacity, SampleRing.longestPiece)
      let period = Int.random(in: 1...longest, using: &dice)
      // A look at the room first: a period that did not fit would count as dropped.
      while ring.pointee.room() < period { sched_yield() }
      guard ring.pointee.beginWriting(frames: period) else { return }
      for channel in 0..<2 {
        let place = ring.pointee.writePointer(channel: channel)
        for frame in 0..<period { place[frame] = sample(written + frame, channel) }
      }
      ring.pointee.endWriting(frames: period)
      written += period
    }
  }

  /// Reads what is there, in pieces of all lengths.
  private static func checksum(reading total: Int, from store: RingStore) -> UInt64 {
    let ring = store.ring
    var dice = SeededGenerator(seed: 2)
    var (sum, read) = (UInt64(0), 0)
    while read < total {
      let there = min(ring.pointee.available(), SampleRing.longestPiece)
      guard there > 0 else {
        sched_yield()
        continue
      }
      let period = Int.random(in: 1...there, using: &dice)
      let (left, right) = (ring.pointee.readPointer(channel: 0), ring.pointee.readPointer(channel: 1))
      for frame in 0..<period { add(left[frame], right[frame], to: &sum) }
      ring.pointee.endReading(frames: period)
      read += period
    }
    return sum
  }

  private static func checksum(of frames: Range<Int>, swapped: Bool = false) -> UInt64 {
    var sum = UInt64(0)
    for frame in frames {
      let other = swapped && frame / 2 == 1_000 ? frame ^ 1 : frame
      add(sample(other, 0), sample(other, 1), to: &sum)
    }
    return sum
  }

  /// Every number below 2^24 is exact.
  private static func sample(_ frame: Int, _ channel: Int) -> Float {
    Float(channel == 0 ? frame : -frame - 1)
  }

  private static func add(_ left: Float, _ right: Float, to sum: inout UInt64) {
    sum = sum &* 1_099_511_628_211 ^ UInt64(left.bitPattern)
    sum = sum &* 1_099_511_628_211 ^ UInt64(right.bitPattern)
  }
}

extension RingStore {
  /// `SampleRing.beginWriting`, in a form that `#expect` takes: a ring cannot be copied.
  fileprivate func begins(writing frames: Int) -> Bool { ring.pointee.beginWriting(frames: frames) }
}
