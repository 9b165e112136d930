public import SessionModel

extension Parameter {
  /// How a leaf of a strip stands for the leaf of the same name of the strip's target.
  public struct Alias: Sendable {
    /// The name of the leaf, such as `gain`.
    let leaf: String
    /// What the leaf reads if the strip has no target, or if the target has no such leaf.
    let absent: Value
    /// What the leaf reads of a target without such a leaf.
    let substitute: @Sendable (RouterState, StripTarget) -> Value?

    init(
      _ leaf: String, absent: Value,
      substitute: @escaping @Sendable (RouterState, StripTarget) -> Value? = { _, _ in nil }
    ) {
      (self.leaf, self.absent, self.substitute) = (leaf, absent, substitute)
    }

    /// The target of the strip, if its object exists.
    fileprivate static func object(_ state: RouterState, _ target: Target) -> StripTarget? {
      guard let object = target.strip.flatMap(state.strips.target), state.exists(object) else { return nil }
      return object
    }

    func read(_ moment: Moment, _ target: Target) -> Value {
      guard let object = Self.object(moment.state, target) else { return absent }
      guard let parameter = Table.parameter(leaf, of: object) else {
        return substitute(moment.state, object) ?? absent
      }
      return parameter.read(moment, Target(object)) ?? absent
    }

    func isMoving(_ moment: Moment, _ target: Target) -> Bool {
      guard let object = Self.object(moment.state, target),
        let parameter = Table.parameter(leaf, of: object)
      else { return false }
      return parameter.isMoving(moment, Target(object))
    }
  }

  /// The leaf that an address of a strip stands for.
  public struct Original: Sendable {
    public let parameter: Parameter
    public let target: Target
    /// The address of the strip's target, such as `/output/usb`.
    public let object: String
  }

  /// Whether the parameter stands for one of a strip's target.
  public var isAlias: Bool { if case .alias = binding { true } else { false } }

  /// The leaf that this leaf of a strip stands for.
  /// - Throws: `SessionError` notFound if the strip has no target, or if the target is gone or has no such leaf.
  public func original(_ state: RouterState, _ target: Target) throws(SessionError) -> Original? {
    guard case .alias(let alias) = binding, let number = target.strip else { return nil }
    guard let object = state.strips.target(of: number) else {
      throw SessionError(
        .notFound, "strip \(number) has no target; /strip/\(number)/assign names one, such as /output/usb")
    }
    guard state.exists(object) else {
      throw SessionError(
        .notFound,
        "\(object.address), the target of strip \(number), does not exist now; /strip/\(number)/assign names another one"
      )
    }
    guard let parameter = Table.parameter(alias.leaf, of: object) else {
      throw SessionError(
        .notFound, "\(object.address), the target of strip \(number), has no \(alias.leaf) to set")
    }
    return Original(parameter: parameter, target: Target(object), object: object.address)
  }
}

extension Target {
  /// The object of a strip.
  init(_ object: StripTarget) {
    switch object {
    case .session(let id): self.init(session: id)
    case .stream(let id, let stream): self.init(session: id, stream: stream)
    case .send(let id, let stream, let output): self.init(session: id, stream: stream, output: output)
    case .output(let id): self.init(output: id)
    case .input(let id): self.init(input: id)
    case .player(let id): self.init(player: id)
    case .group(let id): self.init(group: id)
    }
  }
}

extension Table {
  /// The leaf with a name of a strip's target; nil if the target has none.
  fileprivate static func parameter(_ leaf: String, of object: StripTarget) -> Parameter? {
    leaves[object.owner]?[leaf]
  }

  /// The leaves for which those of strips stand.
  private static let leaves: [Owner: [String: Parameter]] = {
    let known = Dictionary(uniqueKeysWithValues: parameters.map { ($0.address, $0) })
    let owners: [Owner] = [.session, .stream, .destination, .output, .input, .player, .group]
    return Dictionary(
      uniqueKeysWithValues: owners.map { owner in
        let named = ["gain", "mute", "solo", "on", "name", "color"].compactMap { leaf in
          known["\(owner.rawValue)/\(leaf)"].flatMap { $0.isWritable ? (leaf, $0) : nil }
        }
        return (owner, Dictionary(uniqueKeysWithValues: named))
      })
  }()
}

extension StripTarget {
  fileprivate var owner: Table.Owner {
    switch self {
    case .session: .session
    case .stream: .stream
    case .send: .destination
    case .output: .output
    case .input: .input
    case .player: .player
    case .group: .group
    }
  }
}
