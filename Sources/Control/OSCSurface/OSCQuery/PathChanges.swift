import Parameters
import SessionModel

/// The nodes that have come and gone between two states.
struct PathChanges: Equatable {
  /// The new nodes, by the node above them.
  private(set) var added: [(parent: String, addresses: [String])] = []
  private(set) var removed: [String] = []

  static func == (left: Self, right: Self) -> Bool {
    left.removed == right.removed && left.added.elementsEqual(right.added, by: ==)
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  init(from before: RouterState, to after: RouterState) {
    let walk = Walk(
      before: before, after: after, changed: Set(after.sessions.keys(changedSince: before.sessions)))
    walk.compare(QueryNode.root, "", Target(), &self)
  }

  private struct Walk {
    let before: RouterState
    let after: RouterState
    let changed: Set<SessionID>

    func compare(_ node: QueryNode, _ address: String, _ target: Target, _ changes: inout PathChanges) {
      for (name, child) in node.children where child.holdsObjects {
        compare(child, "\(address)/\(name)", target, &changes)
      }
      for (placeholder, child) in node.branches {
        let old = placeholder.names(in: before, at: target)
        let new = placeholder.names(in: after, at: target)
        var kept = new
        if old != new {
          let (former, present) = (Set(old), Set(new))
          kept = new.filter(former.contains)
          changes.removed += old.filter { !present.contains($0) }.map { "\(address)/\($0)" }
          let added = new.filter { !former.contains($0) }.map { "\(address)/\($0)" }
          if !added.isEmpty { changes.added.append((address.isEmpty ? "/" : address, added)) }
        }
        guard child.holdsObjects else { continue }
        for name in kept {
          guard let filled = placeholder.fill(name, into: target), mayDiffer(filled) else { continue }
          compare(child, "\(address)/\(name)", filled, &changes)
        }
      }
    }

    /// Whether something may have come or gone below an object: not in a session that is the same.
    private func mayDiffer(_ target: Target) -> Bool {
      (target.session ?? target.capture).map(changed.contains) ?? true
    }
  }
}

extension PathChanges {
  /// Greatest number of bytes of nodes that the clients are told at a time. They ask for more by themselves.
  private static let mostBytes = 64 << 10

  /// The messages for clients: nodes that are gone, and each new node with all below it. If many come at once, clients are told to read the node
  /// above them anew.
  func messages(_ view: QueryView) -> [String] {
    var messages = removed.map { "{\"COMMAND\":\"PATH_REMOVED\",\"DATA\":\"\($0)\"}" }
    var room = Self.mostBytes
    for (parent, addresses) in added {
      var nodes: [String] = []
      for address in addresses where room > 0 {
        guard let node = view.tree(at: address) else { continue }
        room -= node.utf8.count
        nodes.append("{\"COMMAND\":\"PATH_ADDED\",\"DATA\":\"\(address)\",\(node.dropFirst())")
      }
      messages += room > 0 ? nodes : ["{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"\(parent)\"}"]
    }
    return messages
  }
}
