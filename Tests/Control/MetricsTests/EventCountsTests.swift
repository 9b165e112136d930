import ControlInterface
import SessionModel
import Testing

@testable import Metrics

@Suite struct EventCountsTests {
  private var counts = EventCounts()
  private var state = RouterState()

  private mutating func change(
    _ events: [Notification] = [], _ change: (inout RouterState) -> Void = { _ in }
  ) {
    let before = state
    change(&state)
    let numbered = events.enumerated().map { NumberedNotification(serial: Int32($0), $1) }
    counts.add(Change(from: before, to: state, events: numbered, at: 0))
  }

  @Test("A server that comes back counts as a restart, and the first one does not")
  mutating func restarts() {
    for isRunning in [true, false, true, true, false, true] {
      change { $0.server.isRunning = isRunning }
    }
    #expect(counts.serverRestarts == 2)
  }

  @Test("Interruptions count by their cause, and a flood of causes stays bounded")
  mutating func interruptions() {
    func began(_ source: String) -> Notification {
      .interruption("show", .began(.default), by: .source(InterruptionID(source)!))
    }
    change([
      began("phone"), began("phone"), .interruption("show", .ended(shouldResume: true), by: .source("phone")),
    ])
    #expect(counts.interruptions == ["phone": 2])
    change((0..<1_000).map { began("source-\($0)") } + [began("phone")])
    #expect(counts.interruptions.count == EventCounts.mostCauses + 1)
    #expect(counts.interruptions["phone"] == 3)
    #expect(counts.interruptions.values.reduce(0, +) == 1_003)
  }

  @Test("Errors that clients got are counted by their code, and those of the router itself are not")
  mutating func errors() {
    let error = SessionError(.badValue, "no")
    change([
      .error(client: 3, address: "/ramp", error), .error(client: 0, address: "/ramp", error),
      .error(client: 0, address: "", SessionError(.io, "disk")),
    ])
    #expect(counts.errors == [.badValue: 2])
  }

  @Test("The underruns of a player grow also when the player counts anew after the server has restarted")
  mutating func underruns() {
    change { $0.players["walkin"] = MediaPlayer(id: "walkin", session: "show", stream: "main", seed: 1) }
    for count in [2, 5, 0, 1, 1] {
      change { $0.players["walkin"]?.facts.underruns = count }
    }
    #expect(counts.underruns == ["walkin": 6])
    change { $0.players = Registry() }
    #expect(counts.underruns == ["walkin": 6])
  }

  @Test("What a recorder lost is counted in frames, also after the server is gone")
  mutating func lost() {
    change {
      $0.server.rate = 48_000
      $0.recorders["tape"] = MediaRecorder(id: "tape", source: .output("usb"))
    }
    change { $0.recorders["tape"]?.facts.lost = 0.5 }
    change {
      $0.server = ServerState()
      $0.recorders["tape"]?.facts.lost = 0.75
    }
    #expect(counts.lostFrames == ["tape": 36_000])
  }
}
