import Numbers

extension RoutingPlan {
  /// The plan as a picture in SVG 1.1, for pages with a light and with a dark background.
  public var svg: String {
    let drawing = Drawing(self)
    let (width, height) = (drawing.width.pixels, drawing.height.pixels)
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      font-family="'DejaVu Sans', Verdana, Arial, sans-serif" role="img">
      <title>\(title.escaped)</title>
      \(Self.style)
      <rect width="\(width)" height="\(height)" class="sheet"/>

      """
    return head + drawing.boxes.map(\.svg).joined() + drawing.curves.map(\.svg).joined()
      + drawing.texts.map(\.svg).joined() + "</svg>\n"
  }

  private static let style = """
    <style>
      .sheet { fill: #ffffff } .port { fill: #f4f6f8; stroke: #8896a5 } .session { fill: #e9f0f7; stroke: #8896a5 }
      .stream { fill: #ffffff; stroke: #b4bfca }
      text { fill: #14202c } .title { font-size: 17px; font-weight: bold } .name { font-size: 14px; font-weight: bold }
      .detail { font-size: 12px; fill: #45525f } .send { font-size: 12px }
      .line { fill: none; stroke-width: 2 } .capture { stroke-dasharray: 7 4 } .off { stroke-dasharray: 2 4 }
      .c0 { stroke: #b34700 } .c1 { stroke: #00695c } .c2 { stroke: #5e35b1 }
      .c3 { stroke: #1565c0 } .c4 { stroke: #ad1457 } .c5 { stroke: #5d6d00 }
      .tip { stroke-width: 1 }
      .tip.c0 { fill: #b34700 } .tip.c1 { fill: #00695c } .tip.c2 { fill: #5e35b1 }
      .tip.c3 { fill: #1565c0 } .tip.c4 { fill: #ad1457 } .tip.c5 { fill: #5d6d00 }
      @media (prefers-color-scheme: dark) {
        .sheet { fill: #11161c } .port { fill: #1b232c; stroke: #5f6f80 } .session { fill: #1a2735; stroke: #5f6f80 }
        .stream { fill: #11161c; stroke: #43505e }
        text { fill: #e8edf2 } .detail { fill: #aab6c2 }
        .c0 { stroke: #ff9d5c } .c1 { stroke: #4dd0b8 } .c2 { stroke: #b9a1ff }
        .c3 { stroke: #74b3ff } .c4 { stroke: #ff85b3 } .c5 { stroke: #cddc4a }
        .tip.c0 { fill: #ff9d5c } .tip.c1 { fill: #4dd0b8 } .tip.c2 { fill: #b9a1ff }
        .tip.c3 { fill: #74b3ff } .tip.c4 { fill: #ff85b3 } .tip.c5 { fill: #cddc4a }
      }
    </style>
    """

  /// Number of colours in the style.
  fileprivate static let colours = 6
}

extension Drawing.Box {
  fileprivate var svg: String {
    let corner = style == .stream ? 4 : 7
    return "<rect x=\"\(place.x.pixels)\" y=\"\(place.y.pixels)\" width=\"\(place.width.pixels)\" "
      + "height=\"\(place.height.pixels)\" rx=\"\(corner)\" class=\"\(style.rawValue)\"/>\n"
  }
}

extension Drawing.Text {
  fileprivate var svg: String {
    "<text x=\"\(anchor.x.pixels)\" y=\"\(anchor.y.pixels)\"\(isRightAligned ? " text-anchor=\"end\"" : "") "
      + "class=\"\(style.rawValue)\">\(text.escaped)</text>\n"
  }
}

extension Drawing.Curve {
  fileprivate var svg: String {
    let points = controls.map { "\($0.x.pixels) \($0.y.pixels)" }
    let colour = "c\(self.colour % RoutingPlan.colours)"
    let (length, half) = Self.arrow
    let dashes =
      switch way {
      case .output: ""
      case .capture: " capture"
      case .off: " off"
      }
    return
      "<path d=\"M\(points[0]) C\(points[1]) \(points[2]) \(points[3])\" class=\"line \(colour)\(dashes)\"/>\n"
      + "<path d=\"M\(end.x.pixels) \(end.y.pixels) l\((-length).pixels) \((-half).pixels) v\((2 * half).pixels) z\" "
      + "class=\"tip \(colour)\"/>\n"
  }
}

extension Double {
  /// A length in an SVG.
  fileprivate var pixels: String { text(.upTo(1)) }
}

extension String {
  /// The text for XML.
  fileprivate var escaped: String {
    map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
