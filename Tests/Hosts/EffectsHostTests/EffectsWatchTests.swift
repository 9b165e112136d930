import Testing

@testable import EffectsHost

@Suite("How long the effects program has not gone on")
struct EffectsWatchTests {
  private static func line(_ state: String, _ user: Int, _ system: Int) -> String {
    "4701 (fx) R (sound) \(state) 4654 4697 4697 0 -1 4194624 65 0 0 0 \(user) \(system) 0 0 20 0 3 0 4287065"
  }

  @Test("The system's line of a thread tells its state and how long it has run, whatever its name")
  func line() throws {
    let running = try #require(ThreadActivity(Self.line("R", 3, 4)))
    #expect(running.isRunnable && !running.isStopped && running.ticks == 7)
    let stopped = try #require(ThreadActivity(Self.line("T", 0, 0)))
    #expect(!stopped.isRunnable && stopped.isStopped)
    for wrong in [
      "", "4701 (fx-sound", "4701 (fx-sound) R 1 2", Self.line("R", 3, 4).replacing(" 3 ", with: " x "),
    ] {
      #expect(ThreadActivity(wrong) == nil, "\(wrong)")
    }
  }

  @Test("A thread that computes, sleeps or is not known waits; one that gets no processor does not")
  func waits() {
    func waited(_ line: (Int) -> String?) -> Double {
      var watch = EffectsWatch()
      watch.goOn(5, at: 100)
      for look in 1...10 { watch.wait(line(look).flatMap { ThreadActivity($0) }, at: 100 + Double(look)) }
      return watch.waited
    }
    #expect(waited { Self.line("R", $0, 0) } == 10)
    #expect(waited { _ in Self.line("S", 1, 0) } == 10)
    #expect(waited { _ in nil } == 10)
    // Nothing is known of the second before the first look.
    #expect(waited { _ in Self.line("R", 1, 0) } == 1)
    #expect(waited { Self.line("R", $0 / 4, 0) } == 3)
  }

  @Test("Time counts anew when the program goes on")
  func goesOn() {
    var watch = EffectsWatch()
    watch.wait(nil, at: 1)
    #expect(watch.waited == 1)
    watch.goOn(7, at: 3)
    #expect(watch.waited == 0 && watch.rounds == 7)
    watch.wait(nil, at: 3.5)
    #expect(watch.waited == 0.5)
  }
}
