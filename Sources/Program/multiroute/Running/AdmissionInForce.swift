import ControlInterface
import Parameters
import Synchronization

/// The permissions of hosts at present. The threads of transports read them for each packet; a reload replaces them.
final class AdmissionInForce: Sendable {
  private let admission: Mutex<Admission>

  init(_ admission: Admission) { self.admission = Mutex(admission) }

  /// Whether packets of a host are accepted.
  func admits(_ host: HostAddress) -> Bool { admission.withLock { $0.right(of: host) } > .none }

  var current: Admission { admission.withLock(\.self) }

  /// Replaces the permissions.
  ///
  /// - Returns: whether they differ from those before.
  func replace(by next: Admission) -> Bool {
    admission.withLock { admission in
      defer { admission = next }
      return admission != next
    }
  }
}
