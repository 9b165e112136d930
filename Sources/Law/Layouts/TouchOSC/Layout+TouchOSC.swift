import Numbers

extension Layout {
  /// The XML of a file of TouchOSC (.tosc), which has it in a zlib stream.
  public var touchOSC: String {
    var xml = "<?xml version='1.0' encoding='UTF-8'?><lexml version='6'>"
    var number = 0
    root.write(to: &xml, number: &number, isRoot: true)
    return xml + "</lexml>"
  }

  /// The port at which the surface receives. The page about TouchOSC tells to set it.
  static let touchOSCPort = 9_000

  private var root: Node {
    let whole = Self.size.height + Self.tabHeight
    var pager = Node(
      kind: .pager, frame: Place(x: 0, y: 0, width: Self.size.width, height: whole), name: "pages")
    pager.properties = [
      "tabbar": .flag(true), "tabLabels": .flag(true), "tabbarSize": .integer(Int(Self.tabHeight)),
      "textSizeOff": .integer(18), "textSizeOn": .integer(18),
    ]
    pager.children = pages.map { page in
      var group = Node(
        kind: .group,
        frame: Place(x: 0, y: Self.tabHeight, width: Self.size.width, height: Self.size.height),
        name: page.name)
      group.properties = ["tabLabel": .text(page.name), "background": .flag(false), "outline": .flag(false)]
      group.children = page.widgets.flatMap(\.nodes)
      return group
    }
    var barNode = Node(
      kind: .group, frame: Place(x: 0, y: whole, width: Self.size.width, height: Self.barHeight), name: "bar")
    barNode.properties = ["background": .flag(false), "outline": .flag(false)]
    barNode.children = bar.flatMap(\.nodes)
    var root = Node(
      kind: .group,
      frame: Place(x: 0, y: 0, width: Self.size.width, height: whole + Self.barHeight), name: title)
    root.properties = ["script": .text(touchOSCScript), "color": .color("#11161c", alpha: 1)]
    root.children = [pager, barNode]
    return root
  }

  /// Lua that greets the router, again if nothing has come from it, and in between sends one message at a time. Faders of strips get the
  /// colours of their targets.
  private var touchOSCScript: String {
    let greetings = greeting.map { "  \($0.lua),\n" }.joined()
    return """
      local port = \(Self.touchOSCPort)
      local greeting = {
      \(greetings)}
      local heard, said, turn = -1000000, -1000000, 0

      function update()
        local now = getMillis()
        if now - said < \(Self.renewalTime) then return end
        said = now
        if now - heard > \(Self.renewalTime) then
          for number = 1, #greeting do sendOSC(greeting[number]) end
        else
          turn = turn % #greeting + 1
          sendOSC(greeting[turn])
        end
      end

      function onReceiveOSC(message, connections)
        if message[1] == '\(Self.signOfLife)' then heard = getMillis() end
        local strip = string.match(message[1], '^(/strip/%d+)/color$')
        local fader = strip and root:findByName(strip .. '/fader', true)
        if fader then
          local hex = string.match(message[2][1].value, '^#(%x%x%x%x%x%x)$') or '\(Tint.level.hex.dropFirst())'
          fader.color = Color.fromHexString(hex .. 'ff')
        end
      end
      """
  }
}

extension Layout.Message {
  /// A message for the program's function `sendOSC`. A subscription also names the port at which the surface receives.
  fileprivate var lua: String {
    var parts = arguments.map { argument in
      switch argument {
      case .text(let text): "{ tag = 's', value = '\(text)' }"
      case .number(let number): "{ tag = 'f', value = \(number.shortText) }"
      case .integer(let number): "{ tag = 'i', value = \(number) }"
      }
    }
    if address == "/subscribe" { parts.append("{ tag = 'i', value = port }") }
    return "{ '\(address)', { \(parts.joined(separator: ", ")) } }"
  }
}
