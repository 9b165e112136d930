import OSC
import Testing

extension Rig {
  /// Expects that a command is refused with this number and symbol, that every readable leaf stays the same, that no session gets
  /// an event, and that no sound changes.
  func expectRefused(
    _ code: RefusalCode, _ address: String, _ arguments: OSCArgument...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectRefused(code, address, arguments, sourceLocation: sourceLocation)
  }

  /// Expects the refusal of a command, with all arguments in an array.
  func expectRefused(
    _ code: RefusalCode, _ address: String, _ arguments: [OSCArgument],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try surface.sync()
    let before = try leaves()
    try expectEvents([:], sourceLocation: sourceLocation)
    let sound = try listen(tail: 9_600) {
      do {
        try surface.send(address, arguments)
        Issue.record("\(address) \(arguments) is accepted", sourceLocation: sourceLocation)
      } catch let refusal as ControlSurface.Refusal {
        #expect(
          RefusalCode(number: refusal.code, symbol: refusal.symbol) == code, "\(refusal)",
          sourceLocation: sourceLocation)
        #expect(!refusal.sentence.isEmpty, sourceLocation: sourceLocation)
      }
    }
    let after = try leaves()
    let changed = Set(before.keys).union(after.keys).filter {
      before[$0] != after[$0]
    }
    let differences = changed.sorted().map {
      "\($0): \(before[$0].map { "\($0)" } ?? "nothing"), then \(after[$0].map { "\($0)" } ?? "nothing")"
    }
    #expect(differences == [], sourceLocation: sourceLocation)

    try expectEvents([:], sourceLocation: sourceLocation)
    sound.expectUnchanged(sourceLocation: sourceLocation)
  }
}
