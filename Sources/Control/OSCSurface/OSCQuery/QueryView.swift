import ControlInterface
import OSC
import Parameters
import SessionModel

/// The state of the router at one moment, from which questions are answered. Any thread may use it: the policy thread has gone on meanwhile.
public struct QueryView: Sendable {
  let state: RouterState
  /// Router time in seconds.
  let time: Double
  let meters: MeterBoard
  /// The fingers on faders.
  let fingers: [String]

  /// The node at an address with all below it; nil if there is none.
  func tree(at address: String) -> String? {
    var writer = QueryWriter(self)
    guard let (node, target) = QueryNode.find(address, in: state) else { return nil }
    writer.write(node, address, target)
    return writer.text
  }

  /// The members of a node without braces and without what is below it.
  func members(at address: String) -> String? {
    guard let (node, target) = QueryNode.find(address, in: state) else { return nil }
    var writer = QueryWriter(self)
    writer.writeMembers(node, address, target, withContents: false)
    return writer.text
  }

  /// The reading of a value in OSCQuery's types; nil if it cannot be read.
  func read(_ match: Match, _ moment: Moment) -> [OSCArgument]? {
    (match.read(moment) ?? meters.read(match, state)).map { SwitchFormat.tags.message(match, $0).arguments }
  }
}

/// Writes nodes as JSON.
struct QueryWriter {
  private let view: QueryView
  private let moment: Moment
  private(set) var text = ""

  init(_ view: QueryView) {
    (self.view, moment) = (view, Moment(view.state, at: view.time, touched: view.fingers))
  }

  /// Appends a node with all below it.
  mutating func write(_ node: QueryNode, _ address: String, _ target: Target) {
    text += "{"
    writeMembers(node, address, target, withContents: true)
    text += "}"
  }

  mutating func writeMembers(
    _ node: QueryNode, _ address: String, _ target: Target, withContents: Bool
  ) {
    // Addresses and ids have no characters that JSON escapes.
    text += "\"\(QueryAttribute.path.rawValue)\":\"\(address)\""
    if let value = node.value { return writeValue(value, address, target) }
    text += ",\"\(QueryAttribute.access.rawValue)\":0"
    guard withContents else { return }
    text += ",\"\(QueryAttribute.contents.rawValue)\":"
    writeContents(node, address, target)
  }

  mutating func writeContents(_ node: QueryNode, _ address: String, _ target: Target) {
    let base = address == "/" ? "" : address
    var isFirst = true
    func begin(_ name: String, in text: inout String) {
      text += isFirst ? "\"\(name)\":" : ",\"\(name)\":"
      isFirst = false
    }
    text += "{"
    for (name, child) in node.children {
      begin(name, in: &text)
      write(child, "\(base)/\(name)", target)
    }
    for (placeholder, child) in node.branches {
      for name in placeholder.names(in: view.state, at: target) {
        guard let filled = placeholder.fill(name, into: target) else { continue }
        begin(name, in: &text)
        write(child, "\(base)/\(name)", filled)
      }
    }
    text += "}"
  }

  private mutating func writeValue(_ value: QueryLeaf, _ address: String, _ target: Target) {
    let reading = read(value, address, target)
    text += ",\"\(QueryAttribute.type.rawValue)\":\"\(value.tags(reading))\""
    if let reading {
      text += ",\"\(QueryAttribute.value.rawValue)\":"
      write(reading)
    }
    text += value.constantMembers
    if let attributes = value.pluginAttributes(view.state, target) {
      text += QueryLeaf.members(attributes)
    } else if value.isNumber(reading) {
      text += value.membersOfNumbers
    }
  }

  private mutating func write(_ reading: [OSCArgument]) {
    text += "["
    for (index, argument) in reading.enumerated() {
      if index > 0 { text += "," }
      argument.writeQueryText(to: &text)
    }
    text += "]"
  }

  private func read(_ value: QueryLeaf, _ address: String, _ target: Target) -> [OSCArgument]? {
    view.read(Match(address: address, leaf: value.leaf, target: target), moment)
  }

  // MARK: Single attributes

  /// Appends the value of one attribute.
  ///
  /// - Returns: false if the node does not have the attribute now.
  mutating func write(
    _ attribute: QueryAttribute, of node: QueryNode, _ address: String, _ target: Target
  ) -> Bool {
    if attribute == .path {
      text += "\"\(address)\""
      return true
    }
    guard let value = node.value else {
      switch attribute {
      case .access: text += "0"
      case .contents: writeContents(node, address, target)
      default: return false
      }
      return true
    }
    let reading = read(value, address, target)
    switch attribute {
    case .type: text += "\"\(value.tags(reading))\""
    case .value:
      guard let reading else { return false }
      write(reading)
    default:
      let own = value.pluginAttributes(view.state, target)
      guard
        let constant = own?[attribute]
          ?? value.attribute(attribute, isNumber: own == nil && value.isNumber(reading))
      else { return false }
      text += constant
    }
    return true
  }
}

extension QueryLeaf {
  /// The tags of the present value.
  fileprivate func tags(_ reading: [OSCArgument]?) -> String {
    reading.map { String(String.UnicodeScalarView($0.map(\.typeTag))) } ?? usualTags
  }

  /// Whether the present value is a number, and no word such as `inherit`.
  fileprivate func isNumber(_ reading: [OSCArgument]?) -> Bool { reading?.first?.text == nil }
}
