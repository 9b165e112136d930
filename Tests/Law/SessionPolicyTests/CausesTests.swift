import LawWorld
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@Suite("The causes of silence")
struct CausesTests {
  @Test("A session that is heard has no silencing cause; otherwise the first one is that of why")
  func agreement() throws {
    var counts = Counts()
    for run: UInt64 in 0..<6 {
      let seed = UInt64.random(in: 0...UInt64.max / 8) &* 6 &+ run
      try compareCausesWithVerdicts(seed: seed, counting: &counts)
    }
    // The positive control counts all runs: in one run of about 300 no session is ever heard.
    #expect(counts.heard > 500 && counts.silent > 500 && counts.silentForSeveralReasons > 100, "\(counts)")
  }

  private struct Counts {
    var heard = 0
    var silent = 0
    var silentForSeveralReasons = 0
  }

  private func compareCausesWithVerdicts(seed: UInt64, counting counts: inout Counts) throws {
    var (source, state) = (RandomEvents(seed: seed), try LawEvents.start())
    for step in 0..<1_500 {
      let time = Double(step) / 10
      guard (try? Policy.reduce(&state, source.next(state), at: time)) != nil else { continue }
      if step.isMultiple(of: 20) {
        for event in LawEvents.livening(state) { _ = try? Policy.reduce(&state, event, at: time) }
      }
      for session in state.sessions.values {
        let verdict = state.verdict(of: session, state.activity)
        let causes = state.causes(of: session, state.activity)
        let silencing = causes.filter { $0.verdict != nil }
        #expect(causes.allSatisfy { !$0.sentence.isEmpty && !$0.text.contains("; ") }, "seed \(seed)")
        switch verdict {
        case .heard, .ducked:
          counts.heard += 1
          #expect(silencing.isEmpty, "seed \(seed), step \(step): \(silencing)")
          if case .ducked(_, let ducker) = verdict {
            #expect(causes.contains { $0.sentence.hasSuffix("by \(ducker)") }, "seed \(seed), step \(step)")
          }
        case .interrupted, .silent:
          counts.silent += 1
          if silencing.count > 1 { counts.silentForSeveralReasons += 1 }
          #expect(silencing.first?.verdict == verdict, "seed \(seed), step \(step): \(causes.map(\.text))")
        }
      }
    }
  }

  @Test("An interruption is told with the time of day at which it began")
  func interruptionTime() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    world.state.timeOfDayAtStart = 20 * 3_600 + 59 * 60
    world.time = 65.9
    try world.handle(.beginInterruption("phone"))
    world.time = 500
    try world.handle(.session("music", .gain(.set(-3))))
    let session = try #require(world.state.sessions["music"])
    #expect(
      world.state.causes(of: session, world.state.activity).first?.text
        == "session: interrupted at 21:00:05 by a call (phone)")
  }

  @Test("The dim of an output is named as long as it is on")
  func dim() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    let output = try #require(world.state.sessions["music"]?.route.outputs.first)
    func causes() throws -> String {
      world.state.causesText(try #require(world.state.sessions["music"]), world.state.activity)
    }
    try world.handle(.port(.output, output, .section(.dim(true))))
    #expect(try causes().contains("output \(output): its dim is on, -20.0 dB"))
    try world.handle(.port(.output, output, .section(.dim(false))))
    #expect(try !causes().contains("dim"))
  }

  @Test("A program that hangs is named by why, as by its causes")
  func hung() throws {
    var world = try World.stage()
    try world.create("show", .playback, options: .mixWithOthers)
    try world.handle(.stream("show", "main", .sources([.ports(ProgramPorts("Band:out_*")!)])))
    try world.handle(.jackPorts([JackPort("Band:out_1", isInput: false)]))
    try world.handle(.connected("show", true))
    try world.handle(
      .hungPrograms([HungProgram("Band", isDisconnected: true), HungProgram("Other", isDisconnected: true)]))
    let session = try #require(world.state.sessions["show"])
    #expect(world.state.why(session, world.state.activity).contains("its program Band hangs"))
    #expect(world.state.causesText(session, world.state.activity).contains("program: Band hangs"))
    #expect(!world.state.why(session, world.state.activity).contains("Other"))
  }

  @Test("A microphone that a session may not record says by which other session it arrives all the same")
  func detour() throws {
    var world = try World.stage()
    try world.create("talk", .playback, options: .mixWithOthers)
    try world.handle(.stream("talk", "main", .sources([.input("mic", channels: nil)])))
    try world.handle(.connected("talk", true))
    try world.create("call", .playAndRecord, options: .mixWithOthers)
    try world.handle(.session("call", .permission(.denied)))
    try world.handle(.session("call", .captureChannels(1)))
    try world.handle(.captureSession("call", "talk", .on(true)))
    let session = try #require(world.state.sessions["call"])
    let why = world.state.whyOfCapture(session, world.state.activity)
    #expect(
      why.contains("input mic may not be recorded (permission is denied), but arrives by talk"), "\(why)")
  }
}
