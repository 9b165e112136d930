/// The one table of everything that can be addressed.
public enum Table {
  /// Every parameter, in the order of the reference.
  public static let parameters: [Parameter] =
    sessions + streams + captures + outputs + inputs + router + meters + surface + system

  /// The parameters that a preset may set on one kind of object, by their address without the last part.
  public static func keys(of owner: String) -> [Parameter] {
    parameters.filter { $0.key != nil && $0.address.hasPrefix(owner + "/") && $0.address.dropFirst(owner.count + 1) == $0.leaf(of: owner) }
  }
}

extension Parameter {
  /// The part of the address behind its owner, if nothing but fixed words stand there.
  func leaf(of owner: String) -> Substring? {
    guard address.hasPrefix(owner + "/") else { return nil }
    let rest = address.dropFirst(owner.count + 1)
    return rest.contains("<") ? nil : rest
  }
}
