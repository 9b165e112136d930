import TestKit
import Testing

@Suite struct RealTimePriorityTests {
  @Test("A priority that the system refuses is refused with its reason, and an ordinary one is not")
  func refusal() {
    // No system has such a priority.
    #expect(RealTimePriority.refusal(of: 1_000) == "Invalid argument")
    let reason = RealTimePriority.refusal(of: 1)
    #expect(reason == nil || reason == "Operation not permitted", "\(reason ?? "")")
  }
}
