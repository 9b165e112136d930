import Effects
public import SessionModel

extension Parameter {
  /// How a leaf of a strip stands for the leaf of the same name of the strip's target; `gain` also for the value of a control.
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
      guard let original = original(moment.state, of: object) else {
        return substitute(moment.state, object) ?? absent
      }
      return original.parameter.read(moment, original.target) ?? absent
    }

    func isMoving(_ moment: Moment, _ target: Target) -> Bool {
      guard let object = Self.object(moment.state, target), let original = original(moment.state, of: object)
      else { return false }
      return original.parameter.isMoving(moment, original.target)
    }

    /// The control of a plugin for which the leaf stands; nil if it stands for none, and while the plugin is not loaded.
    func plugin(_ state: RouterState, _ target: Target) -> EffectControl? {
      guard case .control? = target.strip.flatMap(state.strips.target),
        let original = Self.object(state, target).flatMap({ original(state, of: $0) })
      else { return nil }
      return original.parameter.plugin(state, original.target)
    }

    /// The leaf of a target for which the strip's leaf stands; nil if it has none, and for a control whose plugin is not loaded.
    fileprivate func original(_ state: RouterState, of object: StripTarget) -> Original? {
      guard let parameter = Table.parameter(leaf, of: object) else { return nil }
      var target = Target(object)
      guard case .control = object else { return Original(parameter: parameter, target: target) }
      guard parameter.isPluginControl else {
        // The effect has it.
        target.control = nil
        return Original(parameter: parameter, target: target)
      }
      return parameter.plugin(state, target).map { _ in Original(parameter: parameter, target: target) }
    }
  }

  /// The leaf that an address of a strip stands for.
  public struct Original: Sendable {
    public let parameter: Parameter
    public let target: Target
    public var address: String { parameter.address(at: target) }
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
    guard let original = alias.original(state, of: object) else {
      let isWaiting = Table.parameter(alias.leaf, of: object) != nil
      throw SessionError(
        .notFound,
        "\(object.address), the target of strip \(number), has no \(alias.leaf) to set\(isWaiting ? " until its plugin is loaded" : "")"
      )
    }
    return original
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
    case .control(let effect, let symbol):
      self.init(effect.chain)
      (self.effect, control) = (effect.number, symbol)
    }
  }

  /// What has a chain of effects.
  private init(_ place: InsertPlace) {
    switch place {
    case .stream(let id, let stream): self.init(session: id, stream: stream)
    case .capture(let id): self.init(session: id)
    case .output(let id): self.init(output: id)
    case .input(let id): self.init(input: id)
    }
  }
}

extension Table {
  /// The leaf of a strip's target for which a strip's leaf of a name stands; nil if the target has none.
  fileprivate static func parameter(_ leaf: String, of object: StripTarget) -> Parameter? {
    leaves[object.kind]?[leaf]
  }

  /// What strips act on: objects of a kind, or the controls of their effects.
  fileprivate struct StripKind: Hashable {
    let owner: Owner
    var isControl = false
  }

  /// The leaves for which those of strips stand.
  private static let leaves: [StripKind: [String: Parameter]] = {
    let known = Dictionary(uniqueKeysWithValues: parameters.map { ($0.address, $0) })
    func named(_ addresses: [(leaf: String, address: String)]) -> [String: Parameter] {
      Dictionary(
        uniqueKeysWithValues: addresses.compactMap { leaf, address in
          known[address].flatMap { $0.isWritable ? (leaf, $0) : nil }
        })
    }
    let objects: [Owner] = [.session, .stream, .destination, .output, .input, .player, .group]
    let chains: [Owner] = [.stream, .capture, .output, .input]
    return Dictionary(
      uniqueKeysWithValues: objects.map { owner in
        let leaves = ["gain", "mute", "solo", "on", "name", "color"]
        return (StripKind(owner: owner), named(leaves.map { ($0, "\(owner.rawValue)/\($0)") }))
      }
        + chains.map { owner in
          let effect = "\(owner.rawValue)/effect/<e>"
          return (
            StripKind(owner: owner, isControl: true),
            named([("gain", "\(effect)/control/<control>"), ("on", "\(effect)/on")])
          )
        })
  }()
}

extension StripTarget {
  fileprivate var kind: Table.StripKind {
    switch self {
    case .session: .init(owner: .session)
    case .stream: .init(owner: .stream)
    case .send: .init(owner: .destination)
    case .output: .init(owner: .output)
    case .input: .init(owner: .input)
    case .player: .init(owner: .player)
    case .group: .init(owner: .group)
    case .control(let effect, _): .init(owner: effect.chain.owner, isControl: true)
    }
  }
}

extension InsertPlace {
  fileprivate var owner: Table.Owner {
    switch self {
    case .stream: .stream
    case .capture: .capture
    case .output: .output
    case .input: .input
    }
  }
}
