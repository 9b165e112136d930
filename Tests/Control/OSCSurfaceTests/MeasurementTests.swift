import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// Measured values: they change all the time, and go only to subscribers that name them.
@Suite struct MeasurementTests {
  private func measure(_ desk: inout Desk, _ change: (inout LoopFacts) -> Void) -> [OSCMessage] {
    let before = desk.state
    change(&desk.state.loop)
    let change = Change(from: before, to: desk.state, events: [], at: desk.time)
    let outcome = desk.surface.publishMeasurements(change)
    return outcome.datagrams.filter { $0.peer == Desk.other }.flatMap(\.packet.messages).filter {
      !["/seq", "/alive"].contains($0.address)
    }
  }

  @Test("A subscriber of /health gets what has changed of it, and nothing else")
  func subscriber() throws {
    var desk = try Example.desk()
    desk.send("/subscribe", "/health/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let heard = measure(&desk) {
      $0.load.now = 0.25
      $0.counts.late = 3
      $0.outputDrifts["usb"] = 1e-4
    }
    #expect(
      heard == [OSCMessage("/health/load/now", .float(0.25)), OSCMessage("/health/late", .int32(3))])
    desk.time += 1
    #expect(measure(&desk) { _ in }.isEmpty)
  }

  @Test("A subscriber gets all measured values every few seconds, because no snapshot has them")
  func round() throws {
    var desk = try Example.desk()
    desk.send("/subscribe", "/health/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(measure(&desk) { _ in }.isEmpty)
    desk.time += 4.5
    let heard = measure(&desk) { _ in }
    #expect(heard.contains(OSCMessage("/health/lost", .int32(0))))
    #expect(heard.contains(OSCMessage("/health/stage/sinks/mean", .float(0))))
  }

  @Test("The drift of a bridged port goes to a subscriber of the port, and other ports have none")
  func bridges() throws {
    var desk = try Example.desk()
    desk.send("/subscribe", "/output/usb/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let heard = measure(&desk) {
      $0.outputDrifts["usb"] = 1e-4
      $0.inputDrifts["usb"] = 2e-4
    }
    #expect(heard == [OSCMessage("/output/usb/drift", .float(1e-4))])
    #expect(desk.get("/input/usb/drift") == [.float(2e-4)])
    #expect(desk.get("/output/headphones/drift") == nil)
  }

  @Test("A subscriber of everything and a snapshot get no measured value")
  func everything() throws {
    var desk = try Example.desk()
    for _ in 0..<2 { desk.send("/subscribe", from: Desk.other) }
    desk.wait(2, as: Desk.other)
    #expect(measure(&desk) { $0.load.now = 0.5 }.isEmpty)
    let snapshot = desk.snapshot("/health/*").messages.map(\.address)
    #expect(!snapshot.contains { $0.hasPrefix("/health/load/now") || $0.hasPrefix("/health/stage") })
    #expect(snapshot.contains("/health/load/on"))
    let whole = desk.snapshot().messages.map(\.address)
    #expect(!whole.contains("/player/walkin/buffer/least") && desk.get("/player/walkin/buffer/least") != nil)
    #expect(!whole.contains("/output/usb/drift") && whole.contains("/output/usb/gain"))
  }

  @Test("/health/reset forgets the worst values and keeps the counts")
  func reset() throws {
    var desk = try Example.desk()
    _ = measure(&desk) {
      ($0.load.now, $0.load.worst, $0.counts.lost) = (0.1, 0.9, 512)
      $0[.sinks].worst = 0.004
    }
    #expect(desk.get("/health/stage/sinks/worst") == [.float(0.004)])
    #expect(desk.send("/health/reset").errors.isEmpty)
    #expect(desk.get("/health/load/worst") == [.float(0.1)])
    #expect(desk.get("/health/stage/sinks/worst") == [.float(0)])
    #expect(desk.get("/health/lost") == [.int32(512)])
  }

  @Test("A glitch is the event of its count, cause, length and slowest stage")
  func event() {
    let notification = Notification.glitch(
      count: 3, .machine, seconds: 0.25, .sinks, why: "the audio thread waited")
    #expect(
      OSCMessage(NumberedNotification(serial: 9, notification))
        == OSCMessage("/event/glitch", 9, 3, "machine", 0.25, "sinks"))
  }
}
