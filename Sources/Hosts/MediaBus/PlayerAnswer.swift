/// The answer to a call of a method.
enum PlayerAnswer: Equatable {
  case values([BusValue])
  case refusal(Refusal, String)

  static let done = PlayerAnswer.values([])

  /// The errors of D-Bus that are used.
  enum Refusal: String {
    case unknownObject = "UnknownObject"
    case unknownInterface = "UnknownInterface"
    case unknownMethod = "UnknownMethod"
    case unknownProperty = "UnknownProperty"
    case readOnly = "PropertyReadOnly"
    case badArguments = "InvalidArgs"
    case notSupported = "NotSupported"
    case failed = "Failed"

    var name: String { "org.freedesktop.DBus.Error." + rawValue }
  }
}

/// A call of a method of ours.
struct PlayerCall {
  var path: String
  /// Nil if the caller leaves the choice to us.
  var interface: String?
  var member: String
  /// The types of the arguments.
  var signature: String
  var arguments: [BusValue]
}
