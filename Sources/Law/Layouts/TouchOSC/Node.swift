import Numbers

/// A control of TouchOSC, as its files write one.
struct Node {
  var kind: Kind
  var frame: Place
  var name: String
  /// Beside frame and name.
  var properties: [String: Property] = [:]
  /// The value of a label.
  var text = ""
  var messages: [OSC] = []
  var children: [Node] = []

  enum Kind: String {
    case group = "GROUP", pager = "PAGER", fader = "FADER", button = "BUTTON", label = "LABEL"
  }

  enum Property {
    case text(String)
    case flag(Bool)
    case integer(Int)
    case frame(Place)
    /// `#rrggbb`
    case color(String, alpha: Double)
  }

  /// A connection of a value with an address.
  struct OSC {
    /// The value that is sent when it changes, and set when a message comes.
    var value: String
    var type: String
    var address: String
    var sends: Bool
    var receives: Bool
  }
}

extension Node {
  /// The node as XML. The program reads the parts of a node in this order only.
  func write(to xml: inout String, number: inout Int, isRoot: Bool = false) {
    number += 1
    let id = String(number, radix: 16)
    xml += "<node ID='00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - id.count))\(id)' "
    xml += "type='\(kind.rawValue)'>"
    if isRoot { xml += "<includes></includes>" }
    var all = properties
    (all["frame"], all["name"]) = (.frame(frame), .text(name))
    xml += "<properties>"
    for (key, property) in all.sorted(by: { $0.key < $1.key }) { xml += property.xml(key) }
    xml += "</properties><values>"
    for (key, usual) in values {
      xml += "<value><key>\(key.cdata)</key><locked>0</locked><lockedDefaultCurrent>0</lockedDefaultCurrent>"
      xml += "<default>\(usual.cdata)</default><defaultPull>0</defaultPull></value>"
    }
    xml += "</values>"
    if !messages.isEmpty { xml += "<messages>\(messages.map(\.xml).joined())</messages>" }
    if !children.isEmpty {
      xml += "<children>"
      for child in children { child.write(to: &xml, number: &number) }
      xml += "</children>"
    }
    xml += "</node>"
  }

  /// The values that a control of the kind has, with what they are at first.
  private var values: [(key: String, usual: String)] {
    let touch = ("touch", "false")
    return switch kind {
    case .group: [touch]
    case .pager: [("page", "0"), touch]
    case .fader, .button: [("x", "0"), touch]
    case .label: [("text", text), touch]
    }
  }
}

extension Node.Property {
  fileprivate func xml(_ key: String) -> String {
    let (type, value) =
      switch self {
      case .text(let text): ("s", text.cdata)
      case .flag(let flag): ("b", flag ? "1" : "0")
      case .integer(let number): ("i", "\(number)")
      case .frame(let place):
        (
          "r",
          "<x>\(place.x.pixels)</x><y>\(place.y.pixels)</y><w>\(place.width.pixels)</w><h>\(place.height.pixels)</h>"
        )
      case .color(let hex, let alpha): ("c", Self.components(hex) + "<a>\(alpha.text(.upTo(3)))</a>")
      }
    return "<property type='\(type)'><key>\(key.cdata)</key><value>\(value)</value></property>"
  }

  private static func components(_ hex: String) -> String {
    let rgb = UInt32(hex.dropFirst(), radix: 16) ?? 0
    return zip(["r", "g", "b"], [16, 8, 0]).map { name, shift in
      "<\(name)>\((Double(rgb >> UInt32(shift) & 0xFF) / 255).text(.upTo(3)))</\(name)>"
    }.joined()
  }
}

extension Node.OSC {
  fileprivate var xml: String {
    """
    <osc><enabled>1</enabled><send>\(sends ? 1 : 0)</send><receive>\(receives ? 1 : 0)</receive><feedback>0</feedback>\
    <noDuplicates>0</noDuplicates><connections>1111111111</connections>\
    <triggers><trigger><var>\(value.cdata)</var><condition>ANY</condition></trigger></triggers>\
    <path>\(Self.partial("CONSTANT", "STRING", address))</path>\
    <arguments>\(Self.partial("VALUE", type, value))</arguments></osc>
    """
  }

  private static func partial(_ type: String, _ conversion: String, _ value: String) -> String {
    """
    <partial><type>\(type)</type><conversion>\(conversion)</conversion><value>\(value.cdata)</value>\
    <scaleMin>0</scaleMin><scaleMax>1</scaleMax></partial>
    """
  }
}

extension Double {
  /// A whole number of pixels.
  fileprivate var pixels: String { text(.upTo(0)) }
}

extension String {
  /// The text as XML that says nothing else. XML 1.0 has no way to write control characters.
  fileprivate var cdata: String {
    let text = String(String.UnicodeScalarView(unicodeScalars.filter { $0 >= " " || $0 == "\n" }))
    return "<![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
  }
}
