import TestKit
import Testing

/// Builds one rig for a suite and removes it after the last test.
struct RigTrait: SuiteTrait, TestScoping {
  let pace: Rig.Pace

  /// The rig of the running suite.
  @TaskLocal static var rig: Rig?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let rig = try await Rig(pace)
    try await Self.$rig.withValue(rig) { try await function() }
    try rig.clear()
  }
}

extension Trait where Self == RigTrait {
  /// The tests of the suite share a server, a stage and a router.
  static func rig(_ pace: Rig.Pace) -> Self { RigTrait(pace: pace) }
}

/// The conformance scenarios of sessions. They check the level of each sound at each port, the events and the refusals.
///
/// Black box: a real JACK server with simulated devices and programs, a router as a process of its own, and OSC over UDP. Each
/// test is one row of the table that its id names; the words are the rig's.
@Suite(.serialized, .rig(.freewheel)) enum Scenarios {}

/// The scenarios that count seconds or kill programs.
@Suite(.serialized, .rig(.realTime)) enum RealTimeScenarios {}
