import Parameters

/// The address space as a tree. Placeholders stand for ids.
final class AddressTree: Sendable {
  /// The tree of the table of parameters, which all surfaces share.
  static let standard = AddressTree(Table.parameters)

  let root: Node
  /// The leaves of measured values.
  let measured: [Leaf]

  /// A part of an address, its meaning, and the parts that may follow it.
  struct Node: Sendable {
    var children: [String: Node] = [:]
    /// The names of `children` in the order of the table.
    var order: [String] = []
    var placeholders: [Branch] = []
    var leaf: Leaf?
    /// Whether this node or one below it has a value that feeds back to subscribers.
    ///
    /// A subtree with only commands and meters does not feed back, and is not compared.
    var feedsBack = false
    /// The leaves of the node, if it is that of an id or the first part of addresses.
    fileprivate(set) var sealed: LeafGroups?

    /// The leaves with feedback at the node and below it.
    var leafGroups: LeafGroups { sealed ?? LeafGroups(self) }
  }

  /// A placeholder for an id, and the parts that may follow it.
  struct Branch: Sendable {
    var placeholder: Placeholder
    var node: Node
  }

  /// The parameter at an address. It is a class because hundreds of matches refer to it, and a parameter has many members to copy.
  final class Leaf: Sendable {
    let parameter: Parameter
    let aspect: Aspect

    init(parameter: Parameter, aspect: Aspect) { (self.parameter, self.aspect) = (parameter, aspect) }

    /// The address of the value that the leaf at an address shows: of a position the level beside it, or the control of a plugin above it.
    func valueAddress(_ address: String) -> String {
      guard aspect == .position, let name = parameter.parts.last else { return address }
      let above = address.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      return parameter.isLevel ? "\(above)/\(name)" : above
    }

    /// Whether the leaf has a value that changes with the state.
    var feedsBack: Bool {
      guard aspect.isReadable else { return false }
      return switch parameter.binding {
      case .control, .value, .readOnly, .observed, .transport, .alias, .lamp: true
      case .surface, .action, .measured: false
      }
    }
  }

  private init(_ parameters: [Parameter]) {
    var root = Node()
    for parameter in parameters {
      let parts = parameter.parts.map(String.init)
      root.insert(parts[...], Leaf(parameter: parameter, aspect: .value))
      for (suffix, aspect) in parameter.subLeaves {
        root.insert((parts + suffix)[...], Leaf(parameter: parameter, aspect: aspect))
      }
      guard parameter.isLevel else { continue }
      for (fader, aspect) in parameter.positions(at: parts.dropLast() + ["fader"]) {
        root.insert(fader[...], Leaf(parameter: parameter, aspect: aspect))
      }
    }
    root.seal()
    for name in root.order { root.children[name]!.sealed = LeafGroups(root.children[name]!) }
    self.root = root
    measured = parameters.filter(\.isMeasured).map { Leaf(parameter: $0, aspect: .value) }
  }
}

extension AddressTree.Node {
  /// Makes the lists of leaves of all ids below.
  fileprivate mutating func seal() {
    for name in order { children[name]!.seal() }
    for index in placeholders.indices {
      placeholders[index].node.seal()
      placeholders[index].node.sealed = AddressTree.LeafGroups(placeholders[index].node)
    }
  }

  fileprivate mutating func insert(_ parts: ArraySlice<String>, _ leaf: AddressTree.Leaf) {
    if leaf.feedsBack { feedsBack = true }
    guard let first = parts.first else {
      self.leaf = leaf
      return
    }
    let rest = parts.dropFirst()
    if let placeholder = Placeholder(rawValue: first) {
      let index = placeholders.firstIndex { $0.placeholder == placeholder }
      var branch = index.map { placeholders[$0] } ?? .init(placeholder: placeholder, node: .init())
      branch.node.insert(rest, leaf)
      if let index { placeholders[index] = branch } else { placeholders.append(branch) }
    } else {
      if children[first] == nil { order.append(first) }
      children[first, default: .init()].insert(rest, leaf)
    }
  }
}
