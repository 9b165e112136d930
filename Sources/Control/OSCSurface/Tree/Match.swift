import OSC
import Parameters
import SessionModel

/// One leaf that an address names or a pattern matches.
struct Match: Sendable {
  let address: String
  let leaf: AddressTree.Leaf
  let target: Target

  var parameter: Parameter { leaf.parameter }
  var aspect: Aspect { leaf.aspect }

  /// Whether the leaf can be read.
  var isReadable: Bool { aspect.isReadable && (!parameter.isCommand || parameter.isLamp) }

  /// The leaf that shows the effect of a set: the leaf itself, or the value above `/inc`, `/fade`, `/toggle` and similar leaves.
  var shown: Match {
    let depth = aspect.depthBelowShown
    guard depth > 0 else { return self }
    let parts = address.split(separator: "/").dropLast(depth)
    let isPosition =
      parameter.isLevel ? parts.last == "fader" : parts.count > parameter.parts.count
    return Match(
      address: "/" + parts.joined(separator: "/"),
      leaf: AddressTree.Leaf(parameter: parameter, aspect: isPosition ? .position : .value), target: target)
  }
}

extension AddressTree {
  /// The leaf of a plain address.
  ///
  /// - Parameter isSet: whether the message is a set. A set may name an unknown output, which the policy then refuses.
  /// - Throws: `SessionError` unknownAddress with the nearest name, or with the names that exist.
  func find(_ address: String, in state: RouterState, isSet: Bool = false) throws(SessionError) -> Match {
    let (node, target) = try walk(address, in: state, isSet: isSet)
    guard let leaf = node.leaf else {
      let below = node.order + node.placeholders.map(\.placeholder.rawValue)
      throw SessionError(
        .unknownAddress,
        "\(address) is not a complete address; below it: \(below.joined(separator: ", "))")
    }
    return Match(address: address, leaf: leaf, target: target)
  }

  /// The names directly below an address.
  /// - Throws: `SessionError` unknownAddress.
  func children(of address: String, in state: RouterState) throws(SessionError) -> [String] {
    let (node, target) = try walk(address, in: state)
    return node.order + node.placeholders.flatMap { $0.placeholder.names(in: state, at: target) }
  }

  private func walk(
    _ address: String, in state: RouterState, isSet: Bool = false
  ) throws(SessionError) -> (Node, Target) {
    var (node, target) = (root, Target())
    let parts = address.split(separator: "/")
    for (index, part) in parts.enumerated() {
      let name = String(part)
      if let child = node.children[name] {
        node = child
      } else if let (branch, filled) = node.branch(for: name, at: target, in: state, isSet: isSet) {
        (node, target) = (branch.node, filled)
      } else {
        let parent = parts[..<index].map { "/\($0)" }.joined()
        throw Self.unknown(name, in: parent, at: node, target, state)
      }
    }
    return (node, target)
  }

  private static func unknown(
    _ name: String, in parent: String, at node: Node, _ target: Target, _ state: RouterState
  ) -> SessionError {
    let ids = node.placeholders.flatMap { $0.placeholder.names(in: state, at: target) }
    guard let noun = node.placeholders.first?.placeholder.noun else {
      let what = "'\(name)' in \(parent.isEmpty ? "/" : parent)"
      return SessionError(
        .unknownAddress, "there is no \(what); \(NearestName.hint(for: name, among: node.order))")
    }
    // Commands such as `create` stand beside the ids: one of them may be meant, but none is a session.
    let hint =
      state.lackOfPlugin(at: target) ?? NearestName.hint(for: name, among: ids, or: node.order)
    return SessionError(.unknownAddress, "there is no \(noun) \(name); \(hint)")
  }

  /// The node at an address template of fixed words and placeholders, such as `/session/<s>`.
  func node(_ template: String) -> Node? {
    var node = root
    for part in template.split(separator: "/") {
      if let child = node.children[String(part)] {
        node = child
      } else if let branch = node.placeholders.first(where: { $0.placeholder.rawValue == part }) {
        node = branch.node
      } else {
        return nil
      }
    }
    return node
  }
}

extension AddressTree.Node {
  /// The object with an id; nil if there is none.
  fileprivate func branch(
    for name: String, at target: Target, in state: RouterState, isSet: Bool
  ) -> (AddressTree.Branch, Target)? {
    for branch in placeholders {
      guard let filled = branch.placeholder.fill(name, into: target) else { continue }
      let isDestination = branch.placeholder == .output && target.stream != nil
      if branch.placeholder.isKnown(filled, in: state) || isSet && isDestination { return (branch, filled) }
    }
    return nil
  }
}
