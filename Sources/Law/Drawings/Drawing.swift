/// A drawing of boxes, texts and curves, with a place for each. All lengths are pixels.
struct Drawing: Equatable {
  var (width, height) = (0.0, 0.0)
  var boxes: [Box] = []
  var texts: [Text] = []
  var curves: [Curve] = []

  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  struct Rectangle: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var right: Double { x + width }
    var bottom: Double { y + height }
  }

  struct Box: Equatable {
    var place: Rectangle
    var style: Style
    enum Style: String { case port, session, stream }
  }

  struct Text: Equatable {
    var text: String
    var style: Style
    /// The end of the baseline at which the text is anchored.
    var anchor: Point
    /// Whether the anchor is the right end of the text.
    var isRightAligned = false

    enum Style: String {
      case title, name, detail, send
      var size: Double { self == .title ? 17 : self == .name ? 14 : 12 }
      var isBold: Bool { self == .title || self == .name }
      /// The height of a line.
      var line: Double { self == .title ? 26 : self == .name ? 19 : 16 }
    }

    var width: Double { TextWidth.of(text, size: style.size, isBold: style.isBold) }

    /// The place that the text needs: from the top of an accented capital to the bottom of a `g`.
    var place: Rectangle {
      Rectangle(
        x: isRightAligned ? anchor.x - width : anchor.x, y: anchor.y - 0.95 * style.size, width: width,
        height: 1.2 * style.size)
    }
  }

  /// A curve from left to right that begins and ends level, with an arrow at its end.
  struct Curve: Equatable {
    var start: Point
    var end: Point
    var way: RoutingPlan.Way
    /// Number of the session, which chooses the colour.
    var colour: Int

    /// Length and half of the height of the arrow.
    static let arrow = (length: 9.0, half: 4.0)

    /// The four points of the Bézier curve, to the arrow.
    var controls: [Point] {
      let tip = Point(x: end.x - Self.arrow.length, y: end.y)
      let middle = (start.x + tip.x) / 2
      return [start, Point(x: middle, y: start.y), Point(x: middle, y: tip.y), tip]
    }
  }
}
