import SessionModel
import Testing

@testable import ZitaBridges

/// The times at which a bridge's program is started again. The test gives the time.
@Suite struct BridgeSupervisionTests {
  private static let program = program(port: 30_042)

  private static func program(port: Int) -> BridgeProgram {
    let network = Bridge.Network(address: "192.0.2.20", port: port)
    return BridgeProgram(
      Bridge(.output, channels: 2, to: .network(network)), for: "far", server: nil, rate: 48_000)
  }

  @Test(
    "A program that ends at once is started again after 0.5 s; each further wait is twice as long, up to 30 s"
  )
  func backOff() {
    var supervision = BridgeSupervision()
    var time = 100.0
    #expect(supervision.want(Self.program, at: time) == [.start(Self.program)])
    for wait in [0.5, 1, 2, 4, 8, 16, 30, 30, 30] {
      time += 0.1
      #expect(supervision.ended("it broke", at: time) == [.tell(.failed("it broke", retry: wait))])
      #expect(supervision.due == time + wait)
      #expect(supervision.elapsed(at: time + wait - 0.01).isEmpty)
      time += wait
      #expect(supervision.elapsed(at: time) == [.start(Self.program)])
      #expect(supervision.due == nil)
    }
  }

  @Test("After a run of 30 s the wait is the shortest again, and so it is for a different program")
  func recovery() {
    var supervision = BridgeSupervision()
    _ = supervision.want(Self.program, at: 0)
    _ = supervision.ended("it broke", at: 0)
    _ = supervision.elapsed(at: 1)
    #expect(supervision.ended("it broke", at: 30.9) == [.tell(.failed("it broke", retry: 1))])
    _ = supervision.elapsed(at: 40)
    #expect(supervision.ended("it broke", at: 70) == [.tell(.failed("it broke", retry: 0.5))])
    let other = Self.program(port: 30_043)
    #expect(supervision.want(other, at: 70.1) == [.start(other)])
    #expect(supervision.ended("it broke", at: 70.2) == [.tell(.failed("it broke", retry: 0.5))])
  }

  @Test("Wanting an equal program again changes nothing, neither while it runs nor while it waits")
  func same() {
    var supervision = BridgeSupervision()
    _ = supervision.want(Self.program, at: 0)
    #expect(supervision.want(Self.program, at: 1).isEmpty)
    _ = supervision.ended("it broke", at: 2)
    #expect(supervision.want(Self.program, at: 2.1).isEmpty)
    #expect(supervision.due == 2.5)
  }

  @Test(
    "A different program is started when the running one has ended; a program that does not end is killed")
  func replacement() {
    var supervision = BridgeSupervision()
    _ = supervision.want(Self.program, at: 0)
    let other = Self.program(port: 30_043)
    #expect(supervision.want(other, at: 1) == [.end(isForced: false)])
    #expect(supervision.elapsed(at: 1.4).isEmpty)
    #expect(supervision.elapsed(at: 1.5) == [.end(isForced: true)])
    #expect(supervision.due == nil)
    #expect(supervision.ended("killed", at: 1.6) == [.start(other)])
  }

  @Test("The end of a program that is no longer wanted is no failure, and leaves nothing to do")
  func end() {
    var supervision = BridgeSupervision()
    _ = supervision.want(Self.program, at: 0)
    #expect(supervision.want(nil, at: 1) == [.end(isForced: false)])
    #expect(!supervision.isOver)
    #expect(supervision.ended("it was told to", at: 1.1) == [.tell(.resting)])
    #expect(supervision.isOver)
    var waiting = BridgeSupervision()
    _ = waiting.want(Self.program, at: 0)
    _ = waiting.ended("it broke", at: 1)
    #expect(waiting.want(nil, at: 1.1) == [.tell(.resting)])
    #expect(waiting.isOver && waiting.due == nil)
  }
}
