/// A failed call into the C library.
public struct SystemError: Error, Hashable, Sendable {
  /// The name of the C function.
  public var call: String
  public var number: ErrorNumber
  /// The object of the call, such as a path or an address; nil if there is none to name.
  public var subject: String?
  /// The reason in words of this program, if the system has none.
  private let wording: String?

  public init(_ call: String, _ number: ErrorNumber, _ subject: String? = nil, reason: String? = nil) {
    (self.call, self.number, self.subject, wording) = (call, number, subject, reason)
  }

  /// The reason without a full stop: the system's description, such as `No such file or directory`.
  public var reason: String { wording ?? number.description }
}

extension SystemError: CustomStringConvertible {
  /// For example `open for /etc/shadow failed: Permission denied`.
  public var description: String { "\(call)\(subject.map { " for \($0)" } ?? "") failed: \(reason)" }
}
