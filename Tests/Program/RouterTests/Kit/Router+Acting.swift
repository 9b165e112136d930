@testable import Router

extension Router {
  /// Joins the server in memory.
  func join() {
    seekServer()
    followSearch()
  }

  /// Runs work on the actor.
  func perform<Result: Sendable, Failure: Error>(
    _ work: @Sendable (isolated Router) throws(Failure) -> Result
  ) throws(Failure) -> Result { try work(self) }
}
