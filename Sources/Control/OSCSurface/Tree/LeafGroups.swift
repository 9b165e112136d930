import Parameters

extension AddressTree {
  /// The leaves with feedback at a node and below it, up to the next ids, as a flat list: a comparison of two states looks at thousands of them.
  final class LeafGroups: Sendable {
    /// The leaves of one parameter. They show one value, so that all of them change together.
    struct Group: Sendable {
      let parameter: Parameter
      /// What follows the address of the node, and the leaf there.
      var leaves: [(suffix: String, leaf: Leaf)]
    }

    let groups: [Group]
    /// The ids below, with what follows the address of the node before them.
    let branches: [(suffix: String, branch: Branch)]

    init(_ node: Node) {
      var (groups, branches): ([Group], [(suffix: String, branch: Branch)]) = ([], [])
      Self.collect(node, "", &groups, &branches)
      (self.groups, self.branches) = (groups, branches)
    }

    private static func collect(
      _ node: Node, _ suffix: String, _ groups: inout [Group],
      _ branches: inout [(suffix: String, branch: Branch)]
    ) {
      guard node.feedsBack else { return }
      if let leaf = node.leaf, leaf.feedsBack {
        // The leaves of a parameter are near each other.
        if let index = groups.lastIndex(where: { $0.parameter.address == leaf.parameter.address }) {
          groups[index].leaves.append((suffix, leaf))
        } else {
          groups.append(Group(parameter: leaf.parameter, leaves: [(suffix, leaf)]))
        }
      }
      for name in node.order { collect(node.children[name]!, "\(suffix)/\(name)", &groups, &branches) }
      branches += node.placeholders.filter(\.node.feedsBack).map { (suffix, $0) }
    }
  }
}
