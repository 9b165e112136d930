import Patterns

/// An address, or a pattern of addresses, and its arguments.
public struct OSCMessage: Hashable, Sendable {
  /// The address as sent; `AddressPattern` checks its form.
  public var address: String

  /// The arguments in order, with arrays flattened.
  public var arguments: [OSCArgument]

  /// Makes a message.
  public init(_ address: String, _ arguments: [OSCArgument]) {
    self.address = address
    self.arguments = arguments
  }

  /// Makes a message from a list of arguments.
  public init(_ address: String, _ arguments: OSCArgument...) {
    self.init(address, arguments)
  }

  /// The type tags without the leading comma.
  public var typeTags: String {
    var tags = ""
    for argument in arguments { tags.unicodeScalars.append(argument.typeTag) }
    return tags
  }
}

extension OSCMessage: CustomStringConvertible {
  /// `/address ,tags value value`, the notation of the usual OSC tools.
  public var description: String {
    guard !arguments.isEmpty else { return address }
    return "\(address) ,\(typeTags) \(arguments.map(\.description).joined(separator: " "))"
  }
}
