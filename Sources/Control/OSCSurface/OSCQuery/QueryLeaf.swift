import JSON5
import Parameters
import SessionModel

/// A value of OSCQuery's tree, with the attributes that never change, as JSON.
final class QueryLeaf: Sendable {
  let leaf: AddressTree.Leaf
  /// The tags of a leaf without a present value.
  let usualTags: String
  /// The attributes that never change.
  private let constant: [QueryAttribute: String]
  /// Those that hold only while the value is a number, and not a word such as `inherit`.
  private let ofNumbers: [QueryAttribute: String]
  /// The same as members of an object, each behind a comma.
  let (constantMembers, membersOfNumbers): (String, String)

  init(_ leaf: AddressTree.Leaf) {
    self.leaf = leaf
    let parameter = leaf.parameter
    usualTags = leaf.aspect == .position ? "f" : parameter.queryTags
    var constant: [QueryAttribute: String] = [.access: "\(leaf.queryAccess)"]
    // Brothers with one description are one to Chataigne, so those that differ only by their ids have none.
    if parameter.parts.last.flatMap({ Placeholder(rawValue: String($0)) }) == nil {
      constant[.description] = Self.quoted(
        leaf.aspect == .position ? "\(parameter.summary) As a fader position." : parameter.summary)
    }
    if leaf.isCritical { constant[.critical] = "true" }
    var ofNumbers: [QueryAttribute: String] = [:]
    let tags = Self.list(parameter.queryTagWords.map(Self.quoted))
    // A loaded plugin has more words for its controls.
    if parameter.isPluginControl, leaf.aspect == .value {
      ofNumbers[.tags] = tags
    } else {
      constant[.tags] = tags
    }
    if let range = leaf.queryRange {
      if range.isOfNumbers { ofNumbers[.range] = range.text } else { constant[.range] = range.text }
    }
    ofNumbers[.unit] =
      leaf.aspect == .position ? nil : parameter.queryUnit.map { Self.list([Self.quoted($0)]) }
    ofNumbers[.clipMode] = leaf.queryClipMode.map { Self.list([Self.quoted($0)]) }
    (self.constant, self.ofNumbers) = (constant, ofNumbers)
    constantMembers = Self.members(constant)
    membersOfNumbers = Self.members(ofNumbers)
  }

  /// An attribute that does not change with the value; nil if the leaf does not have it now.
  func attribute(_ attribute: QueryAttribute, isNumber: Bool) -> String? {
    constant[attribute] ?? (isNumber ? ofNumbers[attribute] : nil)
  }

  /// The attributes that a plugin gives its control or meter, beside those that never change; nil for any other leaf.
  func pluginAttributes(_ state: RouterState, _ target: Target) -> [QueryAttribute: String]? {
    leaf.pluginAttributes(state, target)?.filter { constant[$0.key] == nil }
  }

  static func members(_ attributes: [QueryAttribute: String]) -> String {
    QueryAttribute.allCases.compactMap { attribute in
      attributes[attribute].map { ",\"\(attribute.rawValue)\":\($0)" }
    }.joined()
  }

  static func quoted(_ text: String) -> String {
    var json = ""
    JSONValue.write(text, to: &json)
    return json
  }

  static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }
}

/// The attributes of a node.
enum QueryAttribute: String, CaseIterable, Sendable {
  case path = "FULL_PATH"
  case access = "ACCESS"
  case type = "TYPE"
  case value = "VALUE"
  case range = "RANGE"
  case unit = "UNIT"
  case clipMode = "CLIPMODE"
  case critical = "CRITICAL"
  case tags = "TAGS"
  case description = "DESCRIPTION"
  case contents = "CONTENTS"
}
