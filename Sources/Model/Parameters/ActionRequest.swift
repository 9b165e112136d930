public import SessionModel

extension Parameter {
  /// A request to carry out an action of the law.
  public struct ActionRequest: Sendable {
    public let state: RouterState
    public let target: Target
    /// The message's arguments.
    public let arguments: [Value]

    public init(state: RouterState, target: Target, arguments: [Value] = []) {
      (self.state, self.target, self.arguments) = (state, target, arguments)
    }

    /// Reads a count or an index, rounded.
    /// - Throws: `SessionError` badValue if the argument is missing or not finite, badType if it is no number.
    func integer(at index: Int, of what: String) throws(SessionError) -> Int {
      guard arguments.indices.contains(index) else {
        throw SessionError(.badValue, "argument \(index + 1) is missing; expected the number of \(what)")
      }
      switch arguments[index] {
      case .integer(let number): return number
      case .flag(let isOn): return isOn ? 1 : 0
      case .number(let number):
        guard let integer = Int(exactly: number.rounded()) else {
          throw SessionError(.outOfRange, "\(number) is no number of \(what)")
        }
        return integer
      case .text(let text):
        guard let number = Int(text) else {
          throw SessionError(.badValue, "'\(text)' is not a whole number; expected the number of \(what)")
        }
        return number
      case .texts, .numbers: throw SessionError(.badType, "a list is no number of \(what)")
      }
    }
  }
}
