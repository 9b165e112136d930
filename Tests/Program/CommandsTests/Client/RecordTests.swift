import Foundation
import SessionModel
import Synchronization
import Testing

@testable import Commands

@Suite("record begins recorders, and ends what it has begun")
struct RecordTests {
  private let router: LoopRouter
  private let terminal = Terminal()

  init() throws {
    router = try LoopRouter(
      LoopRouter.stage + [
        .recorder("r1", .create(.output("usb"))), .recorder("r2", .create(.output("usb"))),
        .recorder("away", .create(.output("headphones"))),
      ])
  }

  private func state(_ id: RecorderID) -> RecorderState? { router.state { $0.recorders[id]?.state } }

  /// Runs the command beside a stand-in for the disk, which makes files for recorders that record and finishes those of others.
  ///
  /// - Parameters:
  ///   - isInterrupted: whether Ctrl-C was pressed.
  ///   - make: makes a file for a recorder in another way; nil for the usual one.
  private func record(
    _ words: String..., flags: [String] = [], isInterrupted: @escaping @Sendable () -> Bool = { false },
    make: (@Sendable (RecorderID) -> RecorderReport?)? = nil
  ) -> ExitCode {
    let (router, isOver, end) = (router, Flag(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      while !isOver.value.load(ordering: .relaxed) {
        for recorder in router.state({ $0.recorders.values }) {
          var facts = RecorderFacts()
          (facts.file, facts.isOpen) = ("\(recorder.id)-new.wav", recorder.isRecording)
          guard recorder.facts.isOpen != facts.isOpen else { continue }
          let report = facts.isOpen ? make.map { $0(recorder.id) } ?? .facts(facts) : .facts(facts)
          if let report { try? router.happen(.recorder(recorder.id, .report(report))) }
        }
        usleep(5_000)
      }
      end.signal()
    }
    defer {
      isOver.value.store(true, ordering: .relaxed)
      end.wait()
    }
    var shell = Shell(terminal)
    shell.interruption = EndRequest { isInterrupted }
    return shell.run(["record"] + words + flags + ["--to", router.endpoint])
  }

  private final class Flag: Sendable { let value = Atomic(false) }

  @Test("Recorders record for a time, and their new files are printed")
  func records() {
    #expect(record("r1", "r2", "--seconds", "0.1") == .success)
    #expect(terminal.lines == ["r1-new.wav", "r2-new.wav"])
    #expect(state("r1") == .stopped && state("r2") == .stopped)
  }

  @Test("A recorder that records already is named with its file, and no other one begins")
  func busy() throws {
    try router.happen(.recorder("r1", .order(.record())))
    var facts = RecorderFacts()
    (facts.file, facts.isOpen) = ("take.wav", true)
    try router.happen(.recorder("r1", .report(.facts(facts))))
    #expect(record("r1", "r2", "--seconds", "0.1") == .failure)
    #expect(terminal.error.contains("r1 records take.wav already") && terminal.output.isEmpty)
    #expect(state("r1") == .recording && state("r2") == .stopped)
  }

  @Test("A recorder whose device is away waits for it, and ends with the others")
  func waits() {
    #expect(record("r1", "away", "--seconds", "0.1") == .success)
    #expect(terminal.error.contains("away waits for headphones") && terminal.lines == ["r1-new.wav"])
    #expect(state("r1") == .stopped && state("away") == .stopped)
  }

  @Test("If a file cannot be made, the command ends with 1 and the reason, and stops what it has begun")
  func refused() {
    let full = SessionError(.io, "the disk is full")
    let code = record(
      "r1", "r2", "--seconds", "60",
      make: { id in
        var facts = RecorderFacts()
        (facts.file, facts.isOpen) = ("r1-new.wav", true)
        return id == "r2" ? .failed(full) : .facts(facts)
      })
    #expect(code == .failure && terminal.error.contains("the disk is full"))
    #expect(state("r1") == .stopped && state("r2") == .stopped)
  }

  @Test(
    "Ctrl-C while a file is not made yet stops the recorders", arguments: [["--seconds", "60"], ["--start"]])
  func interrupted(flags: [String]) {
    let start = ContinuousClock.now
    let code = record("r1", flags: flags) { [router] in
      router.state { $0.recorders["r1"]?.isRecording == true }
    } make: { _ in
      nil
    }
    #expect(code == .success && terminal.output.isEmpty && state("r1") == .stopped)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("A recorder with before ends at its limit, and the command with it")
  func limit() throws {
    try router.happen(.recorder("r1", .set(.before(2))))
    let (router, start) = (router, ContinuousClock.now)
    let code = record("r1", "--seconds", "20") {
      // The limit is reached as soon as the command waits for the end.
      if router.state({ $0.recorders["r1"]?.facts.isOpen == true }) {
        try? router.happen(.recorder("r1", .report(.limit)))
      }
      return false
    }
    #expect(code == .success && terminal.lines == ["r1-new.wav"] && state("r1") == .prepared)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
