import Chance
import Testing
import Threads

@testable import Plugins

@Suite("Messages between a plugin's run and its worker")
struct MessageRingTests {
  /// The bytes of a message.
  private static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
  }

  private static func sizes(_ count: Int) -> [Int] {
    var chance = SeededGenerator(seed: 5)
    return (0..<count).map { _ in Int.random(in: 0...3_000, using: &chance) }
  }

  @Test("Messages of any size come whole and in order from one thread to another")
  func order() {
    let (ring, sizes) = (MessageRing(), Self.sizes(5_000))
    let thread = OwnThread("writer") {
      for (number, size) in sizes.enumerated() {
        let bytes = Self.bytes(number, size)
        while !bytes.withUnsafeBytes({ ring.push($0.baseAddress, size: size) }) {}
      }
    }
    var (next, wrong) = (0, 0)
    while next < sizes.count {
      _ = ring.pop { size, message in
        let got = Array(UnsafeRawBufferPointer(start: message, count: Int(size)))
        if got != Self.bytes(next, sizes[next]) { wrong += 1 }
        next += 1
      }
    }
    thread.join()
    #expect(wrong == 0)
  }

  @Test("A message for which there is no room is refused, and disturbs none")
  func full() {
    let ring = MessageRing()
    let large = [UInt8](repeating: 7, count: 30_000)
    func push(_ count: Int) -> Bool { large.withUnsafeBytes { ring.push($0.baseAddress, size: count) } }
    #expect(push(30_000) && push(30_000) && !push(30_000) && push(4_000))
    var sizes: [Int] = []
    while ring.pop({ size, message in
      sizes.append(Int(size))
      #expect(UnsafeRawBufferPointer(start: message, count: Int(size)).allSatisfy { $0 == 7 })
    }) {}
    #expect(sizes == [30_000, 30_000, 4_000])
    let isPushed = ring.push(nil, size: 0)
    let isPopped = ring.pop { size, _ in sizes.append(Int(size)) }
    #expect(isPushed && isPopped && sizes.last == 0)
  }
}
