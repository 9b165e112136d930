import Parameters
import SessionModel

/// A node of OSCQuery's tree, made from the tree of addresses. It is either a value or a container of other nodes, never both, because clients
/// lose one of the two.
///
/// Shorthands such as `inc` and `fade` are left out. The position of a fader is not: it stands beside its level.
final class QueryNode: Sendable {
  /// The nodes of fixed words, in the order of the table.
  let children: [(name: String, node: QueryNode)]
  /// The nodes of ids.
  let branches: [(placeholder: Placeholder, node: QueryNode)]
  /// The value; nil for a container.
  let value: QueryLeaf?
  /// Whether objects come and go below a container.
  let holdsObjects: Bool

  /// The whole tree. It is made when a client first asks.
  static let root = QueryNode(AddressTree.standard.root) ?? QueryNode()

  private init() { (children, branches, value, holdsObjects) = ([], [], nil, false) }

  /// - Returns: nil if the node is a shorthand, or has nothing but shorthands below.
  private init?(_ node: AddressTree.Node) {
    let children = node.order.compactMap { name in
      node.children[name].flatMap { QueryNode($0) }.map { (name, $0) }
    }
    let branches = node.placeholders.compactMap { branch in
      QueryNode(branch.node).map { (branch.placeholder, $0) }
    }
    let leaf = node.leaf.flatMap { [.value, .position].contains($0.aspect) ? $0 : nil }
    let hasNodes = !children.isEmpty || !branches.isEmpty
    guard leaf != nil || hasNodes else { return nil }
    (self.children, self.branches) = (children, branches)
    // A meter of all channels gives way to those of each, and a count to the alarm about it. Other values hide what is below them: it is asked
    // for by its own address.
    let isMeter = leaf?.parameter.kind == .meter(channels: true)
    let isCount = leaf?.parameter.isMeasured == true
    let hasSettings = children.contains { $1.value?.leaf.parameter.isWritable == true }
    let isGroup = hasNodes && (isMeter || isCount && hasSettings)
    value = isGroup ? nil : leaf.map { QueryLeaf($0) }
    holdsObjects = value == nil && (!branches.isEmpty || children.contains { $1.holdsObjects })
  }

  /// The node at an address, and the objects that the address names; nil if there is none.
  static func find(_ address: String, in state: RouterState) -> (node: QueryNode, target: Target)? {
    guard address.utf8.first == UInt8(ascii: "/") else { return nil }
    var (node, target) = (root, Target())
    guard address != "/" else { return (node, target) }
    for part in address.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if let child = node.children.first(where: { $0.name == part }) {
        node = child.node
      } else if let (next, filled) = node.object(String(part), at: target, in: state) {
        (node, target) = (next, filled)
      } else {
        return nil
      }
    }
    return (node, target)
  }

  private func object(_ name: String, at target: Target, in state: RouterState) -> (QueryNode, Target)? {
    for branch in branches {
      guard let filled = branch.placeholder.fill(name, into: target),
        branch.placeholder.isKnown(filled, in: state)
      else { continue }
      return (branch.node, filled)
    }
    return nil
  }
}
