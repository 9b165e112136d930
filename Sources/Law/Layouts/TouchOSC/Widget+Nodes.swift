extension Widget {
  /// The widget as nodes. A button has no text of its own, so a label lies over it, which lets touches through.
  var nodes: [Node] {
    switch role {
    case .fader(let leaf):
      let moves = Node.OSC(value: "x", type: "FLOAT", address: leaf.fader, sends: true, receives: true)
      let touches = Node.OSC(
        value: "touch", type: "BOOLEAN", address: leaf.touch, sends: true, receives: false)
      // A relative fader does not jump to the finger.
      return [
        node(
          .fader, ["response": .integer(1), "gridSteps": .integer(5)], name: leaf.fader, [moves, touches])
      ]
    case .meter(let address):
      let shows = Node.OSC(value: "x", type: "FLOAT", address: address, sends: false, receives: true)
      return [
        node(
          .fader, ["interactive": .flag(false), "cursor": .flag(false), "grid": .flag(false)], name: address,
          [shows])
      ]
    case .toggle(let leaf, let text): return button(leaf, text, type: 2, isLamp: true)
    case .trigger(let leaf, let text): return button(leaf, text, type: 0, isLamp: false)
    case .hold(let leaf, let text), .lamp(let leaf, let text):
      return button(leaf, text, type: 0, isLamp: true)
    case .text(let address):
      let shows = Node.OSC(value: "text", type: "STRING", address: address, sends: false, receives: true)
      return [label("", name: address, [shows])]
    case .caption(let text): return [label(text, name: text)]
    }
  }

  /// - Parameter type: 0 is on while it is held, 2 changes with each press.
  private func button(_ leaf: Leaf, _ text: String, type: Int, isLamp: Bool) -> [Node] {
    let presses = Node.OSC(value: "x", type: "INTEGER", address: leaf.address, sends: true, receives: isLamp)
    return [
      node(.button, ["buttonType": .integer(type)], name: leaf.address, [presses]),
      label(text, name: text),
    ]
  }

  private func label(_ text: String, name: String, _ messages: [Node.OSC] = []) -> Node {
    var label = node(
      .label,
      [
        "interactive": .flag(false), "background": .flag(false), "outline": .flag(false),
        "textSize": .integer(16),
        "textClip": .flag(true),
      ], name: name, messages)
    label.text = text
    return label
  }

  private func node(
    _ kind: Node.Kind, _ properties: [String: Node.Property], name: String, _ messages: [Node.OSC]
  ) -> Node {
    var node = Node(kind: kind, frame: place, name: name)
    node.properties = properties
    if node.properties["background"] == nil { node.properties["color"] = .color(color.hex, alpha: 1) }
    node.messages = messages
    return node
  }
}
