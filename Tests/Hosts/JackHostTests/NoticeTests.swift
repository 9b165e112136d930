import Foundation
import ServerInterface
import SessionModel
import Synchronization
import Testing

@testable import JackClient
@testable import JackHost

@Suite struct NoticeTests {
  @Test("Events leave the ring in their order, with their text")
  func order() {
    var ring = NoticeRing(capacity: 8)
    for round in 0..<5 {
      for value in 0..<5 { ring.post(kind: .period, value: UInt32(5 * round + value)) }
      for value in 0..<5 { #expect(ring.take()?.value == UInt32(5 * round + value)) }
    }
    ring.post(kind: .shutdown, value: 0, text: "server gone")
    ring.post(kind: .shutdown, value: 0, text: String(repeating: "x", count: 500))
    #expect(ring.take()?.text == "server gone")
    #expect(ring.take()?.text.count == 112)
    #expect(ring.take() == nil)
    #expect([ring.takeOverflow()] == [false])
  }

  @Test("A full ring drops new events and reports that once")
  func overflow() {
    var ring = NoticeRing(capacity: 4)
    for value in 0..<6 { ring.post(kind: .rate, value: UInt32(value)) }
    #expect([ring.takeOverflow()] == [true])
    #expect([ring.takeOverflow()] == [false])
    for value in 0..<4 { #expect(ring.take()?.value == UInt32(value)) }
    #expect(ring.take() == nil)
    ring.post(kind: .xrun, value: 7)
    #expect(ring.take()?.kind == .xrun)
  }

  @Test("Two simultaneous writers lose no event, and each writer's events stay in order")
  func twoWriters() async {
    let ring = UnsafeMutablePointer<NoticeRing>.allocate(capacity: 1)
    ring.initialize(to: NoticeRing(capacity: 1 << 15))
    defer {
      ring.deinitialize(count: 1)
      ring.deallocate()
    }
    let address = UInt(bitPattern: ring)
    let count = 10_000
    let threads = [NoticeRing.Kind.connected, .disconnected].map { kind in
      Thread {
        guard let ring = UnsafeMutablePointer<NoticeRing>(bitPattern: address) else { return }
        for value in 0..<count { ring.pointee.post(kind: kind, value: UInt32(value)) }
      }
    }
    for thread in threads { thread.start() }
    var next: [NoticeRing.Kind: UInt32] = [.connected: 0, .disconnected: 0]
    var taken = 0
    while taken < 2 * count {
      guard let event = ring.pointee.take() else {
        await Task.yield()
        continue
      }
      #expect(event.value == next[event.kind])
      next[event.kind] = event.value + 1
      taken += 1
    }
    #expect(ring.pointee.take() == nil)
  }

  @Test("A notice makes the descriptor readable until it is acknowledged; an xrun does not")
  func wake() {
    let board = NoticeBoard()
    let isReadable = {
      var request = pollfd(fd: board.wakeDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&request, 1, 0) == 1
    }
    board.post(.xrun)
    #expect(!isReadable())
    board.postAndWake(.connected)
    board.postAndWake(.connected)
    #expect(isReadable())
    board.acknowledgeWake()
    #expect(!isReadable())
    board.postAndWake(.disconnected)
    #expect(isReadable())
  }

  @Test("Many changes of one kind give one notice; notices with values are all kept, in order")
  func coalescing() {
    var list = NoticeList()
    let events: [(NoticeRing.Kind, UInt32)] = [
      (.connected, 0), (.portRegistered, 0), (.xrun, 0), (.connected, 0), (.portUnregistered, 0), (.xrun, 0),
      (.latencies, 0), (.period, 64), (.period, 128), (.latencies, 0),
    ]
    for (kind, value) in events { list.add(kind, value: value, text: "") }
    list.add(.shutdown, value: 0, text: "gone")
    #expect(
      list.notices == [
        .connectionsChanged, .portsChanged, .xrun, .xrun, .latenciesChanged, .periodChanged(64),
        .periodChanged(128), .shutdown(reason: "gone"),
      ])
    var everything = NoticeList()
    everything.addEverything()
    everything.addEverything()
    #expect(everything.notices == [.portsChanged, .connectionsChanged, .latenciesChanged])
  }
}
