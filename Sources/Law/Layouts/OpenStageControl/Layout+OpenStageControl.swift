public import JSON5
import Numbers

extension Layout {
  /// The session file of Open Stage Control, in the format of 1.29.2.
  ///
  /// Widgets have no targets: the program is started with `--send`, so one file fits every network.
  public var openStageControl: JSONValue {
    let whole = Self.size.height + Self.tabHeight + Self.barHeight
    let barShare = Self.barHeight / whole * 100
    let tabs: [JSONValue] = pages.enumerated().map { number, page in
      [
        "type": "tab", "id": .string("page_\(number + 1)"), "label": .string(page.name),
        "widgets": .array(Self.widgets(page.widgets, prefix: "p\(number + 1)", height: Self.size.height)),
      ]
    }
    let panels: [JSONValue] = [
      [
        "type": "panel", "id": "pages", "left": 0, "top": 0, "width": "100%",
        "height": Self.percent(100 - barShare), "scroll": false, "tabs": .array(tabs),
      ],
      [
        "type": "panel", "id": "bar", "left": 0, "top": Self.percent(100 - barShare), "width": "100%",
        "height": Self.percent(barShare), "scroll": false, "innerPadding": false,
        "widgets": .array(Self.widgets(bar, prefix: "bar", height: Self.barHeight)),
      ],
      [
        "type": "text", "id": "link", "visible": false,
        "comments": "Subscribes, renews the lease, and greets a router that has started again.",
        "address": .string(Self.signOfLife), "onCreate": .string(linkScript), "onValue": "locals.silence = 0",
      ],
    ]
    return [
      "createdWith": "Open Stage Control", "version": "1.29.2", "type": "session",
      "content": ["type": "root", "id": "root", "widgets": .array(panels)],
    ]
  }

  /// JavaScript that greets the router, again if nothing has come from it, and in between sends one message at a time.
  private var linkScript: String {
    let greetings = greeting.map { "  function () { \($0.javaScript) }" }.joined(separator: ",\n")
    return """
      locals.silence = 0
      locals.turn = 0
      var greeting = [
      \(greetings)
      ]
      function greet() { greeting.forEach(function (say) { say() }) }
      greet()
      setInterval('lease', function () {
        locals.silence += 1
        if (locals.silence > 1) { greet() } else { greeting[locals.turn++ % greeting.length]() }
      }, \(Self.renewalTime))
      """
  }

  private static func widgets(_ widgets: [Widget], prefix: String, height: Double) -> [JSONValue] {
    widgets.enumerated().map { number, widget in
      let place = widget.place
      let frame: [JSONValue.Member] = [
        .init("type", .string(widget.role.type)), .init("id", .string("\(prefix)_\(number + 1)")),
        .init("left", percent(place.x / size.width * 100)), .init("top", percent(place.y / height * 100)),
        .init("width", percent(place.width / size.width * 100)),
        .init("height", percent(place.height / height * 100)),
        .init("colorWidget", .string(widget.color.openStageControl)),
      ]
      return .object(frame + widget.role.members)
    }
  }

  private static func percent(_ share: Double) -> JSONValue { .string("\(share.text(.upTo(2)))%") }
}

extension Layout.Message {
  /// A call of the program's function `send`.
  fileprivate var javaScript: String {
    let arguments = arguments.map { argument in
      switch argument {
      case .text(let text): "{type: 's', value: '\(text)'}"
      case .number(let number): "{type: 'f', value: \(number.shortText)}"
      case .integer(let number): "{type: 'i', value: \(number)}"
      }
    }
    return "send(\((["'\(address)'"] + arguments).joined(separator: ", ")))"
  }
}

extension Tint {
  /// A colour of CSS, or a script that follows the colour of a strip.
  fileprivate var openStageControl: String {
    guard case .strip(let number) = self else { return hex }
    let address = Leaf("/strip/<strip>/color", "\(number)").address
    return "JS{ var color = OSC{\(address), none}; return color == 'none' ? '\(hex)' : color }"
  }
}

extension Widget.Role {
  fileprivate var type: String {
    switch self {
    case .fader, .meter: "fader"
    case .toggle, .hold, .trigger, .lamp: "button"
    case .text, .caption: "text"
    }
  }

  /// The properties beside place and colour. Without `decimals` a fader would have a hundred steps.
  fileprivate var members: [JSONValue.Member] {
    func button(_ leaf: Leaf, _ label: String, mode: String) -> JSONValue {
      [
        "label": .string(label), "wrap": true, "mode": .string(mode), "on": 1, "off": 0,
        "address": .string(leaf.address),
        "typeTags": "i",
      ]
    }
    let properties: JSONValue =
      switch self {
      case .fader(let leaf):
        [
          "address": .string(leaf.fader), "typeTags": "f", "decimals": 5, "range": ["min": 0, "max": 1],
          "onTouch": .string(
            "send('\(leaf.touch)', {type: 'i', value: event.type == 'start' ? 1 : 0})"),
        ]
      case .meter(let address):
        [
          "address": .string(address), "design": "compact", "interaction": false, "bypass": true,
          "range": ["min": 0, "max": 1],
        ]
      case .toggle(let leaf, let label): button(leaf, label, mode: "toggle")
      case .trigger(let leaf, let label): button(leaf, label, mode: "tap")
      case .hold(let leaf, let label), .lamp(let leaf, let label): button(leaf, label, mode: "push")
      case .text(let address): ["address": .string(address)]
      case .caption(let text): ["default": .string(text)]
      }
    guard case .object(let members) = properties else { return [] }
    return members
  }
}
