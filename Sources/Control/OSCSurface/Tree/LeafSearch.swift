import OSC
import Parameters
import Patterns
import SessionModel

/// A search for leaves in the order of the address space. It can pause and go on later, also if objects have come or gone meanwhile.
///
/// While it pauses it keeps only a place in the tree, so that a waiting snapshot of a thousand sessions costs no memory.
struct LeafSearch: Sendable {
  /// The pattern of the leaves; nil for every leaf.
  let pattern: AddressPattern?
  /// Whether leaves below those that the pattern matches are found, too, as a subscription does.
  let includesBelow: Bool
  /// The number of nodes that the search has looked at.
  private(set) var looks = 0
  private(set) var isDone = false
  /// The node at which the search goes on; empty at the start.
  private var place: [Step] = []

  /// One part of the way to a node.
  private struct Step {
    /// Index of the placeholder among those of the parent; -1 for a fixed word.
    var branch: Int
    /// Index of the name among its siblings when the search paused.
    var rank: Int
    var name: String
  }

  init(_ pattern: AddressPattern?, includesBelow: Bool) {
    (self.pattern, self.includesBelow) = (pattern, includesBelow)
  }

  /// Goes on until `body` returns false, `mostLooks` further nodes were looked at, or no leaf is left.
  ///
  /// - Parameter body: called with each leaf. If it returns false, the search pauses in front of that leaf.
  mutating func run(
    _ tree: AddressTree, in state: RouterState, mostLooks: Int = .max, _ body: (Match) -> Bool
  ) {
    guard !isDone else { return }
    withoutActuallyEscaping(body) { body in
      var walk = Walk(state: state, includesBelow: includesBelow, body: body, left: mostLooks)
      isDone = walk.visit(tree.root, pattern?.parts[...] ?? [], place[...], Target())
      place = isDone ? [] : walk.way
      looks += walk.looks
    }
  }

  /// One run of a search.
  private struct Walk {
    let state: RouterState
    let includesBelow: Bool
    let body: (Match) -> Bool
    /// The number of nodes that may still be looked at.
    var left: Int
    var looks = 0
    /// The way to the present node. When the search pauses, this is the place at which it goes on.
    var way: [Step] = []

    private var address: String { way.reduce(into: "") { $0 += "/\($1.name)" } }

    /// Visits a node and those below it.
    ///
    /// - Parameter place: the rest of the way to the node at which the search goes on; empty if the search is past that node.
    /// - Returns: false if the search pauses.
    mutating func visit(
      _ node: AddressTree.Node, _ parts: ArraySlice<AddressPattern.Part>, _ place: ArraySlice<Step>,
      _ target: Target
    ) -> Bool {
      if place.isEmpty {
        guard left > 0 else { return false }
        (left, looks) = (left - 1, looks + 1)
        if parts.isEmpty, let leaf = node.leaf,
          !body(Match(address: address, leaf: leaf, target: target))
        {
          return false
        }
      }
      guard !parts.isEmpty || includesBelow else { return true }
      let next = place.first
      return visitWords(node, parts, next, place.dropFirst(), target)
        && visitObjects(node, parts, next, place.dropFirst(), target)
    }

    private mutating func visitWords(
      _ node: AddressTree.Node, _ parts: ArraySlice<AddressPattern.Part>, _ next: Step?,
      _ below: ArraySlice<Step>, _ target: Target
    ) -> Bool {
      guard next.map({ $0.branch < 0 }) ?? true else { return true }
      // Most parts of most patterns are plain words, of which a node has dozens.
      if let part = parts.first, part.isLiteral {
        return visit(node, word: part.text, 0, parts, next == nil ? [] : below, target)
      }
      let first = next?.rank ?? 0
      for rank in first..<node.order.count where parts.first?.matches(node.order[rank]) ?? true {
        let rest = next != nil && rank == first ? below : []
        guard visit(node, word: node.order[rank], rank, parts, rest, target) else { return false }
      }
      return true
    }

    private mutating func visit(
      _ node: AddressTree.Node, word: String, _ rank: Int, _ parts: ArraySlice<AddressPattern.Part>,
      _ place: ArraySlice<Step>, _ target: Target
    ) -> Bool {
      guard let child = node.children[word] else { return true }
      way.append(Step(branch: -1, rank: rank, name: word))
      guard visit(child, parts.dropFirst(), place, target) else { return false }
      way.removeLast()
      return true
    }

    private mutating func visitObjects(
      _ node: AddressTree.Node, _ parts: ArraySlice<AddressPattern.Part>, _ next: Step?,
      _ below: ArraySlice<Step>, _ target: Target
    ) -> Bool {
      for index in max(0, next?.branch ?? 0)..<max(0, next?.branch ?? 0, node.placeholders.count) {
        let branch = node.placeholders[index]
        let names = branch.placeholder.names(in: state, at: target)
        var (first, rest) = (0, below.prefix(0))
        if let next, next.branch == index {
          // If the object is gone, its successor has its rank now.
          let found = names.firstIndex(of: next.name)
          (first, rest) = (found ?? min(next.rank, names.count), found == nil ? below.prefix(0) : below)
        }
        for rank in first..<names.count {
          guard parts.first?.matches(names[rank]) ?? true,
            let filled = branch.placeholder.fill(names[rank], into: target)
          else { continue }
          way.append(Step(branch: index, rank: rank, name: names[rank]))
          guard visit(branch.node, parts.dropFirst(), rank == first ? rest : [], filled) else {
            return false
          }
          way.removeLast()
        }
      }
      return true
    }
  }
}

extension AddressTree {
  /// The leaves of a pattern, in the order of the address space; nil if there are more than `limit`, or if the search looks at too many
  /// nodes.
  ///
  /// - Parameter looks: the number of nodes that may be looked at; reduced by those that were.
  func find(_ pattern: AddressPattern, in state: RouterState, limit: Int, looks: inout Int) -> [Match]? {
    var search = LeafSearch(pattern, includesBelow: false)
    var found: [Match] = []
    search.run(self, in: state, mostLooks: looks) { match in
      guard found.count < limit else { return false }
      found.append(match)
      return true
    }
    looks -= search.looks
    return search.isDone ? found : nil
  }

  /// The leaves that a subscription's pattern matches: those it matches itself, and all below them. Without a pattern, all leaves.
  func find(prefix pattern: AddressPattern?, in state: RouterState) -> [Match] {
    var search = LeafSearch(pattern, includesBelow: true)
    var found: [Match] = []
    search.run(self, in: state) { match in
      found.append(match)
      return true
    }
    return found
  }
}
