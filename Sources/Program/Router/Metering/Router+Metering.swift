import SessionModel
import SystemCalls

extension Router {
  /// Tells that an output's loudness and true peaks cannot be measured. Called on the meters' thread.
  nonisolated func miss(_ library: DynamicLibrary.Missing, at output: PortID) {
    _ = executor.post(limit: .max) {
      self.assumeIsolated {
        $0.tell(
          .error(
            client: 0, address: "/output/\(output)/meters",
            SessionError(.io, "\(output) shows neither loudness nor true peaks: \(library)")))
      }
    }
  }
}
