import OSC
import Parameters
import SessionModel

/// One leaf that an address or pattern means.
struct Match: Sendable {
  let address: String
  let leaf: AddressTree.Leaf
  let target: Target

  var parameter: Parameter { leaf.parameter }
  var aspect: Aspect { leaf.aspect }
}

extension AddressTree {
  /// The leaf of a plain address.
  /// - Throws: `SessionError` unknownAddress with the nearest name, or notFound with what there is.
  func find(_ address: String, in state: RouterState) throws(SessionError) -> Match {
    var (node, target) = (root, Target())
    let parts = address.split(separator: "/")
    for (index, part) in parts.enumerated() {
      let name = String(part)
      if let child = node.children[name] {
        node = child
      } else if let (branch, filled) = try node.branch(for: name, at: target, in: state) {
        (node, target) = (branch.node, filled)
      } else {
        let known = node.order + node.placeholders.flatMap { $0.placeholder.names(in: state, at: target) }
        throw Self.unknown(address, at: parts[..<index].joined(separator: "/"), name: name, among: known)
      }
    }
    guard let leaf = node.leaf else {
      let below = node.order + node.placeholders.map(\.placeholder.rawValue)
      throw SessionError(
        .unknownAddress,
        "\(address) is no address by itself; below it there are \(below.joined(separator: ", "))")
    }
    return Match(address: address, leaf: leaf, target: target)
  }

  /// The leaves of a pattern, in the order of the address space; at most `limit`, then nil.
  func find(_ pattern: AddressPattern, in state: RouterState, limit: Int) -> [Match]? {
    var found: [Match] = []
    collect(root, pattern.parts[...], "", Target(), state, limit, &found)
    return found.count > limit ? nil : found
  }

  private func collect(
    _ node: Node, _ parts: ArraySlice<AddressPattern.Part>, _ address: String, _ target: Target,
    _ state: RouterState, _ limit: Int, _ found: inout [Match]
  ) {
    guard found.count <= limit else { return }
    guard let part = parts.first else {
      if let leaf = node.leaf { found.append(Match(address: address, leaf: leaf, target: target)) }
      return
    }
    for name in node.order where part.matches(name) {
      collect(node.children[name]!, parts.dropFirst(), "\(address)/\(name)", target, state, limit, &found)
    }
    for branch in node.placeholders {
      for name in branch.placeholder.names(in: state, at: target)
      where part.matches(name) && node.children[name] == nil {
        guard let filled = branch.placeholder.fill(name, into: target) else { continue }
        collect(branch.node, parts.dropFirst(), "\(address)/\(name)", filled, state, limit, &found)
      }
    }
  }

  /// Calls `body` for each leaf at or below a node, in order.
  func forEach(
    below address: String = "", in state: RouterState, node: Node? = nil, target: Target = Target(),
    _ body: (Match) -> Void
  ) {
    let node = node ?? root
    if let leaf = node.leaf { body(Match(address: address, leaf: leaf, target: target)) }
    for name in node.order {
      forEach(below: "\(address)/\(name)", in: state, node: node.children[name]!, target: target, body)
    }
    for branch in node.placeholders {
      for name in branch.placeholder.names(in: state, at: target) {
        guard let filled = branch.placeholder.fill(name, into: target) else { continue }
        forEach(below: "\(address)/\(name)", in: state, node: branch.node, target: filled, body)
      }
    }
  }

  /// The node of an address of fixed words and placeholders, such as `/session/<s>`.
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

  private static func unknown(
    _ address: String, at parent: String, name: String, among known: [String]
  ) -> SessionError {
    let here = parent.isEmpty ? "/" : "/\(parent)"
    if let nearest = NearestName.suggestion(for: name, among: known) {
      return SessionError(.unknownAddress, "there is no '\(name)' in \(here); did you mean '\(nearest)'?")
    }
    return SessionError(.unknownAddress, "there is no '\(name)' in \(here); /system/list lists what there is")
  }
}

extension AddressTree.Node {
  /// Where an id leads.
  /// - Throws: `SessionError` notFound when it could stand there but nobody has it.
  fileprivate func branch(
    for name: String, at target: Target, in state: RouterState
  ) throws(SessionError) -> (AddressTree.Branch, Target)? {
    for branch in placeholders {
      guard let filled = branch.placeholder.fill(name, into: target) else { continue }
      let names = branch.placeholder.names(in: state, at: target)
      if !branch.placeholder.mustExist(at: target) || names.contains(name) { return (branch, filled) }
      let list = names.isEmpty ? "there is none" : "there are \(names.joined(separator: ", "))"
      throw SessionError(.notFound, "there is no \(branch.placeholder.noun) \(name); \(list)")
    }
    return nil
  }
}
