public import ControlInterface
public import OSC

extension Admission {
  /// Greatest number of characters of a passcode that a program on the network can guess within days.
  private static let guessable = 5

  /// One sentence for each passcode that is too short for the network; none if only this machine can send.
  ///
  /// The sentences do not contain the passcodes, because logs are shown to others.
  public func warnings(receivingAt endpoints: [Endpoint]) -> [String] {
    guard let open = endpoints.first(where: { !$0.isLocal }) else { return [] }
    return passcodes.filter { $0.key.count <= Self.guessable }.sorted { $0.value < $1.value }.map {
      "a passcode for \($0.value) has only \($0.key.count) characters, and OSC is open to the network at \(open); use at least \(Self.guessable + 1)"
    }
  }
}
